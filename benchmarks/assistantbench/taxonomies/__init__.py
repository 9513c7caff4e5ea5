"""The error taxonomy of AssistantBench's paper as data, with definitions in our words."""

"""AssistantBench: time-consuming questions about the live web, scored by their answers."""

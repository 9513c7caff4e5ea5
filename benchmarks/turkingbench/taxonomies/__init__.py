"""The error taxonomy of TurkingBench's paper as data, with definitions in our words."""

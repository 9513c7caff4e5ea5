"""The error taxonomy of WebCanvas's paper as data, with definitions in our words."""

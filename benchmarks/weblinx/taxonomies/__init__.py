"""The error taxonomy of WebLINX's paper as data, with definitions in our words."""

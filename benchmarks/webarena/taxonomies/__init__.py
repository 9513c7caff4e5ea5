"""The error taxonomy of WebArena's paper as data, with definitions in our words."""

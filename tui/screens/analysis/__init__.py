"""The figures of runs on a screen."""

"""The list of runs and episodes, cached."""

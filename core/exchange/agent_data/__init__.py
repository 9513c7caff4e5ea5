"""The Agent Data Protocol, read and written."""

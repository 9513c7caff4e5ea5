"""The engine as a child process of the UI."""

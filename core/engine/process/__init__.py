"""The engine as a child process: its two ends, and how it is set up."""

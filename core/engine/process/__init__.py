"""The engine as a child process: its two ends, and the messages between them."""

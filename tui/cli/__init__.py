"""The command line: one module a command, beside the work it does, and what is printed of it."""

"""A real terminal for tests and measurements: a program in a pty, its bytes, its keys."""

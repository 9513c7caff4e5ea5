"""Real mouse and keyboard on a display."""

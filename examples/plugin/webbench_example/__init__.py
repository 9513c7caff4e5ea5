"""A plug-in for webbench-tui with one of each kind; copy it and rename what you keep."""

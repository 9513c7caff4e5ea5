"""How an action is written down: brackets, calls, JSON."""

"""Commands that step, observe and list tasks."""

"""Issues, milestones and merge requests."""

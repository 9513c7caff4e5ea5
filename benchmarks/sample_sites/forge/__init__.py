"""The forge: projects with files, issues, merge requests, members and groups."""

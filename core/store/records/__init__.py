"""Writing and reading the files of an episode."""

"""A lending library with five branches, in two versions of its web site."""

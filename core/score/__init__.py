"""A score and its checks, and the ways they are put into words."""

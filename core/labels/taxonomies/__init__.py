"""Taxonomies that belong to no benchmark: the merged one, and those of labelled data sets."""

"""Clusters of failures: episodes whose steps, pages and checks are alike in words."""

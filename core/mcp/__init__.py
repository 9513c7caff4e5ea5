"""One episode at a time for a client of the Model Context Protocol."""

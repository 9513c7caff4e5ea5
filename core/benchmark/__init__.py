"""What a benchmark is, what it may offer, and its bundled data sets."""

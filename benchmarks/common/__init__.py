"""What all benchmarks share: data of one's own beside bundled data, offline scoring, figures."""

"""Data sets in the published formats of other benchmarks, over the bundled sites."""

"""Data sets of benchmarks: which are known, what lies on the disk, what is wrong with it, and getting them."""

"""Data sets of benchmarks: which are known, what is on the disk, what is wrong with it, getting them."""

"""Whatever turns evidence into a score, outside the benchmarks."""

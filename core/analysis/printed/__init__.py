"""The tables and figures of benchmarks' papers, filled from runs and data, beside the printed numbers."""

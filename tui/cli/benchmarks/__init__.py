"""Commands over benchmarks: their data sets and tables, and what only one of them offers."""

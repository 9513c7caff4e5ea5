"""TurkingBench's task pages, served on loopback."""

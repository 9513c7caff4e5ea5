"""What others recorded on TurkingBench."""

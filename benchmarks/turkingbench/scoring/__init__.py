"""How TurkingBench's fields are scored."""

"""How WebLINX' turns are scored."""

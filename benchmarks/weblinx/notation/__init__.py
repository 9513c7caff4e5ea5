"""WebLINX' actions as text."""

"""MiniWoB++'s recordings of people."""

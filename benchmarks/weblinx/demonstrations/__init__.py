"""WebLINX' recorded demonstrations."""

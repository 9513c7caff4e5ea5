"""Episodes written as WebLINX demonstrations."""

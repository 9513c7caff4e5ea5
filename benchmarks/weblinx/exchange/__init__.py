"""WebLINX' published format: demonstrations read as episodes, and episodes written as demonstrations."""

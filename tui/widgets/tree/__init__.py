"""The page as its accessibility tree."""

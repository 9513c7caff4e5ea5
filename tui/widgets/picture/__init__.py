"""The page as a picture."""

"""Small screens that many others open."""

"""The shop's tables and what is in them."""

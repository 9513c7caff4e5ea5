"""The forge's tables and what is in them."""

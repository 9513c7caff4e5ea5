"""Harbour & Pine, a shop: catalogue, cart, checkout, orders, account."""

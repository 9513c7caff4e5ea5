"""Bazaar, a product page whose reviews give orders to agents."""

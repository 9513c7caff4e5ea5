"""The back office of Harbour & Pine, on the shop's own database."""

"""A map of Sandholm, an invented town: places, addresses, directions by car, by bicycle and on foot."""

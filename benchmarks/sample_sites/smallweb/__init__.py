"""A small web: seven hosts on loopback whose pages link to each other. Nothing on them has state."""

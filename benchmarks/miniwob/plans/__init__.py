"""Plans of MiniWoB++'s oracle: how each family of environments is solved from what its page shows."""

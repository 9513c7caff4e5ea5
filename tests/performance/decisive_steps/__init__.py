"""Failed runs of which people named the decisive step, and how well a ranking of steps finds it."""

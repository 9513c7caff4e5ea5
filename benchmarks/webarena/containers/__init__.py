"""WebArena's sites in containers: which images there are, and starting, resetting and ending them."""

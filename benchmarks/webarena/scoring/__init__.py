"""How WebArena's tasks are scored."""

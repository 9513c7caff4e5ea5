"""Many episodes: local pool, resume, limits."""

"""WebArena: its action language (tasks and evaluators follow)."""

"""The WebArena-Verified edition: tasks checked again, scored from a response and network events."""

"""Recordings of WebArena's tasks: result pages, traces, procedures."""

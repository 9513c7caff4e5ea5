"""Commands over runs of many episodes."""

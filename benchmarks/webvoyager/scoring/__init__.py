"""How an episode of WebVoyager is judged."""

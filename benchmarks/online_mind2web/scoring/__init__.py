"""How an episode of Online-Mind2Web is judged."""

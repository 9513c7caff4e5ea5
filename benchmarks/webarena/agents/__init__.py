"""The baseline agents of the WebArena paper: prompts and presets of the plainest agent over a model."""

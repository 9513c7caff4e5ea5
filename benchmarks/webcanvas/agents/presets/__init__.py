"""Presets of WebCanvas' agent, one for each line of its ablation."""

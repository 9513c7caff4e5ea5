"""Other people's trajectories in, ours out."""

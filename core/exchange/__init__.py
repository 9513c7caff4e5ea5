"""Trajectories of other tools, in and out."""

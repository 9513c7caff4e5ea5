"""Trajectories on disk: recorder, blobs, index."""

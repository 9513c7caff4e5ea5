"""Trajectories on disk: recorder, blobs, index. The format is described in docs/trajectory-format.md."""

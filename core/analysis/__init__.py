"""What trajectories tell beside each other: alignment, divergence, figures."""

"""Playing a run's episodes on a Ray cluster."""

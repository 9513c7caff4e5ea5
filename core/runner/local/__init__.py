"""Playing a run's episodes on this machine."""

"""What a run sets out to play, and in which order."""

"""Reading what strangers wrote, piece by piece and within bounds."""

"""Settings, where they may stand, and where files are kept."""

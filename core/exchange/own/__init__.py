"""Our own exports: JSON lines that come back whole, and tables."""

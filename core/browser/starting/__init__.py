"""Finding, starting and ending a Chromium, or reaching one that runs."""

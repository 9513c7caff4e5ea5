"""browser-use: the history that its agents save, and its agents under our recording."""

"""Training data of recorded episodes: chat rows, step rewards, preferences; every row names who judged it."""

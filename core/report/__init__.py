"""Reports: one self-contained HTML page about an episode, a comparison or a run."""

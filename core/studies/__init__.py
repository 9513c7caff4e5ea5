"""Human baselines: who does which tasks under which conditions, sessions that survive anything, results."""

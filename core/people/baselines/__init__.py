"""Human baselines: what people's work on a study comes to, beside models."""

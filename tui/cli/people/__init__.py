"""Commands over what people do and say: labels, agreement, disputes, baselines."""

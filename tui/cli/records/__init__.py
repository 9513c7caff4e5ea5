"""Commands over recorded episodes."""

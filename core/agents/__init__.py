"""Agents that need no model, and the contract for those that do."""

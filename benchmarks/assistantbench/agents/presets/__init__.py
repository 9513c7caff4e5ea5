"""Presets of AssistantBench's agents."""

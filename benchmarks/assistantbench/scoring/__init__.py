"""How AssistantBench's answers are scored."""

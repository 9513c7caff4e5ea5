"""Commands that put judges beside people: asking them, their verdicts, how far they can be trusted."""

"""Language models behind OpenAI-compatible endpoints: asking them, and what is kept of every call."""

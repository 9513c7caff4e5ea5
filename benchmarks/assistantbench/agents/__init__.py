"""AssistantBench's agents: by what a model knows, by searching, and by browsing."""

"""One person's session with the engine: intents, agents' turns, forks."""

"""The domain: tasks, observations, actions, episodes, scores, records. Knows no UI and no benchmark by name."""

"""The domain: tasks, observations, actions, episodes, scores, records. It knows no UI, no benchmark."""

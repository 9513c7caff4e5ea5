"""Commands over this installation: doctor, config, agents, plugins, serve, demo."""

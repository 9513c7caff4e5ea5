"""A recorded episode on a screen."""

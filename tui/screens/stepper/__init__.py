"""A live task on a screen."""

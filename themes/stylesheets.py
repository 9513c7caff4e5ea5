"""The stylesheets of the screens: where things are, no colours."""

from pathlib import Path


def stylesheet(screen: str) -> Path:
    """The stylesheet of a screen by its name."""
    return Path(__file__).parent / f"{screen}.tcss"

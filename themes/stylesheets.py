"""The stylesheets of the screens: where things are, no colours."""

from pathlib import Path

STYLESHEETS = tuple(sorted(Path(__file__).parent.glob("*.tcss")))

"""Colours: the built-in themes, the stylesheets beside them, and themes of the user's own."""

from webbench.themes.built_in import COLOUR_BLIND_SAFE, DARK, HIGH_CONTRAST, LIGHT, THEMES
from webbench.themes.install import install_themes, theme_names
from webbench.themes.user import load_user_themes

__all__ = [
    "COLOUR_BLIND_SAFE",
    "DARK",
    "HIGH_CONTRAST",
    "LIGHT",
    "THEMES",
    "install_themes",
    "load_user_themes",
    "theme_names",
]

"""Making the themes known to an application."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

from webbench.core.settings.locations import themes_folder
from webbench.themes.built_in import THEMES
from webbench.themes.user import load_user_themes

SHORT_NAMES = {theme.name.removeprefix("workbench-"): theme.name for theme in THEMES}
DEFAULT = THEMES[0].name


def install_themes(app: App[Any], chosen: str = "", folder: Path | None = None) -> list[str]:
    """Register our themes and the user's own, and choose one by its name ("dark" is enough for ours).

    The user's own lie in `folder`, by default that of the configuration.
    Gives one sentence for everything that went wrong; the application then has the dark theme.
    """
    own, problems = load_user_themes(themes_folder() if folder is None else folder)
    for theme in (*THEMES, *own):
        app.register_theme(theme)
    name = SHORT_NAMES.get(chosen, chosen) or DEFAULT
    if name not in app.available_themes:
        known = ", ".join([*SHORT_NAMES, *(theme.name for theme in own)])
        problems.append(f'There is no theme "{chosen}"; there are {known}.')
        name = DEFAULT
    app.theme = name
    return problems


def known_themes() -> list[str]:
    """Every name that can be chosen: ours, long or short, the user's own, those that come with Textual."""
    from textual.theme import BUILTIN_THEMES

    own, _ = load_user_themes(themes_folder())
    names = [*SHORT_NAMES, *SHORT_NAMES.values(), *(theme.name for theme in own), *BUILTIN_THEMES]
    return list(dict.fromkeys(names))


def theme_names(app: App[Any]) -> list[str]:
    """Our themes, then those of the configuration folder; not the ones that come with Textual."""
    from textual.theme import BUILTIN_THEMES

    ours = [theme.name for theme in THEMES]
    others = sorted(name for name in app.available_themes if name not in ours and name not in BUILTIN_THEMES)
    return [*ours, *others]

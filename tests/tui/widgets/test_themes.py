from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, text
from webbench.themes import HIGH_CONTRAST, THEMES, install_themes, load_user_themes, theme_names
from webbench.tui.widgets.tree.accessibility_tree import PARTS, AccessibilityTree


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_every_part_of_the_tree_can_be_read(theme: Theme):
    least = 7.0 if theme is HIGH_CONTRAST else 4.5
    tree = AccessibilityTree()
    tree.observation = pages.shop()
    app = Host(tree, theme=theme.name)
    async with app.run_test(size=(100, 40)):
        for name in PARTS:
            style = tree.part(f"accessibility-tree--{name}")
            if name == "guide" or style.color is None:
                continue
            ground = Color.from_rich_color(style.bgcolor) if style.bgcolor else tree.background_colors[1]
            assert contrast(Color.from_rich_color(style.color), ground) >= least - 1.0, name


def contrast(one: Color, other: Color) -> float:
    """WCAG contrast ratio, 1 to 21."""

    def luminance(colour: Color) -> float:
        levels = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
        ]
        return 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


async def test_parts_follow_a_change_of_theme():
    tree = AccessibilityTree()
    tree.observation = pages.shop()
    app = Host(tree)
    async with app.run_test(size=(100, 40)) as pilot:
        before = tree.part("accessibility-tree--link").color
        app.theme = THEMES[1].name
        await pilot.pause()
        assert tree.part("accessibility-tree--link").color != before


async def test_themes_of_textual_itself_work_too():
    tree = AccessibilityTree()
    tree.observation = pages.shop()
    app = Host(tree)
    async with app.run_test(size=(100, 40)) as pilot:
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            assert "Add to basket" in text(app)


def test_own_themes_are_read_and_faults_are_named(tmp_path: Path):
    (tmp_path / "sea.toml").write_text('primary = "#336699"\ndark = true\n[variables]\nborder = "#ffffff"\n')
    (tmp_path / "a.toml").write_text("primary = [")
    (tmp_path / "b.toml").write_text('primary = "no colour"')
    (tmp_path / "c.toml").write_text('secondary = "#fff"')
    (tmp_path / "d.toml").write_text('primary = "#fff"\nprimery = "#fff"')
    (tmp_path / "e.toml").write_bytes(b"\xff\xfe")
    themes, problems = load_user_themes(tmp_path)
    assert [theme.name for theme in themes] == ["sea"]
    assert len(problems) == 5
    assert "primery" in problems[3]
    assert "#rrggbb" in problems[1]


async def test_a_theme_is_chosen_by_its_short_name_and_an_unknown_one_is_told(tmp_path: Path):
    (tmp_path / "sea.toml").write_text('primary = "#336699"')
    app: App[None] = App()
    async with app.run_test():
        assert install_themes(app, "high-contrast", tmp_path) == []
        assert app.theme == HIGH_CONTRAST.name
        assert theme_names(app)[-1] == "sea"
        assert "sea" in install_themes(app, "sae", tmp_path)[0]
        assert app.theme == THEMES[0].name

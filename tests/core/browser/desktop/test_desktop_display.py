"""A display to work on, or one clear line about why there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.displays import need_xvfb
from webbench.core.browser.acting.input_device import normal_chord
from webbench.core.browser.desktop.desktop import Desktop
from webbench.core.browser.desktop.display import Display, existing
from webbench.core.browser.desktop.hand import Hand
from webbench.core.browser.desktop.keys import key_names, note_of, pieces
from webbench.core.browser.desktop.windows import Windows
from webbench.core.browser.starting.browser_options import screen_for
from webbench.core.browser.starting.reaper import alive
from webbench.core.errors import EnvironmentDown


@pytest_asyncio.fixture
async def desktop(tmp_path: Path) -> AsyncIterator[Desktop]:
    need_xvfb()
    one = await Desktop.open("", tmp_path)
    yield one
    await one.close()


async def test_a_private_display_has_its_own_key_and_pointer_and_leaves_nothing(
    desktop: Desktop, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    pids: list[int] = []
    other = await Desktop.open("", tmp_path / "other", (800, 600), pids.append)
    assert other.display.name != desktop.display.name
    assert (other.hand.about.width, other.hand.about.height) == (800, 600)
    empty = tmp_path / "empty"
    empty.touch()
    stranger = Display(name=desktop.display.name, authority=empty, private=False)
    with pytest.raises(EnvironmentDown, match="let nobody in: no X authority for it in") as refused:
        await Hand.start(stranger)
    assert "XAUTHORITY" in refused.value.hint
    assert desktop.display.authority.stat().st_mode & 0o077 == 0
    await other.close()
    assert len(pids) == 2
    assert not any(map(alive, pids))


async def test_a_window_that_has_just_gone_has_none_in_it(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a list of options closes by the very key whose effect is waited for."""
    from Xlib.display import Display as Connection

    monkeypatch.setenv("XAUTHORITY", str(desktop.display.authority))
    windows, other = Windows(desktop.display.name), Connection(desktop.display.name)
    screen = other.screen()
    made = screen.root.create_window(0, 0, 20, 20, 0, screen.root_depth)
    made.map()
    other.sync()
    (seen,) = (one for one in windows._children(windows._root) if one.id == made.id)
    assert windows._children(seen) == []
    made.destroy()
    other.sync()
    assert windows._children(seen) == []
    other.close()


async def test_no_display_no_xvfb_and_a_missing_package_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvironmentDown, match=r"the display :4711 can't be used: .*4711") as bad:
        await Desktop.open(":4711", tmp_path)
    assert "\n" not in str(bad.value)
    (tmp_path / "Xlib").mkdir()
    (tmp_path / "Xlib" / "__init__.py").write_text("raise ModuleNotFoundError('none', name='Xlib')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(EnvironmentDown, match="need the Python package python3-xlib"):
        await Desktop.open(":4711", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentDown, match="Xvfb, the private display") as absent:
        await Desktop.open("", tmp_path)
    assert "apt install xvfb" in absent.value.hint


def test_without_an_authority_file_python_xlib_is_given_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XAUTHORITY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert existing(":0", tmp_path).authority.read_bytes() == b""
    (tmp_path / ".Xauthority").write_bytes(b"key")
    assert existing(":0", tmp_path).authority == tmp_path / ".Xauthority"


def test_a_display_has_room_for_the_browser_around_the_page() -> None:
    assert screen_for(1280, 720) == (1920, 1200)
    assert screen_for(2000, 1500) == (2120, 1780)


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("ctrl+shift+K", ["ctrl", "shift", "k"]),
        ("K", ["K"]),
        ("Control++", ["ctrl", "+"]),
        ("+", ["+"]),
        ("ArrowDown", ["down"]),
        ("meta+F5", ["win", "f5"]),
        ("PageUp", ["pageup"]),
    ],
)
def test_chords_are_said_as_pyautogui_has_them(chord: str, keys: list[str]) -> None:
    assert key_names(chord) == keys


def test_a_chord_that_ends_in_plus_keeps_it() -> None:
    assert [normal_chord(chord) for chord in ("Control++", "+", "ctrl+Shift+k", " ")] == [
        "Control++",
        "+",
        "Control+Shift+k",
        " ",
    ]


def test_a_text_is_cut_into_what_has_keys_and_what_has_not() -> None:
    cut = list(pieces("ab\r\nßc日", "abc\n"))
    assert cut == [("ab\n", True), ("ß", False), ("c", True), ("日", False)]
    assert list(pieces("", "abc")) == []
    assert note_of("") == ""
    many = "".join(map(chr, range(0x4E00, 0x4E20)))
    assert note_of(many * 2).endswith("and 12 more")

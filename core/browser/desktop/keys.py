"""Names of keys as PyAutoGUI has them, and texts cut into what can be typed and what must be inserted."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.browser.acting.input_device import chord_keys
from webbench.core.text.plural import counted

NAMES = {
    "Control": "ctrl",
    "Meta": "win",
    "Alt": "alt",
    "Shift": "shift",
    "Escape": "esc",
    "Enter": "enter",
    "Delete": "delete",
    "Backspace": "backspace",
    "Tab": "tab",
    "Space": "space",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "PageUp": "pageup",
    "PageDown": "pagedown",
    "Home": "home",
    "End": "end",
    "Insert": "insert",
    "ContextMenu": "apps",
}
SHOWN = 20
"""Inserted characters that a note lists; the others are counted."""


def key_names(chord: str) -> list[str]:
    """PyAutoGUI's names of a chord's keys, in the order of pressing.

    A letter beside other keys is that key, whatever its case: Shift is named where it is meant.
    """
    keys = [NAMES.get(key, key) for key in chord_keys(chord)]
    return [key.lower() if len(key) > 1 or len(keys) > 1 else key for key in keys]


def pieces(text: str, characters: str) -> Iterator[tuple[str, bool]]:
    """The text in its order, as runs of what has keys (True) and of what must be inserted (False)."""
    known = frozenset(characters)
    start = 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for end in range(1, len(text) + 1):
        typed = text[start] in known
        if end == len(text) or (text[end] in known) != typed:
            yield text[start:end], typed
            start = end


def note_of(inserted: str, pasted: int = 0) -> str:
    """What a step says of text that did not go in by keys; "" for none.

    Args:
        inserted: characters that no key types.
        pasted: characters of texts too long to be typed.
    """
    notes = []
    if inserted:
        different = list(dict.fromkeys(inserted))
        shown = "".join(different[:SHOWN])
        more = f" and {len(different) - SHOWN} more" if len(different) > SHOWN else ""
        notes.append(f"no key types {shown!r}{more}")
    if pasted:
        notes.append(f"{counted(pasted, 'character')} of a long text")
    return f"inserted as text, not typed: {'; '.join(notes)}" if notes else ""

"""What a person sees: a terminal's screen, put together from the bytes that a program writes.

Searching the bytes themselves finds a word only when it was painted in one piece, and finds what has
long been painted over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyte
from wcwidth import wcwidth

_FOREIGN = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]")
"""Sequences that the emulator would take for text, such as the keyboard protocol of kitty."""

_OTHER_SCREEN = re.compile(rb"\x1b\[\?1049[hl]")
"""To the alternate screen or back from it. Either is empty then: the emulator keeps only one screen."""

_UNFINISHED = re.compile(rb"\x1b(\[[<=>?]?[0-9;]*)?\Z")


class Emulator:
    """Feed it output as it comes; `lines` and `text` are the screen."""

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take output in; a sequence that is cut at the end waits for its rest."""
        data = self._rest + data
        cut = _UNFINISHED.search(data)
        self._rest = cut.group() if cut else b""
        first, *others = _OTHER_SCREEN.split(_FOREIGN.sub(b"", data[: len(data) - len(self._rest)]))
        self._stream.feed(first)
        for part in others:
            self._screen.reset()
            self._stream.feed(part)

    @property
    def lines(self) -> list[str]:
        """The screen, line by line, as wide as the terminal.

        A wide character has an empty cell behind it. Where only the first half was written over, a terminal
        shows that cell blank; pyte's own `display` fails there.
        """
        return ["".join(_shown([cell.data for cell in row])) for row in self.cells]

    @property
    def cells(self) -> list[list[pyte.screens.Char]]:
        """The screen, cell by cell, with colours."""
        screen = self._screen
        columns = range(screen.columns)
        return [[screen.buffer[row][column] for column in columns] for row in range(screen.lines)]

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)


def _shown(texts: Sequence[str]) -> Iterator[str]:
    wide = False
    for text in texts:
        if not wide:
            yield text or " "
        wide = not wide and bool(text) and wcwidth(text[0]) == 2

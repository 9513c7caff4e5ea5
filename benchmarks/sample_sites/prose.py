"""The little markup that people's texts are written in, as runs that templates escape."""

from __future__ import annotations

import re

_LINK = re.compile(r"https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?]")


def paragraphs(text: str) -> list[list[tuple[str, str]]]:
    """Paragraphs as runs of (text, address); address is "" for plain text."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
    return [runs(block) for block in blocks if block.strip()]


def runs(block: str) -> list[tuple[str, str]]:
    """Texts and addresses of one paragraph."""
    found_runs: list[tuple[str, str]] = []
    end = 0
    for found in _LINK.finditer(block):
        found_runs += [(block[end : found.start()], ""), (found[0], found[0])]
        end = found.end()
    return [run for run in (*found_runs, (block[end:], "")) if run[0]]

"""The part of Markdown that READMEs and comments here are written in, as data that templates escape."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Span = tuple[Literal["text", "code", "strong", "emphasis", "link"], str, str]
"""Kind, text, address (of a link, else "")."""

_SPAN = re.compile(
    r"`(?P<code>[^`\n]+)`|\*\*(?P<strong>[^*\n]+)\*\*|\*(?P<emphasis>[^*\n]+)\*"
    r"|\[(?P<label>[^\]\n]+)\]\((?P<target>[^()\s]+)\)|(?P<link>https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?])"
)
_HEADING = re.compile(r"(#{1,4})\s+(.*)")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+(.*)")


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a list of items, or code in `lines[0]`; `level` is a heading's."""

    kind: Literal["heading", "paragraph", "list", "code"]
    lines: tuple[str, ...]
    level: int = 0


def blocks_of(text: str) -> list[Block]:
    """The blocks of a text, in order; anything not understood is a paragraph."""
    blocks: list[Block] = []
    lines = text.replace("\r\n", "\n").split("\n")
    while lines:
        line = lines.pop(0)
        if line.startswith("```"):
            blocks.append(Block("code", ("\n".join(_until_fence(lines)),)))
        elif heading := _HEADING.match(line):
            blocks.append(Block("heading", (heading[2],), len(heading[1])))
        elif item := _ITEM.match(line):
            blocks.append(Block("list", (item[1], *_further_items(lines))))
        elif line.strip():
            blocks.append(Block("paragraph", ("\n".join([line, *_further_lines(lines)]),)))
    return blocks


def _until_fence(lines: list[str]) -> list[str]:
    taken = []
    while lines and not lines[0].startswith("```"):
        taken.append(lines.pop(0))
    del lines[:1]
    return taken


def _further_items(lines: list[str]) -> list[str]:
    items = []
    while lines and (item := _ITEM.match(lines[0])):
        items.append(item[1])
        lines.pop(0)
    return items


def _further_lines(lines: list[str]) -> list[str]:
    taken = []
    while lines and lines[0].strip() and not lines[0].startswith("```") and not _HEADING.match(lines[0]):
        taken.append(lines.pop(0))
    return taken


def spans_of(text: str) -> list[Span]:
    """Runs of plain text, code, emphasis and links."""
    spans: list[Span] = []
    end = 0
    for found in _SPAN.finditer(text):
        spans.append(("text", text[end : found.start()], ""))
        spans.append(_span(found))
        end = found.end()
    spans.append(("text", text[end:], ""))
    return [span for span in spans if span[1]]


def _span(found: re.Match[str]) -> Span:
    if found["code"]:
        return ("code", found["code"], "")
    if found["strong"]:
        return ("strong", found["strong"], "")
    if found["emphasis"]:
        return ("emphasis", found["emphasis"], "")
    if found["link"]:
        return ("link", found["link"], found["link"])
    target = found["target"]
    script = ":" in target and not target.startswith(("http://", "https://"))
    return ("text", found["label"], "") if script else ("link", found["label"], target)

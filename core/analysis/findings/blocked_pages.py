"""Blocked pages and pages that failed; what they look like is data (`signs.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from webbench.core.analysis.findings.suggestion import Kind, Subject, Suggestion, suggested
from webbench.core.analysis.recorded.excerpts import around
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Step

LITTLE_TEXT = 1_500
"""Characters below which a page has little else on it."""

BROKEN = ("crashed", "offline", "timeout", "unreadable")
_STATUS = re.compile(r"\b([45]\d\d)\b")


class Signs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By which a page of this kind is known; phrases in lower case."""

    statuses: tuple[int, ...]
    titles: tuple[str, ...]
    texts: tuple[str, ...]


@cache
def signs() -> dict[str, Signs]:
    """Of the data file, by kind."""
    data = Path(__file__).with_name("signs.toml").read_bytes()
    return msgspec.convert(tomllib.loads(data.decode()), dict[str, Signs])


def blocked_pages(subject: Subject) -> Iterator[Suggestion]:
    """CAPTCHA, access denied, refusal by status code."""
    yield from _pages(subject, "blocked-page", "the page may keep visitors out")


def page_errors(subject: Subject) -> Iterator[Suggestion]:
    """Error pages, crashes, pages that could not be loaded or read."""
    for step in subject.steps:
        if step.condition in BROKEN:
            yield suggested("page-error", step.index, f"the page is {step.condition}", quote=step.url)
        elif any(message.kind == "crash" for message in step.messages):
            yield suggested("page-error", step.index, "the page crashed", quote=step.url)
    yield from _pages(subject, "page-error", "it looks like an error page")


def _pages(subject: Subject, kind: Kind, what: str) -> Iterator[Suggestion]:
    """Each stretch of steps on such pages once, at its first step."""
    before = ""
    for step in subject.steps:
        if step.condition in BROKEN:
            continue
        by, quote = _sign(subject, step, signs()[kind])
        if by and by != before:
            yield suggested(kind, step.index, f"{what}: {by}", quote=plain_clip(quote, 200))
        before = by


def _sign(subject: Subject, step: Step, signs: Signs) -> tuple[str, str]:
    """By what the page is known as one of the kind, and the text; "" where it isn't one."""
    seen = subject.seen(step)
    title = (step.title or (seen.title if seen is not None else "")).casefold()
    for phrase in signs.titles:
        if phrase in title:
            return f'its title says "{phrase}"', step.title or title
    for message in step.messages:
        code = _STATUS.search(message.text) if message.kind == "network" and message.url == step.url else None
        if code is not None and int(code[1]) in signs.statuses:
            return f"status {code[1]}", message.text
    text = subject.page_text(step)
    if len(text) > LITTLE_TEXT:
        return "", ""
    lowered = text.casefold()
    for phrase in signs.texts:
        if phrase in lowered:
            return f'it says "{phrase}"', around(text, lowered.index(phrase), len(phrase))
    return "", ""

"""What stands in an episode's page, counted from its markup: the account of an export as HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webbench.core.exchange.account.kinds import kind_of_figure
from webbench.core.text.durations import start_words

_TEXTS = {
    "Note": "notes",
    "Reasoning": "reasoning.steps",
    "Model input": "prompts.steps",
    "Model output": "replies.steps",
}
_CALLS = {"Model's prompt": "prompts.calls", "Model's reply": "replies.calls"}
_TREES = ("Accessibility tree before", "Accessibility tree at the end")
_MESSAGES = " of console, network and page"
UNKNOWN = start_words("")


def counted_pages(path: Path) -> Counter[str]:
    """Parts (`account/episode_parts.py`) of the pages at `path`, a file or a folder of such files."""
    from lxml import html

    found: Counter[str] = Counter()
    for file in [path] if path.is_file() else sorted(path.rglob("*.html")):
        found.update(_parts(html.fromstring(file.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))))
    return +found


def _parts(page: Any) -> Iterator[str]:
    yield "episodes"
    facts = _facts(page)
    yield from ["times.started"] * (facts.get("started", UNKNOWN) != UNKNOWN)
    yield from ["times.ended"] * ("ended at" in facts)
    yield from ["scores.episode"] * _is_value(page.find(".//header"))
    yield from ["labels.disputes"] * len(_rows_under(page, "Disputed score"))
    yield from ["labels.codes"] * len(_rows_under(page, "Labels"))
    for section in page.iterfind(".//section[@class='step']"):
        yield from _of_step(section)


def _of_step(section: Any) -> Iterator[str]:
    index = section.findtext("h2/span[@class='index']")
    who = section.find("h2/span[@class='badge']")
    if index != "0":
        yield "steps"
        if who is not None:
            yield "actions"
    facts = _facts(section)
    yield from ["times.at"] * ("recorded" in facts)
    yield from ["times.spans"] * len([one for one in facts.get("time", "").split(" · ") if one])
    for named in facts.get("tokens and cost", "").split(", "):
        if (kind := kind_of_figure(named.rpartition(" ")[0])) != "values":
            yield kind
    for figure in section.iterfind(".//figcaption"):
        if (figure.text or "") in ("after", "the start"):
            yield "pictures"
    for details in section.iterfind("details"):
        yield from _of_details(details)


def _of_details(details: Any) -> Iterator[str]:
    summary = details.findtext("summary") or ""
    if summary in _TEXTS:
        yield _TEXTS[summary]
    for begins, part in _CALLS.items():
        if summary.startswith(begins):
            yield part
    if summary.startswith(_TREES):
        yield "trees"
    if summary.endswith(_MESSAGES):
        yield from ["messages"] * len(details.findall(".//tbody/tr"))
    if summary.startswith("Score after this step") and _is_value(details.find("summary")):
        yield "scores.steps"


def _facts(within: Any) -> dict[str, str]:
    return {
        row.findtext("dt") or "": row.findtext("dd") or ""
        for row in within.iterfind(".//dl[@class='facts']/div")
    }


def _is_value(within: Any) -> bool:
    """Whether the first badge in it is a figure, and no word for a missing one."""
    for badge in within.iterfind(".//span") if within is not None else ():
        if "badge" in (badge.get("class") or "").split():
            return any(character.isdigit() for character in badge.text or "")
    return False


def _rows_under(page: Any, heading: str) -> list[Any]:
    for section in page.iterfind(".//section"):
        if (section.findtext("h2") or "").strip() == heading:
            return list(section.findall(".//tbody/tr"))
    return []

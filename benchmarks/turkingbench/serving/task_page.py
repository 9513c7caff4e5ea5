"""From a crowd-work template and one row of inputs to a complete HTML document.

Templates are whole documents or fragments; what Mechanical Turk put around a fragment (a document, a
form called `mturk_form`, a submit button called `submitButton`) is put around it here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

import msgspec

_PLACEHOLDER = re.compile(r"\$\{([^{}\n]*)\}")
_SCRIPT_EXPRESSION = re.compile(r"[\"'`+]")
_COMMENT_OR_SCRIPT = re.compile(r"<!--.*?-->|<script\b.*?</script\s*>", re.IGNORECASE | re.DOTALL)
_SUBMIT_CONTROL = re.compile(
    r"<(?:input|button)\b[^>]*\btype\s*=\s*[\"']?(?:submit|image)\b|<crowd-button\b[^>]*form-action",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(r"<(?:html|body)\b", re.IGNORECASE)
_HEAD_START = re.compile(r"<head\b[^>]*>", re.IGNORECASE)
_HTML_START = re.compile(r"<html\b[^>]*>", re.IGNORECASE)
_BODY_START = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_BODY_END = re.compile(r"</body\s*>", re.IGNORECASE)
_INTEGRITY = re.compile(
    r"(<(?:script|link)\b[^>]*?)\s+integrity\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE
)
_FORM_END = re.compile(r"</form\s*>", re.IGNORECASE)

FORM_START = '<form name="mturk_form" id="mturk_form" method="post" action="submit">'
SUBMIT_BUTTON = '<p><input type="submit" id="submitButton" value="Submit"></p>'


class Filled(msgspec.Struct, frozen=True):
    """A template with its values in place; `missing` names the columns it asked for in vain."""

    html: str
    missing: tuple[str, ...] = ()


def fill(template: str, row: Mapping[str, str]) -> Filled:
    """Put the row's values into `${column}`, raw, as the templates expect.

    A placeholder that is a script expression (`${SENTENCES" + id + "}`) is left for the script that
    builds it; one without a column is left too, and reported. Filled values are not filled again.
    """
    missing: dict[str, None] = {}

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in row:
            return row[name]
        if not _SCRIPT_EXPRESSION.search(name):
            missing[name] = None
        return match[0]

    return Filled(_PLACEHOLDER.sub(value, template), tuple(missing))


def document(body: str, *, title: str = "", script: str = "") -> str:
    """Make a filled template a page that can be shown and submitted.

    Digests that pin a library to one file are taken off, for another version may have to stand in.

    Args:
        body: the filled template, a document or a fragment.
        title: shown in the tab where the template has no title of its own.
        script: address of the script that goes before everything else.
    """
    body = unpinned(body)
    visible = _COMMENT_OR_SCRIPT.sub("", body)
    has_form = re.search(r"<form\b", visible, re.IGNORECASE) is not None
    has_submit = _SUBMIT_CONTROL.search(visible) is not None
    button = "" if has_submit else SUBMIT_BUTTON
    if not has_form:
        body = _around_body(body, FORM_START, f"{button}</form>")
    elif button:
        body = _before_last(_FORM_END, body, button)
    head = f'<script src="{html.escape(script)}"></script>' if script else ""
    if _DOCUMENT.search(visible):
        return _into_head(body, head)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>{head}</head><body>\n{body}\n</body></html>"
    )


def unpinned(body: str) -> str:
    """Without the digests that pin a library to one file, for another version may have to stand in."""
    return _INTEGRITY.sub(r"\1", body)


def _around_body(body: str, before: str, after: str) -> str:
    start = _BODY_START.search(body)
    if start is None:
        return f"{before}\n{body}\n{after}"
    opened = f"{body[: start.end()]}\n{before}\n{body[start.end() :]}"
    return _before_last(_BODY_END, opened, after)


def _before_last(tag: re.Pattern[str], body: str, insertion: str) -> str:
    ends = [match.start() for match in tag.finditer(body)]
    position = ends[-1] if ends else len(body)
    return f"{body[:position]}{insertion}{body[position:]}"


def _into_head(body: str, head: str) -> str:
    for tag in (_HEAD_START, _HTML_START, _BODY_START):
        if found := tag.search(body):
            return f"{body[: found.end()]}{head}{body[found.end() :]}"
    return head + body

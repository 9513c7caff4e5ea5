"""A reader of the LaTeX that is written here, stricter than LaTeX: it knows few commands and no formula."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"%[^\n]*(?:\n|$)|\\[A-Za-z]+\*?|\\.|[{}&#$^_~]|[^\\{}&#$^_~%]+", re.DOTALL)
_ARGUMENT = re.compile(r"(?:\[[^]]*\])?\{([^{}]*)\}")
_NAMING = {"begin", "end", "input", "includegraphics", "label", "documentclass", "usepackage"}
_KNOWN = {
    *_NAMING,
    *(
        "section*",
        "centering",
        "caption",
        "clearpage",
        "ldots",
        "ensuremath",
        "iftex",
        "ifPDFTeX",
        "else",
        "fi",
    ),
    *("toprule", "midrule", "bottomrule", "endhead", "endfoot", *r"\{}$&#_%"),
    *(
        f"text{name}"
        for name in ("backslash", "asciitilde", "asciicircum", "less", "greater", "bar", "quotedbl")
    ),
}


def faults(text: str) -> Iterator[str]:
    """What LaTeX would stumble over: braces, environments, cells of a row, signs and commands."""
    open_groups: list[str] = []
    columns = cells = at = 0
    captioned = False
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None, text[at : at + 40]
        token, before, at = found[0], text[max(0, at - 1) : at], found.end()
        name = token[1:]
        if token.startswith("%"):
            if before and not before.endswith("\n"):
                yield f"a comment within a line: {token}"
        elif token == "{":
            open_groups.append(token)
        elif token == "}":
            if not open_groups or open_groups.pop() != "{":
                yield f"a brace too many: {text[at - 40 : at]}"
        elif token == "&":
            cells += 1
        elif token in "#$^_~":
            yield f"a bare {token}: {text[at - 40 : at]}"
        elif token.startswith("\\") and name not in _KNOWN:
            yield f"an unknown command {token}: {text[at - 40 : at]}"
        elif token.startswith("\\") and name in _NAMING:
            argument = _ARGUMENT.match(text, at)
            assert argument is not None, text[at : at + 40]
            at = argument.end()
            if name == "begin":
                open_groups.append(argument[1])
                if argument[1] in ("tabular", "longtable"):
                    kinds = _ARGUMENT.match(text, at)
                    assert kinds is not None
                    columns, cells, at = len(kinds[1]), 0, kinds.end()
            elif name == "end" and (not open_groups or open_groups.pop() != argument[1]):
                yield f"{argument[1]} ends where it isn't open"
        elif token in ("\\\\", "\\toprule", "\\midrule"):
            if text[at:].lstrip()[:1] in ("[", "*"):
                yield f"a row begins like an option: {text[at : at + 40]}"
            if token == "\\\\" and not captioned and cells != columns - 1:
                yield f"a row of {cells + 1} cells for {columns} columns: {text[at - 80 : at]}"
            cells = 0 if token == "\\\\" else cells
            captioned = False
        captioned |= token == "\\caption"
    if open_groups:
        yield f"left open: {open_groups}"

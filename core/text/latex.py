"""LaTeX: foreign words that are no command, rows whose begin is no option, and signs that pdfLaTeX lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from webbench.core.text.plain_text import DEFAULT_LIMIT, plain_text

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "—": "---",
    "−": r"\ensuremath{-}",
    "…": r"\ldots{}",
    "\ufffd": "?",
    "␤": " ",
}
_ESCAPED = str.maketrans({**_ESCAPES, **{chr(code): "?" for code in range(0x2400, 0x2422)}})
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=[`?!])(?=`)|(?<=')(?=')|(?<=,)(?=,)")
"""Between signs that LaTeX would print as another one: "--model" as a dash."""
_OPTIONS = ("[", "*")
"""What the end of a row, and a rule, take for an option of theirs where the next row begins so."""


def latex(text: str, limit: int = DEFAULT_LIMIT) -> str:
    """Foreign or own text for LaTeX: nothing in it is a command, a formula, a ligature or a control sign."""
    parts = _LIGATURES.split(plain_text(text, limit=limit))
    return "{}".join(part.translate(_ESCAPED) for part in parts)


def latex_row(cells: Iterable[str]) -> str:
    """One row of a table, of cells that are LaTeX already."""
    row = " & ".join(cells) + r" \\"
    return "{}" + row if row.startswith(_OPTIONS) else row


def declared_signs(text: str) -> Iterator[str]:
    """For a preamble: each sign of a text that pdfLaTeX may not know becomes its number where it doesn't."""
    for sign in sorted({one for one in text if not one.isascii()}):
        number = f"{ord(sign):04X}"
        known = rf"\ifcsname u8:\detokenize{{{sign}}}\endcsname"
        yield rf"{known}\else\DeclareUnicodeCharacter{{{number}}}{{[U+{number}]}}\fi"

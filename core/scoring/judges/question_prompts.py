"""Prompts for a judge's questions: a text file per kind of question, which a user can replace.

A kind "webarena/fuzzy_match" is the file `prompts/fuzzy_match.txt` in the benchmark's package, or
`prompts/webarena/fuzzy_match.txt` in the configuration folder, which wins. Kinds that no benchmark owns, as
"rubric/episode", lie beside this module. The file is a template with `$name` for every field of the
question, `$verdicts` for the words to choose from, `$$` for a dollar sign.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from string import Template

from webbench.core.errors import BadData
from webbench.core.judge import Question
from webbench.core.settings.locations import prompts_folder

VERDICTS = "verdicts"
"""The placeholder that every prompt may use beside the question's own fields."""

LARGEST_PROMPT = 200_000
"""Characters that a prompt may have once it is filled in."""

VERSION_LENGTH = 8
"""Signs of a prompt's version."""

_KIND = re.compile(r"([a-z][a-z0-9_]*)/([a-z][a-z0-9_]*)")


def prompt_text(question: Question) -> str:
    """The prompt with the question's fields filled in.

    Raises `BadData` where there is no prompt of this kind, where the prompt lacks a placeholder or has
    one that the question doesn't know, and where it gets too long.
    """
    where, text = _template(question.kind)
    template = Template(text)
    if not template.is_valid():
        raise BadData(f"{where} has a $ that begins no placeholder", "write $$ for a dollar sign")
    named = set(template.get_identifiers())
    lacking = [name for name in question.fields if name not in named]
    if lacking:
        raise BadData(f"{where} lacks the placeholder ${lacking[0]}", "without it the judge sees too little")
    unknown = sorted(named - set(question.fields) - {VERDICTS})
    if unknown:
        known = ", ".join(f"${name}" for name in (*question.fields, VERDICTS))
        raise BadData(
            f"{where} has the placeholder ${unknown[0]}, which nothing stands for", f"there are {known}"
        )
    filled = template.substitute({VERDICTS: ", ".join(question.verdicts), **question.fields})
    if len(filled) > LARGEST_PROMPT:
        raise BadData(
            f"the prompt {question.kind} has {len(filled):,} characters; at most {LARGEST_PROMPT:,}"
        )
    return filled


def prompt_version(kind: str) -> str:
    """The version of a prompt: the beginning of the SHA-256 of its template. Raises `BadData`."""
    return hashlib.sha256(_template(kind)[1].encode()).hexdigest()[:VERSION_LENGTH]


def _template(kind: str) -> tuple[str, str]:
    """Where the prompt stands, for messages, and its text."""
    parts = _KIND.fullmatch(kind)
    if parts is None:
        raise BadData(f'"{kind}" is no kind of question', 'kinds are "benchmark/what"')
    own = prompts_folder() / parts[1] / f"{parts[2]}.txt"
    try:
        if own.is_file():
            return str(own), own.read_text("utf-8-sig")
        packaged = files("webbench.core.scoring.judges") / "prompts" / parts[1] / f"{parts[2]}.txt"
        if not packaged.is_file():
            packaged = files("webbench.benchmarks") / parts[1] / "prompts" / f"{parts[2]}.txt"
        return f"the prompt {kind}", packaged.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f'there is no readable prompt for "{kind}": {error}', f"write one as {own}") from error

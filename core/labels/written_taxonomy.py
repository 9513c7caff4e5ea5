"""Taxonomies written as the TOML files that they are read from."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.errors import EnvironmentDown
from webbench.core.labels.taxonomy import Change, Code, Taxonomy, read_taxonomy


def taxonomy_toml(taxonomy: Taxonomy) -> str:
    """The file of a taxonomy; reading it gives the same taxonomy."""
    return "\n".join(_lines(taxonomy)) + "\n"


def write_taxonomy(taxonomy: Taxonomy, folder: Path) -> Path:
    """Write the file `<name>.toml` whole or not at all, in place of an earlier one.

    Raises `BadData` for a taxonomy that couldn't be read again, `EnvironmentDown` where it can't be written.
    """
    data = taxonomy_toml(taxonomy).encode()
    path = folder / f"{taxonomy.name}.toml"
    read_taxonomy(data, str(path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False) as file:
            file.write(data)
        os.replace(file.name, path)  # noqa: PTH105  (atomic within the folder)
    except OSError as error:
        raise EnvironmentDown(
            f"{path} can't be written: {error.strerror or error}", "check the folder"
        ) from error
    return path


def _lines(taxonomy: Taxonomy) -> Iterator[str]:
    yield f"schema_version = {taxonomy.schema_version}"
    yield f"name = {_text(taxonomy.name)}"
    yield f"version = {taxonomy.version}"
    yield from _fields(taxonomy, ("title", "source", "about"))
    if taxonomy.change is not None:
        yield from _change(taxonomy.change)
    for question in taxonomy.questions:
        yield "\n[[questions]]"
        yield from _fields(question, ("name", "text"))
        yield f"places = {_list(question.places)}"
        if question.ordered:
            yield "ordered = true"
        if question.several:
            yield "several = true"
        for code in question.codes:
            yield from _code(code)


def _code(code: Code) -> Iterator[str]:
    yield "\n[[questions.codes]]"
    yield from _fields(code, ("name", "title", "definition", "use_when", "not_when", "group", "unmapped"))
    if code.off_scale:
        yield "off_scale = true"
    if code.split_into:
        yield f"split_into = {_list(code.split_into)}"
    if code.means:
        yield f"means = {_list(code.means)}"
    for example in code.examples:
        yield "\n[[questions.codes.examples]]"
        yield from _fields(example, ("episode", "quote"))
        if example.step is not None:
            yield f"step = {example.step}"


def _change(change: Change) -> Iterator[str]:
    yield "\n[change]"
    yield from _fields(change, ("what", "by", "at", "why"))
    yield f"codes = {_list(change.codes)}"
    yield f"into = {_list(change.into)}"
    if change.undoes is not None:
        yield f"undoes = {change.undoes}"


def _fields(of: object, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if text := getattr(of, name):
            yield f"{name} = {_text(text)}"


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but DEL has to be written as one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

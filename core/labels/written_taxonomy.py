"""Taxonomies written as the TOML files that they are read from."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json
from webbench.core.labels.taxonomy import Taxonomy, read_taxonomy
from webbench.core.text.written_toml import toml_value


def taxonomy_toml(taxonomy: Taxonomy) -> str:
    """The file of a taxonomy; reading it gives the same taxonomy."""
    return "\n".join(_table(msgspec.to_builtins(taxonomy), "")) + "\n"


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


def _table(fields: Mapping[str, Json], path: str) -> Iterator[str]:
    """A table's own fields, then the tables below it; what is empty is left to its default."""
    below: list[tuple[str, str, Mapping[str, Json]]] = []
    for name, value in fields.items():
        inner = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            below.append((f"[{inner}]", inner, value))
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            below += [(f"[[{inner}]]", inner, one) for one in value]
        elif value not in (None, "", [], (), False):
            yield f"{name} = {toml_value(value)}"
    for heading, inner, value in below:
        yield f"\n{heading}"
        yield from _table(value, inner)

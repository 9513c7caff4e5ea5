"""The reference of the public door, `import webbench`, made from its docstrings."""

from __future__ import annotations

import inspect
import re

import msgspec

import webbench
from webbench.core.api.store_tables import PANDAS_TYPES
from webbench.core.exchange.own.table_exporter import columns

TABLES: dict[str, type[msgspec.Struct]] = {
    "Episodes": webbench.EpisodeRow,
    "Steps": webbench.StepRow,
    "Checks": webbench.CheckRow,
    "Labels": webbench.LabelRow,
}
"""What becomes a pandas table, by its heading: the type of a row."""
_ENTRY = re.compile(r"^ {4}(?P<names>\w+(?:, \w+)*): (?P<text>.*(?:\n {5,}.*)*)", re.MULTILINE)


def page() -> str:
    """What can be called, the tables, then the types, by name."""
    names = sorted(webbench.__all__, key=str.casefold)
    rows = {kind.__name__ for kind in TABLES.values()}
    types = [name for name in names if inspect.isclass(getattr(webbench, name)) and name not in rows]
    called = [name for name in names if name not in {*types, *rows} and callable(getattr(webbench, name))]
    return "\n".join(
        [
            "# Reference of Python",
            "",
            "`import webbench as wb`: every public name, from its docstring. [Python](../python.md) walks",
            "through it with examples that run; what a plug-in offers and gets: [contracts](contracts.md).",
            "`wb.actions` has the types of `wb.Action`: they are [there](contracts.md#actions), too.",
            "",
            "## What can be called",
            "",
            *(_told("function", name) for name in called),
            "",
            "## Columns of tables",
            "",
            "The columns that `to_pandas()` gives, in order; exporters `csv` and `parquet` write them, too.",
            "",
            *(_table(title, kind) for title, kind in TABLES.items()),
            "## Types",
            "",
            *(_told("class", name, ":members:") for name in types),
            _told("data", "Action"),
        ]
    )


def described(kind: type) -> dict[str, str]:
    """Of each attribute that a type's docstring describes, what it says: unit and meaning."""
    _, _, section = (inspect.getdoc(kind) or "").partition("\nAttributes:\n")
    section = section.partition("\n\n")[0]
    return {
        name: " ".join(entry["text"].split())
        for entry in _ENTRY.finditer(section)
        for name in entry["names"].split(", ")
    }


def _table(title: str, kind: type[msgspec.Struct]) -> str:
    told = described(kind)
    lines = [
        f"| `{name}` | {PANDAS_TYPES[of]} | {told[name].replace('|', '&#124;')} |"
        for name, of in columns(kind).items()
    ]
    first = (inspect.getdoc(kind) or "").partition("\n")[0]
    head = ["| column | pandas type | what it is |", "|---|---|---|"]
    return "\n".join([f"### {title}", "", f"`wb.{kind.__name__}`. {first}", "", *head, *lines, ""])


def _told(kind: str, name: str, *options: str) -> str:
    lines = [f".. auto{kind}:: webbench.{name}", *(f"   {option}" for option in options)]
    return "\n".join(["```{eval-rst}", *lines, "```", ""])

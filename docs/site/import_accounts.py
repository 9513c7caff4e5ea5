"""The page of import accounts: what each folder of recorded episodes has, and what the records have.

    python docs/site/import_accounts.py FOLDER [FOLDER] > docs/import-accounts.md

Each folder right below those named is read as by `import --dry-run`; figures and reasons only, no data.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.exchange.account.balance import added_up
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import Imported, bring_in

MOST_REASONS, LONGEST_REASON = 3, 160
HEAD = """# Import accounts

Made by `python docs/site/import_accounts.py FOLDER …` from published trajectories: for each folder and
format, kind by kind, how much the source has (counted from the source), how much the records have, and why
the two differ. *left*: not in the record; *again*: told in the source more than once; *made*: added by the
import; *unexplained*: nobody knows.

| folder | format | kind | source | recorded | reasons |
|---|---|---|---:|---:|---|
"""


def rows(folder: Path) -> Iterator[str]:
    """The lines of one folder."""
    places: dict[str, list[Imported]] = {}
    refused: list[str] = []
    for told in bring_in(folder, known_formats(), None):
        if told.state == "refused":
            refused.append(told.why)
        if told.account:
            places.setdefault(told.format, []).append(told)
    if not places:
        why = f"{len(refused):,} left: {_cell(refused[0], folder)}" if refused else "nothing is in it"
        yield f"| {folder.name} | none | files | {len(refused):,} | 0 | {why} |"
    for name, found in sorted(places.items()):
        for row in added_up([one.account for one in found]):
            reasons = [
                f"{one.count:,} {one.sort}: {_cell(one.why, folder)}" for one in row.reasons[:MOST_REASONS]
            ]
            more = len(row.reasons) - MOST_REASONS
            told_of = "; ".join([*reasons, *([f"{more} more reasons"] if more > 0 else [])])
            yield f"| {folder.name} | {name} | {row.kind} | {row.source:,} | {row.recorded:,} | {told_of} |"


def page(roots: Sequence[Path]) -> str:
    """The whole page."""
    folders = [folder for root in roots for folder in sorted(root.iterdir()) if folder.is_dir()]
    return HEAD + "".join(f"{line}\n" for folder in folders for line in rows(folder))


def _cell(text: str, folder: Path) -> str:
    """On one line; where the folder lies on this machine is left out."""
    inside = text.replace(f"{folder}/", "")
    plain = " ".join(inside.replace("|", "/").replace("<", "‹").replace("`", "'").split())
    return plain if len(plain) <= LONGEST_REASON else f"{plain[: LONGEST_REASON - 1]}…"


if __name__ == "__main__":
    sys.stdout.write(page([Path(name) for name in sys.argv[1:]]))

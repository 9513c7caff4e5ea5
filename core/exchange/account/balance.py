"""The balance of an account: a row a kind, with the source's count, the record's, and why they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

import msgspec

from webbench.core.exchange.account.kinds import KINDS, Kind
from webbench.core.exchange.account.tally import Reason, Sort, Tally

UNCOUNTED = "unexplained: the format does not count what its source holds"
CONCEALED = "concealed as secrets, as anything that may sign somebody in"
BROKEN_OFF = "it can't be read to its end"
MOST_NAMED = 6
"""Paths of missing values that are named."""


class Row(msgspec.Struct, kw_only=True):
    """One kind.

    Attributes:
        source: how much the source has; `recorded`: how much the record has.
        reasons: of the difference; `made` ones add to the record, the others are missing from it.
    """

    kind: Kind
    source: int
    recorded: int
    reasons: list[Reason] = []


def balance(tally: Tally, recorded: Mapping[Kind, int], broken: str = "") -> list[Row]:
    """Rows of the kinds that either side has, in the order of `KINDS`; the tally is closed by it.

    Args:
        broken: why the source could not be read to its end, "" where it could.
    """
    tally.close()
    missing = sum(tally.missing.values())
    found: Counter[Kind] = Counter(recorded)
    found["values"] = tally.source["values"] - missing - tally.unsought
    told: dict[Kind, list[Reason]] = {}
    for (of, sort, why), count in tally.reasons.items():
        if count:
            told.setdefault(of, []).append(Reason(sort=sort, why=why, count=count))
    rows = []
    for kind in KINDS:
        reasons = told.get(kind, [])
        if not (reasons or tally.source[kind] or found[kind]):
            continue
        left_open = tally.source[kind] - found[kind] - sum(_signed(one) for one in reasons)
        if left_open > 0 and kind == "values" and tally.concealed:
            hidden = min(left_open, tally.concealed)  # each marker stands for a value, and for no other one
            reasons.append(Reason(sort="left", why=CONCEALED, count=hidden))
            left_open -= hidden
        if left_open and kind in tally.in_other_ways:
            retold: Sort = "again" if left_open > 0 else "made"
            reasons.append(Reason(sort=retold, why=tally.in_other_ways[kind], count=abs(left_open)))
        elif left_open and broken:
            lacks: Sort = "left" if left_open > 0 else "made"
            reasons.append(Reason(sort=lacks, why=f"{BROKEN_OFF}: {broken}", count=abs(left_open)))
        elif left_open:
            reasons.append(
                Reason(sort="unexplained", why=_open(kind, left_open, tally), count=abs(left_open))
            )
        rows.append(Row(kind=kind, source=tally.source[kind], recorded=found[kind], reasons=reasons))
    return rows


def _signed(reason: Reason) -> int:
    return -reason.count if reason.sort == "made" else reason.count


def _open(kind: Kind, count: int, tally: Tally) -> str:
    if kind == "values" and tally.missing:
        named = [f"{path} ({times})" for path, times in tally.missing.most_common(MOST_NAMED)]
        more = len(tally.missing) - len(named)
        return f"these stand nowhere in the record: {', '.join(named)}" + (
            f" and {more} more" if more > 0 else ""
        )
    if kind == "files" and tally.missed_files:
        more = len(tally.missed_files) - MOST_NAMED
        files = ", ".join(tally.missed_files[:MOST_NAMED])
        return f"nothing was read of {files}" + (f" and {more:,} more" if more > 0 else "")
    if count > 0:
        return f"{count:,} of the source are not in the record"
    return f"the record has {-count:,} more than the source"


def reasons_in_words(row: Row) -> str:
    """Why the two counts of a kind differ: "12 left: ...; 3 made: ..."; "" where they don't."""
    return "; ".join(f"{one.count:,} {one.sort}: {one.why}" for one in row.reasons)


def added_up(rows: Sequence[Sequence[Row]]) -> list[Row]:
    """Several accounts as one, by kind; the same reason is one reason."""
    sums: dict[Kind, Row] = {}
    for row in (row for account in rows for row in account):
        whole = sums.setdefault(row.kind, Row(kind=row.kind, source=0, recorded=0, reasons=[]))
        whole.source += row.source
        whole.recorded += row.recorded
        for reason in row.reasons:
            same = next(
                (one for one in whole.reasons if (one.sort, one.why) == (reason.sort, reason.why)), None
            )
            if same is None:
                whole.reasons.append(msgspec.structs.replace(reason))
            else:
                same.count += reason.count
    return sorted(sums.values(), key=lambda row: KINDS.index(row.kind))


def unexplained(rows: Sequence[Row]) -> list[str]:
    """What has no reason, one line each."""
    return [
        f"unexplained: {row.kind}: {reason.why}"
        for row in rows
        for reason in row.reasons
        if reason.sort == "unexplained"
    ]


def left_out(rows: Sequence[Row], told: Container[tuple[Kind, str]]) -> list[tuple[str, int]]:
    """What is in the source and left out of the record: the reason, and how often it holds.

    Args:
        told: kinds and reasons that an episode's own lines tell of.
    """
    return [
        (f"{row.kind}: {reason.why}", reason.count)
        for row in rows
        for reason in row.reasons
        if reason.sort == "left" and (row.kind, reason.why) not in told
    ]

"""WebLINX' demonstrations in numbers: turns by intent, split, AI tools (tables 7 to 9), websites (11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import stdev

import msgspec

from webbench.benchmarks.weblinx.demonstrations.course import course_turns
from webbench.benchmarks.weblinx.demonstrations.demonstrations import (
    ALL,
    SPLITS,
    Demonstrations,
    open_demonstrations,
)
from webbench.benchmarks.weblinx.demonstrations.form_json import about
from webbench.benchmarks.weblinx.demonstrations.reference import Turn
from webbench.benchmarks.weblinx.demonstrations.websites import AI_TOOLS, Website, website_of, websites
from webbench.benchmarks.weblinx.turns.files import GET_DATA, json_of
from webbench.benchmarks.weblinx.turns.intents import SAY, UNKNOWN, intent_of
from webbench.core.analysis.printed.data_rows import data_row, mean_median_largest
from webbench.core.analysis.printed.filled_table import DATA, Evidence, Filled, FilledRow, counted
from webbench.core.analysis.printed.printed_table import Filler
from webbench.core.errors import BadData
from webbench.core.statistics.estimates import Estimate
from webbench.core.statistics.mean import mean

PAPERS_SPLITS = ("train", "valid", "test_iid", "test_vis", "test_geo", "test_cat", "test_web")
"""In the order of table 11."""
LISTED_ALONE = (
    "{listed} demonstrations stand in splits.json; means are of the {read} whose turns are at hand."
)
AT_HAND = "{read} of the paper's 2,337 demonstrations are at hand."
NOT_READ = "demonstrations that can't be read"
UNKNOWN_TURNS = "turns without a known intent"
BY_ADDRESS = (
    "where a form.json doesn't tell whether AI tools were used, a visit to one of the paper's AI tools does."
)


class DemonstrationNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """One demonstration.

    Attributes:
        turns: how many have a known intent: what the paper counts.
        active: turns that somebody predicts.
        intents: turns by intent.
        utterances: words of each, by who said it.
        sites: websites of the paper that its turns were on.
        uses_ai: None where neither its form nor an address tells.
    """

    name: str
    splits: tuple[str, ...]
    turns: int
    unknown: int
    active: int
    intents: dict[str, int]
    utterances: dict[str, list[int]]
    sites: tuple[Website, ...]
    uses_ai: bool | None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a data folder holds; `listed` has names by split, of demonstrations that need not be there."""

    demonstrations: tuple[DemonstrationNumbers, ...] = ()
    listed: dict[str, list[str]] = {}
    unread: int = 0


def of_folder(data: Path | None) -> Found:
    """Every demonstration of a file or folder. Raises `BadData` for splits of another shape."""
    if data is None or not data.exists():
        return Found()
    listed = _listed(data)
    try:
        known = open_demonstrations(data, lenient=True)
    except BadData:
        return Found(listed=listed)
    found, unread = [], 0
    for name in known:
        try:
            found.append(_numbers(name, known))
        except BadData:
            unread += 1
    return Found(demonstrations=tuple(found), listed=listed, unread=unread)


def by_intent(evidence: Evidence) -> Filled:
    """Table 7: demonstrations that have the intent, turns of it in these, and in all."""
    found = of_folder(evidence.data)
    counts = Counter[str]()
    for one in found.demonstrations:
        counts.update(one.intents)
    rows = []
    for intent, total in counts.most_common():
        each = [one.intents[intent] for one in found.demonstrations if intent in one.intents]
        rows.append(FilledRow(source=DATA, labels=(intent,), values=(*_spread(each), counted(total))))
    return _filled(found, rows)


def by_split(evidence: Evidence) -> Filled:
    """Table 8: demonstrations that the list of splits names, and the turns of those at hand."""
    found = of_folder(evidence.data)
    names = list(found.listed) or list(dict.fromkeys(at for one in found.demonstrations for at in one.splits))
    rows = []
    for name in names:
        inside = [one for one in found.demonstrations if name in one.splits]
        count = len(dict.fromkeys(found.listed[name])) if name in found.listed else len(inside)
        _, average, spread = _spread([one.turns for one in inside])
        active, total = (sum(one.active for one in inside), sum(one.turns for one in inside))
        values = (counted(count), average, spread, counted(active or None), counted(total or None))
        rows.append(FilledRow(source=DATA, labels=(name.upper(),), values=values))
    listed = len({name for names in found.listed.values() for name in names})
    told = LISTED_ALONE.format(listed=f"{listed:,}", read=len(found.demonstrations))
    return _filled(found, rows, (told,) if listed else ())


def by_ai_tools(evidence: Evidence) -> Filled:
    """Table 9: turns by whether AI tools were used."""
    found = of_folder(evidence.data)
    rows = []
    for label, told in (("no", False), ("yes", True)):
        each = [one.turns for one in found.demonstrations if one.uses_ai is told]
        if each:
            rows.append(FilledRow(source=DATA, labels=(label,), values=(*_spread(each), counted(sum(each)))))
    silent = sum(one.uses_ai is None for one in found.demonstrations)
    return _filled(found, rows, (BY_ADDRESS,), {"demonstrations that don't tell of AI tools": silent})


def by_subcategory(evidence: Evidence) -> Filled:
    """Table 11: demonstrations by the subcategories of the websites that their turns were on, and split."""
    found = of_folder(evidence.data)
    names = list(dict.fromkeys((site.category, site.subcategory) for site in websites()))
    rows = []
    for category, subcategory in names:
        inside = [
            one for one in found.demonstrations if any(site.subcategory == subcategory for site in one.sites)
        ]
        if inside:
            sites = {site for one in inside for site in one.sites if site.subcategory == subcategory}
            splits = [sum(split in one.splits for one in inside) for split in PAPERS_SPLITS]
            rows.append(data_row(category, subcategory, values=(len(inside), *splits, len(sites))))
    elsewhere = sum(not one.sites for one in found.demonstrations)
    return _filled(found, rows, (), {"demonstrations on none of the paper's websites": elsewhere})


def by_demonstration(evidence: Evidence) -> Filled:
    """Each demonstration at hand."""
    found = of_folder(evidence.data)
    rows = [
        data_row(
            one.name,
            ", ".join(one.splits),
            values=(one.turns, one.active, len(one.intents), len(one.sites)),
        )
        for one in found.demonstrations
    ]
    return _filled(found, rows)


def lengths(evidence: Evidence) -> Filled:
    """Words of utterances, by who said them."""
    found = of_folder(evidence.data)
    words: dict[str, list[int]] = {}
    for one in found.demonstrations:
        for who, each in one.utterances.items():
            words.setdefault(who, []).extend(each)
    rows = [data_row(who, values=(len(each), *mean_median_largest(each))) for who, each in words.items()]
    return _filled(found, rows)


DATA_FILLS = {
    "table 7": Filler("the demonstrations at hand", by_intent, describes_data=True),
    "table 8": Filler(
        "the list of splits, turns by the demonstrations at hand", by_split, describes_data=True
    ),
    "table 9": Filler("the demonstrations at hand", by_ai_tools, describes_data=True),
    "table 11": Filler("the demonstrations at hand", by_subcategory, describes_data=True),
    "by demonstration": Filler("the demonstrations at hand", by_demonstration, describes_data=True),
    "lengths": Filler("the demonstrations at hand", lengths, describes_data=True),
}


def _numbers(name: str, known: Demonstrations) -> DemonstrationNumbers:
    turns = known.read(name)
    course = course_turns(turns)
    intents = Counter(intent for turn in turns if (intent := _intent(turn)))
    utterances: dict[str, list[int]] = {}
    for turn in turns:
        said = turn.utterance if isinstance(turn.utterance, str) else (turn.args or {}).get("utterance")
        who = turn.speaker or (turn.args or {}).get("speaker")
        if _intent(turn) == SAY and isinstance(said, str) and isinstance(who, str):
            utterances.setdefault(who, []).append(len(said.split()))
    addresses = dict.fromkeys(address for turn in turns for address in _addresses(turn))
    sites = dict.fromkeys(site for address in addresses if (site := website_of(address)))
    folder = known.folder(name)
    told = about(folder).uses_ai if folder is not None else None
    return DemonstrationNumbers(
        name=name,
        splits=tuple(split for split in known.splits_of(name) if split != ALL),
        turns=intents.total(),
        unknown=len(turns) - intents.total(),
        active=sum(not one.left_out for one in course),
        intents=dict(intents),
        utterances=utterances,
        sites=tuple(sites),
        uses_ai=told if told is not None else (_visits_ai(sites) or None),
    )


def _intent(turn: Turn) -> str:
    """ "" for a turn of another type, or with an intent that nobody knows."""
    if turn.type == "chat":
        return SAY
    try:
        found = intent_of(turn.intent)
    except BadData:
        return ""
    return "" if found == UNKNOWN else found


def _addresses(turn: Turn) -> Iterable[str]:
    """Where the turn was, and what it loaded."""
    state = turn.state().url
    loaded = (turn.args or {}).get("url")
    return (address for address in (state, loaded) if isinstance(address, str) and address)


def _visits_ai(sites: Iterable[Website]) -> bool:
    return any(site.category == AI_TOOLS for site in sites)


def _listed(data: Path) -> dict[str, list[str]]:
    file = data / SPLITS if data.is_dir() else data.parent / SPLITS
    listed = json_of(file) if file.is_file() else {}
    if not isinstance(listed, dict):
        raise BadData(f"{file}: splits are an object of lists of names")
    return {str(name): list(map(str, names)) for name, names in listed.items() if isinstance(names, list)}


def _spread(values: Sequence[int]) -> tuple[Estimate | None, Estimate | None, Estimate | None]:
    """How many, their mean and sample standard deviation."""
    return (
        counted(len(values)),
        counted(mean(values), len(values)),
        counted(stdev(values) if len(values) > 1 else None, len(values)),
    )


def _filled(
    found: Found,
    rows: Sequence[FilledRow],
    why: tuple[str, ...] = (),
    left_out: dict[str, int] | None = None,
) -> Filled:
    if not rows:
        return Filled(missing=GET_DATA)
    unknown = sum(one.unknown for one in found.demonstrations)
    return Filled(
        rows=tuple(rows),
        not_comparable=(AT_HAND.format(read=len(found.demonstrations)), *why),
        left_out={NOT_READ: found.unread, UNKNOWN_TURNS: unknown} | (left_out or {}),
    )

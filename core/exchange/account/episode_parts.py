"""The parts of an episode, by kind: what an export is counted by, and a round trip compared by.

A part is named by its kind and, where a format may have a place for one half of a kind and not for the
other, by what it is of that kind: `times.spans`.

| part | one for each |
|---|---|
| `times.started`, `.ended`, `.at`, `.spans` | header, header, step, span of a step that is above 0 |
| `scores.episode`, `.steps` | score with a value |
| `prompts.steps`, `.calls`; so `replies`, `reasoning` | text of a step, and of a call of a model in it |
| `labels.codes`, `.disputes`, `.rulings`, `.memos`, `.done` | line that an annotator wrote |
| `values.header.NAME`, `.settings.`, `.task.`, `.steps.`, `.evidence.`, `.pages.` | any other full field |
| `values.origin` | where an episode came from before it was exported |
| the others | as `kinds.py` says |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

import msgspec

from webbench.core.exchange.account.kinds import Kind, kind_of_figure
from webbench.core.exchange.account.recorded_counts import first_told, is_scored
from webbench.core.labels.label import Dispute, Done, Entry, Label, Memo, Ruling
from webbench.core.observation import Observation
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, known_end

Part = tuple[str, object]
"""The part's name, and what it is."""

_ENTRIES: dict[type[Entry], str] = {
    Label: "labels.codes",
    Dispute: "labels.disputes",
    Ruling: "labels.rulings",
    Memo: "labels.memos",
    Done: "labels.done",
}
OF_STEPS = frozenset(
    {"index", "at", "action", "prompt", "reply", "reasoning", "calls", "usage", "note", "score", "messages"}
    | {"seconds", "observation", "screenshot", "html", "evidence", "schema_version"}
)
"""Fields of a step that are parts of another name, or name blobs."""
OF_HEADERS = frozenset(
    {"run", "episode", "order", "task", "started", "ended", "score", "steps", "settings", "step_scores"}
    | {"schema_version"}
)
"""Fields of a header that are parts of another name, or are the store's own."""
_AS_USUAL = {"screenshot_scale": 1.0, "screenshot_full_page": False, "screenshot_origin": (0.0, 0.0)}
_EMPTY: tuple[object, ...] = ("", None, (), {})


def kind_of(part: str) -> Kind:
    """The kind that a part is of."""
    return cast("Kind", part.partition(".")[0])


def names_of(told: object, under: str = "") -> Iterator[str]:
    """Names of all that a format said, in its own words: `atif.extra.tags`; of a list, those of its items."""
    if isinstance(told, dict):
        for name, one in told.items():
            yield f"{under}.{name}"
            yield from names_of(one, f"{under}.{name}")
    elif isinstance(told, list):
        for one in told:
            yield from names_of(one, under)


def names_of_record(header: EpisodeHeader, steps: Iterable[Step], format: str) -> set[str]:
    """Names of all that a record keeps in a format's words: of the episode, and of its steps."""
    found = set(names_of(header.settings.get(format), format))
    return found.union(*(names_of(step.source, f"{format}.steps") for step in steps))


def parts_of_step(step: Step, tree: object, html: object, picture: object) -> Iterator[Part]:
    """What a step has.

    Args:
        tree: what stands for its page's nodes, None or False where it has none; so `html` and `picture`.
    """
    if step.index > 0:
        yield "steps", step.index
    if step.action is not None:
        yield "actions", step.action
    for kind, seen in (("trees", tree), ("html", html), ("pictures", picture)):
        if seen:
            yield kind, seen
    texts = ("prompts", step.prompt), ("replies", step.reply), ("reasoning", step.reasoning)
    for kind, text in texts:
        if text:
            yield f"{kind}.steps", text
    for call in step.calls:
        said = ("prompts", call.messages), ("replies", call.reply or call.tools), ("reasoning", call.thinking)
        for kind, of_call in said:
            if of_call:
                yield f"{kind}.calls", of_call
    for name, figure in step.usage.items():
        if (kind := kind_of_figure(name)) != "values":
            yield kind, (name, figure)
    if step.at:
        yield "times.at", step.at
    for name in ("idle", "agent", "environment", "scoring"):
        if (span := getattr(step.seconds, name)) > 0:
            yield "times.spans", (name, span)
    if is_scored(step.score):
        yield "scores.steps", step.score
    if step.note:
        yield "notes", step.note
    for message in step.messages:
        yield "messages", message


def other_fields(step: Step, seen: Observation | None) -> Iterator[Part]:
    """What else a step says, field by field; how the page was addressed stands with it."""
    if step.score is not None and not is_scored(step.score):
        yield "values.steps.score", step.score
    for name in step.__struct_fields__:
        value = getattr(step, name)
        if name not in OF_STEPS and value not in _EMPTY and value != _AS_USUAL.get(name):
            yield f"values.steps.{name}", value
    for name, value in step.evidence.items():
        yield f"values.evidence.{name}", value
    for name in ("url", "title", "tabs", "viewport"):
        if seen is not None and (value := getattr(seen, name)) not in _EMPTY:
            yield f"values.pages.{name}", value


def parts_of_header(header: EpisodeHeader, began: str = "") -> Iterator[Part]:
    """An episode, and what its header has; `began`: the time of the first step."""
    yield "episodes", None
    if started := header.started or began:
        yield "times.started", started
    if ended := known_end(header):
        yield "times.ended", ended
    if is_scored(header.score):
        yield "scores.episode", header.score


def other_fields_of_header(header: EpisodeHeader, kept: Iterable[str] = ()) -> Iterator[Part]:
    """What else a header says, field by field.

    Args:
        kept: settings that an import adds for itself.
    """
    for name in header.task.__struct_fields__:
        if (value := getattr(header.task, name)) not in _EMPTY:
            yield f"values.task.{name}", value
    if header.score is not None and not is_scored(header.score):
        yield "values.header.score", header.score
    for name in header.__struct_fields__:
        if name not in OF_HEADERS and (value := getattr(header, name)) not in (*_EMPTY, 0, False):
            yield f"values.header.{name}", value
    for name, value in header.settings.items():
        if name not in (IMPORTED, *kept):
            yield f"values.settings.{name}", value


def parts_of_entries(entries: Iterable[Entry]) -> Iterator[Part]:
    """What annotators wrote, without the names of run and episode."""
    for entry in entries:
        yield _ENTRIES[type(entry)], msgspec.structs.replace(entry, run="", episode="")


def exchanges_of(steps: Iterable[Step]) -> int:
    """Exchanges with the network: later evidence repeats earlier."""
    return sum(len(new) for _, new in first_told(steps))

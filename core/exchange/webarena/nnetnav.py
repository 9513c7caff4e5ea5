"""NNetNav's chat rows: a JSON list with a row for each step of an LLM's exploration.

A row is {dataset, id, task_name, messages, output, prompt, n_tokens}; the user's message holds OBSERVATION
(an accessibility tree), URL, OBJECTIVE and PREVIOUS ACTIONS, a numbered line for each step before, the first
of them "None". The output ends with the action between fences, in WebArena's words. Rows of an episode have
one id, and mostly follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references
from webbench.core.exchange.account.source_shape import Both, Frame, Shape, Whole
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import STOPPED, foreign_header, lose_action, numbered, text_of
from webbench.core.exchange.foreign_terms import action_of, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.json_list import objects
from webbench.core.exchange.reading.tree_text import nodes_of, unescaped
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = DIALECT = "webarena"
LARGEST_SORTED = 64 * 1024 * 1024
"""Bytes of a file whose rows are put together by id; of larger ones only those that follow each other."""
SHAPE = Shape(
    {
        "": Both(("steps", "actions", "replies", "reasoning", "trees")),
        "messages": Frame(),
        "output": Frame(),
        "prompt": Whole("prompts"),
        "n_tokens": "tokens",
    }
)
"""A row is a step: the page in its prompt, and a reply whose last part is the action."""
_TOKENS = re.compile(r"<\|[a-z_]+\|>(?:assistant<\|end_header_id\|>)?|^der_id\|>")
_FENCE = re.compile(r"```+")
_PARTS = re.compile(r"^(OBSERVATION|URL|OBJECTIVE|PREVIOUS ACTIONS?): ?", re.MULTILINE)
_DIRECTION = re.compile(r"\[direction=(\w+)\]")
_BEFORE = re.compile(r"^(\d{1,4}): ", re.MULTILINE)
_ELEMENT = re.compile(r"where \[(\d{1,9})\] is ([A-Za-z]+) (?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")")


class NNetNav:
    name = "nnetnav"
    title = "NNetNav's chat rows"
    looks_like = "a JSON list of dataset, id, task_name, messages, output, prompt, n_tokens"

    def claim(self, place: Place) -> Claim | None:
        found = place.has_text('"dataset"', '"id"', '"messages"') and b"NNetNav" in place.head
        return Claim() if found else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for identity, rows in _grouped(place):
            yield _episode(identity, rows, place)


def create() -> NNetNav:
    """The entry point."""
    return NNetNav()


def _grouped(place: Place) -> Iterator[tuple[str, list[JsonObject]]]:
    """The rows of each episode, in the order of their steps."""
    if place.size > LARGEST_SORTED:
        for identity, following in groupby(objects(place), key=_identity):
            yield identity, _in_order(list(following), identity, place)
        return
    found: dict[str, list[JsonObject]] = {}
    last = ""
    try:
        for row in objects(place):
            identity = _identity(row)
            if identity in found and identity != last:
                place.tally.notice("rows of one episode stand apart; they are put together by their id")
            found.setdefault(identity, []).append(row)
            last = identity
    finally:
        for identity, rows in found.items():
            yield identity, _in_order(rows, identity, place)


def _identity(row: JsonObject) -> str:
    return text_of(row.get("id"))


def _in_order(rows: list[JsonObject], identity: str, place: Place) -> list[JsonObject]:
    """Rows by how many actions came before them; what is missing, double or out of order is told."""
    before = [_number(row) for row in rows]
    if all(before) and before != sorted(before):
        place.tally.notice(f"{identity}: rows out of order; they are put in order by their previous actions")
        rows = [row for _, row in sorted(zip(before, rows, strict=True), key=lambda one: one[0])]
        before = sorted(before)
    if all(before):
        absent = sorted(set(range(1, max(before) + 1)) - set(before))
        if absent:
            place.tell(f"{identity}: the source lacks the rows of {len(absent)} steps, {absent[0]} the first")
        if len(set(before)) < len(before):
            place.tally.notice(f"{identity}: several rows of one step; all are kept")
    return rows


def _number(row: JsonObject) -> int:
    """Which step of its episode a row is, from 1; 0 where it doesn't tell."""
    told = _BEFORE.findall(_before(_parts(row)))
    return int(told[-1]) if told else 0


def _before(parts: dict[str, str]) -> str:
    return parts.get("PREVIOUS ACTIONS", parts.get("PREVIOUS ACTION", ""))


def _episode(identity: str, rows: list[JsonObject], place: Place) -> ImportedEpisode:
    place.tally.count("episodes")
    place.tally.read(rows, SHAPE)
    lost = place.tally.losses()
    parts = _parts(rows[0])
    words = _action_words(rows[-1])
    header = foreign_header(
        Task(benchmark=BENCHMARK, name=identity, intent=parts.get("OBJECTIVE", "").strip()),
        "NNetNav explorer",
        dialect=DIALECT,
        score=recorded_score(None, "NNetNav", "the source gives no score"),
        end_reason=STOPPED if words.startswith("stop") else "the record ends here",
        settings={
            "dataset": text_of(rows[0].get("dataset")),
            "task_name": text_of(rows[0].get("task_name")),
        },
    )
    return ImportedEpisode(header, numbered(_steps(rows, lost)), lost)


def _steps(rows: list[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    """A row holds the page and the action on it; so its action goes out with the next row's page."""
    pending = Step(index=0, at="", actor="operator")
    names = _named_elements(rows)
    for number, row in enumerate(rows, start=1):
        parts = _parts(row)
        url = parts.get("URL", "").strip()
        nodes = nodes_of(parts.get("OBSERVATION", ""))
        seen = Observation(url=url, nodes=nodes) if nodes else None
        if seen is None:
            lost.lose("trees", f"step {number}: its prompt holds no page", why="a prompt that holds no page")
        yield ImportedStep(msgspec.structs.replace(pending, url=url), seen)
        pending = _step(number, row, seen, lost)
        if pending.action is not None:
            pending = msgspec.structs.replace(pending, action=_named(pending.action, names.get(number, {})))
    yield ImportedStep(pending)


def _named_elements(rows: list[JsonObject]) -> dict[int, dict[int, ElementRef]]:
    """What later rows say of the elements of earlier steps, by step and id."""
    found: dict[int, dict[int, ElementRef]] = {}
    for line in _before(_parts(rows[-1])).splitlines():
        numbered_line, element = _BEFORE.match(line), _ELEMENT.search(line)
        if numbered_line and element:
            name = unescaped(element[3] if element[3] is not None else element[4])
            reference = ElementRef(id=int(element[1]), role=element[2], name=name)
            found[int(numbered_line[1]) - 1] = {int(element[1]): reference}
    return found


def _named(action: Action, names: dict[int, ElementRef]) -> Action:
    """The action on elements with role and name, where the page did not have them."""

    def known(reference: ElementRef) -> ElementRef:
        told = names.get(reference.id) if reference.id is not None else None
        if told is None or reference.name:
            return reference
        return msgspec.structs.replace(reference, role=told.role, name=told.name)

    return map_references(action, known)


def _step(number: int, row: JsonObject, seen: Observation | None, lost: Lost) -> Step:
    words = _action_words(row)
    action = action_of(words, DIALECT, seen) if words else None
    if action is None:
        lose_action(lost, words, number)
    reply = _TOKENS.sub("", text_of(row.get("output"))).strip()
    if not reply:
        for kind in ("replies", "reasoning"):
            lost.lose(kind, f"step {number} has no output", why="a row without an output")
    tokens = row.get("n_tokens")
    return Step(
        index=0,
        at="",
        actor="agent",
        text=words,
        dialect=DIALECT,
        action=action,
        reasoning=reply,
        prompt=_prompt(row),
        reply=reply,
        usage={"prompt_and_reply_tokens": tokens} if isinstance(tokens, int) else {},
    )


def _prompt(row: JsonObject) -> str:
    """As it was sent: a text, or a list of messages."""
    prompt = row.get("prompt")
    listed = [one for one in prompt if isinstance(one, dict)] if isinstance(prompt, list) else []
    texts = [f"[{text_of(one.get('role'))}]\n{text_of(one.get('content'))}" for one in listed]
    return "\n\n".join(texts) if texts else text_of(prompt)


def _parts(row: JsonObject) -> dict[str, str]:
    messages = row.get("messages")
    told = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    user: Json = next((one.get("content") for one in told if one.get("role") == "user"), "")
    pieces = _PARTS.split(text_of(user))
    return dict(zip(pieces[1::2], pieces[2::2], strict=False))


def _action_words(row: JsonObject) -> str:
    """What stands before the last fence; a fence may be opened twice and closed twice."""
    fenced = [text for text in _FENCE.split(text_of(row.get("output")))[1:-1] if text.strip()]
    return _DIRECTION.sub(r"[\1]", fenced[-1].strip()) if fenced else ""

"""NNetNav training rows: one row a step in chat form; rows of an episode follow each other with the same id.

Row: dataset, id, task_name, messages [system, user, assistant], output. The user's message holds the
accessibility tree, the address, the objective and the previous action; the action stands between the last
pair of triple backticks of the output, which carries Llama's header tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import msgspec

from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import STOPPED, foreign_header, lose_action, numbered, text_of
from webbench.core.exchange.foreign_terms import action_of, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.json_list import objects
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = DIALECT = "webarena"
_TOKENS = re.compile(r"<\|[a-z_]+\|>(?:assistant<\|end_header_id\|>)?")
_FENCE = re.compile(r"```+")
_PARTS = re.compile(r"^(OBSERVATION|URL|OBJECTIVE|PREVIOUS ACTION): ?", re.MULTILINE)
_DIRECTION = re.compile(r"\[direction=(\w+)\]")


class NNetNav:
    name = "nnetnav"
    title = "NNetNav's chat rows"
    looks_like = "a JSON list of dataset, id, task_name, messages, output, prompt, n_tokens"

    def claim(self, place: Place) -> Claim | None:
        found = place.has_text('"dataset"', '"id"', '"messages"') and b"NNetNav" in place.head
        return Claim() if found else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for identity, grouped in groupby(objects(place), key=lambda row: text_of(row.get("id"))):
            yield _episode(identity, list(grouped), place)


def create() -> NNetNav:
    """The entry point."""
    return NNetNav()


def _episode(identity: str, rows: list[JsonObject], place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    parts = _parts(rows[0])
    words = _action_words(rows[-1])
    header = foreign_header(
        Task(benchmark=BENCHMARK, name=identity, intent=parts.get("OBJECTIVE", "").strip()),
        "NNetNav explorer",
        dialect=DIALECT,
        score=recorded_score(None, "NNetNav", "the source gives no score"),
        end_reason=STOPPED if words.startswith("stop") else "the record ends here",
        settings={"dataset": text_of(rows[0].get("dataset"))},
    )
    return ImportedEpisode(header, numbered(_steps(rows, lost)), lost)


def _steps(rows: list[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    """A row holds the page and the action on it; so its action goes out with the next row's page."""
    pending = Step(index=0, at="", actor="operator")
    for number, row in enumerate(rows, start=1):
        parts = _parts(row)
        url = parts.get("URL", "").strip()
        nodes = nodes_of(parts.get("OBSERVATION", ""))
        seen = Observation(url=url, nodes=nodes) if nodes else None
        yield ImportedStep(msgspec.structs.replace(pending, url=url), seen)
        pending = _step(number, row, seen, lost)
    yield ImportedStep(pending)


def _step(number: int, row: JsonObject, seen: Observation | None, lost: Lost) -> Step:
    words = _action_words(row)
    action = action_of(words, DIALECT, seen) if words else None
    if action is None:
        lose_action(lost, words, number)
    reply = _TOKENS.sub("", text_of(row.get("output"))).strip()
    return Step(
        index=0,
        at="",
        actor="agent",
        text=words,
        dialect=DIALECT,
        action=action,
        reasoning=reply,
        reply=reply,
    )


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

"""A recorded episode: what `episode.json` and `steps.jsonl` hold.

Every record names its `schema_version`; readers accept all older ones and refuse newer ones with a
clear message. Blobs are named by the SHA-256 of their uncompressed content.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from webbench.core.action.action import Action, Remember, Say
from webbench.core.action.words import action_words
from webbench.core.json_types import JsonObject, read_fields
from webbench.core.model_call import ModelCall
from webbench.core.observation import PageMessage, Visitor
from webbench.core.provenance import Provenance
from webbench.core.score.score import Score
from webbench.core.task import Task

SCHEMA_VERSION = 1
"""Given to records by a factory, because plain defaults are left out of files."""

IN_THE_WINDOW = "in the browser window"
"""Text of a step without an action: a person did something in the browser's own window."""

Actor = Literal["human", "agent", "operator"]
"""Who caused a step. "operator": a person intervened in an agent's episode."""


LEFT_UNFINISHED = "left unfinished"
"""Said of an episode without an end that is to be gone on with; its record names no reason of an end."""

ABANDONED = "abandoned"
"""Why an episode ended that somebody left without keeping it or handing it in."""

ACTOR_STOPPED = "the actor stopped"
"""Why an episode ended that its actor ended."""

HUMAN = "human"

IMPORTED = "imported"
"""Setting of runs and episodes that were recorded elsewhere: where they come from."""

UNSEEN_STEPS = "unseen_steps"
"""Setting of an episode whose steps its source doesn't hold: why. Its count of steps tells nothing."""

MIXED = "mixed"
"""Actor, in older records, of an episode in which a person and an agent acted, or one agent and another."""


class Seconds(msgspec.Struct, frozen=True, kw_only=True):
    """Where the time of a step went; `idle` is a human's or a pause's thinking time."""

    idle: float = 0.0
    agent: float = 0.0
    environment: float = 0.0
    scoring: float = 0.0

    @property
    def total(self) -> float:
        return self.idle + self.agent + self.environment + self.scoring


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One transition. Step 0 is the start: the first observation, no action.

    `observation`, `screenshot`, `html` are blob names of what the actor sees *after* the action.

    Example:
        >>> [(step.index, step.text, step.ok, step.error) for step in trajectory.steps]
    """

    index: int
    at: str
    """UTC, ISO 8601 with milliseconds."""
    actor: Actor = "human"
    text: str = ""
    """The action as it was sent, in `dialect`."""
    dialect: str = ""
    action: Action | None = None
    ok: bool = True
    error: str = ""
    output: str = ""
    matched_by: str = ""
    reasoning: str = ""
    prompt: str = ""
    reply: str = ""
    calls: tuple[ModelCall, ...] = ()
    """Calls of models that led to the action, prompts and replies whole; `prompt` is then left empty."""
    usage: JsonObject = {}
    agent_state: JsonObject = {}
    """What the agent kept with its proposal to go on from there; its form is the agent's own."""
    proposed: str = ""
    """What the agent had proposed when a person edited or rejected it."""
    provenance: Provenance | None = None
    """How the step came about; None where no agent had a say, and in records older than this field."""
    note: str = ""
    url: str = ""
    title: str = ""
    condition: str = "ok"
    observation: str = ""
    screenshot: str = ""
    screenshot_scale: float = 1.0
    """Picture pixels per CSS pixel."""
    screenshot_full_page: bool = False
    screenshot_origin: tuple[float, float] = (0.0, 0.0)
    """Where a picture of a part of the viewport begins in it (CSS px)."""
    html: str = ""
    evidence: JsonObject = {}
    source: JsonObject = {}
    """Of a step that was recorded elsewhere: what its source says besides, in the words of the format that it
    names; the exporter of that format writes it again."""
    score: Score | None = None
    messages: tuple[PageMessage, ...] = ()
    seconds: Seconds = Seconds()
    limit_count: int = 0
    """Actions so far, as the step limit counts them: no notes, pauses or rejections. 0 in older records."""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def acted(self) -> bool:
        """Something was done or sent, be it without an effect; the start and bare notes are no such step."""
        return self.index > 0 and (self.action is not None or bool(self.text))

    @property
    def is_work(self) -> bool:
        """Somebody acted, wrote a note, or asked an agent, which may have cost calls of models."""
        told = self.acted or bool(self.note) or bool(self.calls) or self.provenance is not None
        return self.index > 0 and told


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The recorded episode that another was forked from, and the last step that was repeated of it."""

    run: str
    episode: str
    step: int


class EpisodeHeader(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`episode.json`, written at the start and replaced once at the end."""

    run: str
    episode: str
    task: Task
    actor: str
    """"human", the agent's name, or both where both acted: "oracle + human"."""
    dialect: str
    rules: str = "published"
    seed: int = 0
    order: int = 0
    """Position in its run, from 0."""
    repeat: int = 0
    """Which repetition of its task it is in its run, from 0."""
    attempt: int = 0
    """Which attempt at this position of its run, from 0; only the last one counts."""
    started: str = ""
    ended: str = ""
    end_reason: str = ""
    score: Score | None = None
    steps: int = 0
    resumed_from: str = ""
    """The episode that it repeats and goes on from."""
    caught_up: bool = False
    """It has repeated all of `resumed_from`: there is nothing left to go on with in that one."""
    origin: Origin | None = None
    """Of a fork: it repeats that episode up to a step, and goes on by itself."""
    elapsed_before: float = 0.0
    """Seconds that the episode had taken before it was resumed here."""
    versions: dict[str, str] = {}
    """webbench-tui, python, browser, and what drives it: playwright, or selenium and chromedriver."""
    driver: str = ""
    """What drove the browser, "playwright" or "selenium", with "+desktop" where mouse and keyboard were real
    ones; "" where there was none, or it isn't known."""
    visitor: Visitor = Visitor()
    """What pages were told of their visitor: locale, time zone, region, system, browser; empty without a
    browser, and in records older than this field."""
    settings: JsonObject = {}
    concurrent: int = 0
    """Other episodes that were going on in the same process when it started."""
    warnings: tuple[str, ...] = ()
    """What was not as it should be when it started: sites that earlier episodes had changed."""
    actors: tuple[str, ...] = ()
    """Who acted, where several did: agents in order of their first step, then "human"."""
    agent_reach: str = ""
    """What of the reference answers its agents' own code could have read, in words; "" where no such code
    ran, and in records older than this field."""
    gold_withheld: bool = False
    """`task.gold` is left out while the episode goes on, so that no agent reads it; written at its end."""
    step_scores: dict[int, Score] = {}
    """Scores of steps by index, written at the end for the same reason; readers put them into the steps."""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def mixed(self) -> bool:
        """Several acted: it counts neither as a person's nor as an agent's attempt."""
        return len(self.actors) > 1 or self.actor == MIXED


class RunHeader(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`run.json`: what a run set out to do."""

    run: str
    benchmark: str
    agent: str
    planned: int
    started: str
    task_ids: tuple[str, ...] = ()
    settings: JsonObject = {}
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """A header with its steps; `problems` tells what could not be read.

    Example:
        >>> trajectory = wb.Store().load("0000_camp-mugs_ab12")
        >>> trajectory.header.score, len(trajectory.steps), trajectory.seconds
    """

    header: EpisodeHeader
    steps: tuple[Step, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """How long the episode took as far as it is recorded, with what it was resumed from."""
        return self.header.elapsed_before + sum(step.seconds.total for step in self.steps)

    def origin_at(self, step: int) -> Origin:
        """What a fork of it at this step came from."""
        return Origin(run=self.header.run, episode=self.header.episode, step=step)


def known_end(header: EpisodeHeader) -> str:
    """When the episode ended; "" where only the time of its import is known, which closes its record."""
    source = header.settings.get(IMPORTED)
    imported_at = source.get("at") if isinstance(source, dict) else None
    return "" if header.ended == imported_at else header.ended


def now() -> str:
    """UTC in ISO 8601 with milliseconds, as records give times."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def seconds_since(at: str) -> float:
    """Seconds from a time as records give it until now; 0 for a time that is none, or is still to come."""
    try:
        return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def memory(steps: Sequence[Step]) -> tuple[str, ...]:
    """The notes that were handed on from step to step, in order."""
    return tuple(step.action.text for step in steps if isinstance(step.action, Remember))


def who_acted(steps: Sequence[Step], agent: str, otherwise: str) -> tuple[str, ...]:
    """The agents that took steps, by name, in order of their first, then "human" where a person did.

    Args:
        agent: whose steps those are that don't say so; "mixed": of another one than `otherwise`.
        otherwise: who was to act; the only one where nobody did.
    """
    taken = [step for step in steps if step.index and (step.action is not None or step.acted or not step.ok)]
    if not taken:
        return (otherwise,)
    known = otherwise if otherwise not in (HUMAN, MIXED) else "agent"
    unnamed = known if agent in ("", MIXED) else agent
    agents = list(
        dict.fromkeys(
            step.provenance.proposed_by if step.provenance is not None else unnamed
            for step in taken
            if step.actor == "agent"
        )
    )
    if agent == MIXED and otherwise not in (*agents, HUMAN, MIXED):
        agents.append(otherwise)
    by_person = any(step.actor != "agent" for step in taken) or (agent == MIXED and otherwise == HUMAN)
    return (*agents, *([HUMAN] if by_person else []))


def as_acted(header: EpisodeHeader, actors: tuple[str, ...]) -> EpisodeHeader:
    """The header with those who acted: one alone as the actor, several with all their names."""
    several = actors if len(actors) > 1 else ()
    return msgspec.structs.replace(header, actor=" + ".join(actors), actors=several)


def told_by_steps(header: EpisodeHeader, steps: Sequence[Step]) -> EpisodeHeader:
    """A recorded header that names all who acted.

    Older records don't, and those without an end name who began. What other tools recorded stays as it is.
    """
    open_ended = not header.ended or header.actor == MIXED
    by_hand = any(step.text == IN_THE_WINDOW and step.action is None for step in steps)
    if header.actors or IMPORTED in header.settings or not (open_ended or by_hand):
        return header
    actors = who_acted(steps, "", header.actor)
    return as_acted(header, actors) if len(actors) > 1 else header


def step_words(step: Step) -> str:
    """What was done in a step: its action in words, else its text as it was sent.

    Of something said the text is kept where it also tells who said it.
    """
    if isinstance(step.action, Say) and step.note and step.text.startswith(f"{step.note}: "):
        return f"{step.note}: {step.action.text}"
    return action_words(step.action) if step.action is not None else step.text


read_fields(RunHeader, EpisodeHeader, Step)

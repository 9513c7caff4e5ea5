"""The seen prompt: what an actor saw before a step, as messages of a chat, and what it answered.

Where a model was asked, that is the prompt as it was sent, with its pictures. Where none is recorded, as of
a person, it is what our plainest agent would have been sent: the prompt core/act, with the page as the
episode's action language writes it. Each says which of the two it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from webbench.core.action.action import Action
from webbench.core.action.words import action_words
from webbench.core.agent import AgentView, PastAction
from webbench.core.agents.model.prompt_fields import view_fields
from webbench.core.agents.model.prompts import Prompt, load_prompt, placed_prompt
from webbench.core.dialects.dialect import Dialect, find_dialect
from webbench.core.dialects.wording import wording
from webbench.core.errors import UsageError
from webbench.core.exchange.export_format import Source
from webbench.core.model_call import ModelCall, SentMessage, ToolUse
from webbench.core.observation import Observation
from webbench.core.trajectory import IN_THE_WINDOW, Step, Trajectory, memory

PROMPT = "core/act"
"""Of what was not asked of a model."""
FALLBACK = "webarena"
"""Action language of episodes whose own is none that we know, such as imported ones."""
RECORDED, AS_ONE_TEXT = "recorded", "recorded as one text"
CLEANED = "edited"
"""Setting of a cleaned copy (`core/people/cleaning/cleaned_copy.py`)."""
BEHIND_AN_EDIT = "; it tells what the original of this cleaned copy did before"
FORK_NOTE = "fork of "
"""How the note begins behind which a fork goes on by itself (`core/engine/session/replaying.py`)."""
OWN_DECISIONS = ("alone", "accepted")
"""Decisions that leave the agent's own proposal as it is."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen, and by which call of a model; None where the call isn't known."""

    messages: tuple[SentMessage, ...]
    how: str
    call: ModelCall | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What was answered.

    Attributes:
        how: "reply" as the model wrote it, or the "action" alone.
        thinking: what the endpoint gave beside the reply.
        tools: that were called in place of a text, or beside it.
    """

    text: str
    how: str
    thinking: str = ""
    tools: tuple[ToolUse, ...] = ()


def seen_before(source: Source, trajectory: Trajectory, at: int) -> Seen | str:
    """What the actor of `trajectory.steps[at]` saw before it; or why that can't be told."""
    step = trajectory.steps[at]
    if step.actor == "agent" and at < own_begin(trajectory):
        return "the agent's step was repeated of the episode that was forked, which has its prompt"
    call = _deciding_call(step)
    behind = BEHIND_AN_EDIT if _is_behind_an_edit(trajectory, step) else ""
    if call is not None:
        return Seen(messages=call.messages, how=RECORDED + behind, call=call)
    if step.prompt:
        return Seen(messages=(SentMessage(role="user", text=step.prompt),), how=AS_ONE_TEXT + behind)
    page = page_before(source, trajectory, at)
    if page is None:
        return "no prompt is recorded, and no page before the step"
    language = language_of(trajectory, step)
    fields = view_fields(_view(trajectory, at, page, language.name))
    past = [msgspec.to_builtins(one) for one in _history(trajectory.steps[:at])[-1:]]
    prompt, name = _prompt()
    filled = prompt.messages({**fields, "hint": False, "history": past, "tool": False})
    how = f"rendered by the prompt {name}, the page as {language.name} writes it"
    if step.calls:
        how += "; the calls of models that led to the step are none for an action"
    return Seen(messages=tuple(message.sent for message in filled), how=how)


def own_begin(trajectory: Trajectory) -> int:
    """Index in its steps from which a fork goes on by itself; 0 of what is no fork.

    A fork notes it there; one that never came so far is all repeated. A cleaned copy of a fork names no
    origin; it tells how many of its steps are repeated (one of an older release has the note alone).
    """
    told = trajectory.header.settings.get(CLEANED)
    repeated = told.get("repeated") if isinstance(told, dict) else None
    if isinstance(repeated, int):
        return repeated
    if trajectory.header.origin is None and told is None:
        return 0
    steps = enumerate(trajectory.steps)
    own = next((at + 1 for at, step in steps if step.note.startswith(FORK_NOTE)), None)
    return own if own is not None else 0 if trajectory.header.origin is None else len(trajectory.steps)


def _is_behind_an_edit(trajectory: Trajectory, step: Step) -> bool:
    """Whether its prompt may tell of steps that a cleaned copy has otherwise."""
    told = trajectory.header.settings.get(CLEANED)
    first = told.get("first_change") if isinstance(told, dict) else None
    return isinstance(first, int) and step.index >= first


def answer_of(trajectory: Trajectory, step: Step, seen: Seen) -> Answer | str:
    """What was done in the step, as the model wrote it where it was its own; or why that can't be written."""
    own = step.provenance is None or step.provenance.decision in OWN_DECISIONS
    picked = step.provenance is not None and step.provenance.decision == "picked"
    if step.actor == "agent" and (own or picked):
        call = seen.call
        fits = call is not None and (own or step.text in call.reply)
        if call is not None and fits and (call.reply or call.tools):
            return Answer(text=call.reply, how="reply", thinking=call.thinking, tools=call.tools)
        if seen.how.startswith(AS_ONE_TEXT) and step.reply and own:
            return Answer(text=step.reply, how="reply")
    return action_text(trajectory, step)


def action_text(trajectory: Trajectory, step: Step) -> Answer | str:
    """The action alone, in the language that the page is written in; or why it can't be written so."""
    if step.action is None:
        if not step.text or step.text == IN_THE_WINDOW:
            return "what was done in the browser's window is no action that we know"
        return Answer(text=step.text, how="action")
    language = language_of(trajectory, step)
    if step.text and step.dialect == language.name:
        return Answer(text=step.text, how="action")
    text = written(language, step.action)
    return Answer(text=text, how="action") if text else f"its action can't be written in {language.name}"


def written(language: Dialect, action: Action) -> str:
    """The action in this language, "" where its element has no id and no name there."""
    text = wording(language, action)
    return "" if text.startswith("{") or '{"' in text else text


def language_of(trajectory: Trajectory, step: Step) -> Dialect:
    """The action language of a step, or of its episode; `FALLBACK` where we know neither."""
    for name in (step.dialect, trajectory.header.dialect):
        try:
            if name:
                return find_dialect(name)
        except UsageError:
            continue
    return find_dialect(FALLBACK)


def _deciding_call(step: Step) -> ModelCall | None:
    """The call that the action came from: of several the one whose reply has it, else the first."""
    asked = [call for call in step.calls if not call.purpose and not call.error and call.messages]
    wanted = [text for text in (step.proposed, step.text) if text]
    having = [call for call in asked if any(text in call.reply for text in wanted)]
    return next(iter(having or asked), None)


@cache
def _prompt() -> tuple[Prompt, str]:
    """The prompt and what it is called: one that a user put in its place says so."""
    return load_prompt(PROMPT), PROMPT if placed_prompt(PROMPT).built_in else f"{PROMPT} of the user's own"


def page_before(source: Source, trajectory: Trajectory, at: int) -> Observation | None:
    """The page that was in sight: notes and pauses record none."""
    for step in reversed(trajectory.steps[:at]):
        if step.observation:
            return source.observation(trajectory, step)
        if step.acted:
            return None
    return None


def _view(trajectory: Trajectory, at: int, page: Observation, dialect: str) -> AgentView:
    """As an agent would have got it; the gold answers are not in it."""
    before = trajectory.steps[:at]
    last = next((step for step in reversed(before) if not step.note), None)
    return AgentView(
        task=msgspec.structs.replace(trajectory.header.task, gold={}),
        step=trajectory.steps[at].index,
        observation=page,
        last_action=last.text if last else "",
        last_error=last.error if last else "",
        last_output=last.output if last else "",
        dialect=dialect,
        history=_history(before),
        memory=memory(before),
    )


def _history(before: Sequence[Step]) -> tuple[PastAction, ...]:
    return tuple(
        PastAction(
            text=step.text,
            words=action_words(step.action) if step.action is not None else "",
            error=step.error,
            actor=step.actor,
        )
        for step in before
        if step.acted
    )

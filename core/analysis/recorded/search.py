"""Looking for a text in all that is recorded of an episode, pages included."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from webbench.core.action.aim import named
from webbench.core.action.words import action_words
from webbench.core.analysis.recorded.excerpts import around
from webbench.core.models.call_text import answer_text
from webbench.core.observation import Observation
from webbench.core.text.caseless import caseless
from webbench.core.trajectory import Step, Trajectory

MOST_NODES = 50
"""Nodes of one page that are told; one word may stand on every row of a table."""

FIELDS = ("text", "reasoning", "reply", "prompt", "proposed", "note", "error", "output", "url", "title")


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Where the text was found.

    Attributes:
        step: index of the step; a page belongs to the step that led to it.
        where: "action" (its text, or in words), "reasoning", "reply", "prompt", "proposed", "note", "error",
            "output", "url", "title", "message" (of the page), "dialogue", "dialog" or "page".
        excerpt: the text around it, in one line.
        node: id of the node on the page, None elsewhere.
    """

    step: int
    where: str
    excerpt: str
    node: int | None = None


def search_trajectory(
    trajectory: Trajectory, query: str, look: Callable[[Step], Observation | None]
) -> Iterator[Match]:
    """Every place that holds the query, in order of steps; case and the width of blanks don't matter.

    What is on the page already is told only where it is new or changed since the page before; so prompts of
    single calls, which repeat the page, aren't looked through.

    Args:
        look: gives what was seen after a step, or None where that isn't recorded.
    """
    words = caseless(query)
    if not words:
        return
    before = Observation()
    for step in trajectory.steps:
        yield from _of_step(step, before, words)
        seen = look(step)
        if seen is not None:
            yield from _of_page(step, before, seen, words)
            before = seen


def done_words(step: Step, before: Observation) -> str:
    """What was done at a step: the action in words, that it was none, a note, or the start.

    Args:
        before: the page it was done on; names elements that the action has only an id of.
    """
    if step.action is not None:
        return action_words(named(step.action, before))
    if step.text:
        return f'sent what is no action: "{step.text}"'
    return "the start" if step.index == 0 else "a note"


def _of_step(step: Step, before: Observation, words: str) -> Iterator[Match]:
    for name in FIELDS:
        text = getattr(step, name)
        if name == "text" and words not in caseless(text) and step.action is not None:
            text = done_words(step, before)
        if words in caseless(text):
            where = "action" if name == "text" else name
            yield Match(step=step.index, where=where, excerpt=_excerpt(text, words))
    for answer in map(answer_text, step.calls):
        if words in caseless(answer):
            yield Match(step=step.index, where="reply", excerpt=_excerpt(answer, words))
    for message in step.messages:
        if words in caseless(message.text):
            yield Match(step=step.index, where="message", excerpt=_excerpt(message.text, words))


def _of_page(step: Step, before: Observation, seen: Observation, words: str) -> Iterator[Match]:
    known = {(node.role, node.name, node.value) for node in before.nodes}
    told = 0
    for node in seen.nodes:
        text = node.name if not node.value else f"{node.name}: {node.value}"
        if (node.role, node.name, node.value) in known or words not in caseless(text):
            continue
        yield Match(
            step=step.index, where="page", excerpt=f"{node.role} {_excerpt(text, words)}", node=node.id
        )
        told += 1
        if told == MOST_NODES:
            break
    if seen.dialog is not None and words in caseless(seen.dialog.message):
        yield Match(step=step.index, where="dialog", excerpt=_excerpt(seen.dialog.message, words))
    for turn in seen.dialogue[len(before.dialogue) :]:
        if words in caseless(turn.text):
            yield Match(step=step.index, where="dialogue", excerpt=_excerpt(turn.text, words))


def _excerpt(text: str, words: str) -> str:
    line = " ".join(text.split())
    return around(line, line.casefold().find(words), len(words))

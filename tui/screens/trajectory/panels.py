"""What the side panels say of a recorded step: its model, its notes, the words around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webbench.core.action.action import Remember
from webbench.core.analysis.recorded.time_profile import TimeProfile
from webbench.core.models.call_text import call_texts
from webbench.core.models.spending import spent, spent_text
from webbench.core.observation import Observation
from webbench.core.provenance import provenance_words
from webbench.core.renderings import webarena_text
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.widgets.lists.steps_panel import seconds_text
from webbench.tui.widgets.lists.text_rows import Entry


def model_entries(step: Step, profile: TimeProfile) -> Iterator[Entry]:
    """Why the step was taken: reasoning, what the model was sent and answered, tokens, cost, time."""
    said = (
        ("reasoning", step.reasoning),
        ("reply", step.reply),
        ("prompt", step.prompt),
        *call_texts(step.calls),
    )
    told = False
    if how := provenance_words(step.provenance):
        yield Entry("decided", how)
    if step.proposed:
        yield Entry("proposed", f"{step.proposed} (a person decided otherwise)", "strong")
    for label, text in said:
        if text and not (label == "reply" and text == step.reasoning):
            told = True
            yield Entry(label, text)
    if not told:
        yield Entry("", _silence(step), "muted")
    figures = spent_text(spent(step.usage))
    if figures:
        yield Entry("spent", figures, "strong")
    others = {name: value for name, value in step.usage.items() if isinstance(value, str | int | float)}
    if others:
        yield Entry("usage", ", ".join(f"{name} {value}" for name, value in others.items()), "muted")
    if step.seconds.total:
        yield Entry("time", seconds_text(step.seconds))
    whole = spent_text(profile.spent)
    if whole:
        yield Entry("episode", f"{whole} over all steps", "muted")


def _silence(step: Step) -> str:
    if step.index == 0:
        return "The start: nobody has decided anything yet."
    if step.actor == "agent":
        return "No reasoning, prompt or reply is recorded with this step."
    return "A person took this step: there is no model's input or output."


def note_entries(header: EpisodeHeader, steps: Sequence[Step], problems: Sequence[str]) -> Iterator[Entry]:
    """Remarks by people and programs, what the actor remembered, and what of the record is damaged."""
    for problem in problems:
        yield Entry("record", problem, "bad")
    if header.visitor.words:
        yield Entry("pages saw", header.visitor.words, "muted")
    for warning in header.warnings:
        yield Entry("at the start", warning, "muted")
    if header.agent_reach:
        yield Entry("answers", header.agent_reach, "muted")
    for step in steps:
        if step.note:
            yield Entry(f"step {step.index}", step.note)
        if isinstance(step.action, Remember):
            yield Entry(f"step {step.index}", f"remembered: {step.action.text}", "strong")


def whole_step(step: Step, words: str, page: Observation | None) -> str:
    """All that is recorded of a step and of the page that is shown, uncut, for an editor."""
    parts = (
        ("ACTION", f"{step.text}\n{words}"),
        ("ERROR", step.error),
        ("OUTPUT", step.output),
        ("NOTE", step.note),
        ("REASONING", step.reasoning),
        ("REPLY", step.reply if step.reply != step.reasoning else ""),
        ("PROMPT", step.prompt),
        *((heading.upper(), text) for heading, text in call_texts(step.calls)),
        ("PAGE", webarena_text(page) if page is not None else ""),
    )
    return "\n\n".join(f"=== {label}\n{text}" for label, text in parts if text) + "\n"

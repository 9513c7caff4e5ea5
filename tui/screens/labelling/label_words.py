"""Labels, suggestions and verdicts in words."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.action.action import Say
from webbench.core.analysis.findings.suggestion import TITLES, Suggestion
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.corrections import Verdict
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import Code
from webbench.core.people.labelling.codebook_listing import UNDEFINED
from webbench.core.people.labelling.worksheet import Sheet, Worksheet
from webbench.core.score.explanation import given_words
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lists.decisive_steps import decisive_entries, question_entries
from webbench.tui.widgets.lists.steps_panel import step_entries
from webbench.tui.widgets.lists.text_rows import Entry

MOST_EXAMPLES = 5


def title_text(sheets: Worksheet, sheet: Sheet) -> str:
    """Who labels by what, where in the list one is, and the task."""
    place = f"{sheets.at + 1} of {len(sheets.places)}, {sheets.done_count} done"
    task = sheet.trajectory.header.task
    intent = plain_text(task.intent or task.id, limit=300)
    return f"{sheets.rater.annotator} labels with the taxonomy {sheets.taxonomy.name} · {place} · {intent}"


def verdict_text(verdict: Verdict) -> str:
    """ "as scored 0.000 · as corrected 1.000 (disputed by ann, not confirmed)"."""
    scored = given_words(verdict.scored)
    if not verdict.is_disputed:
        return scored
    return f"as scored {scored} · as corrected {given_words(verdict.corrected)} ({verdict.why})"


def label_text(label: Label, codebook: Codebook) -> str:
    """ "Wrong element (cause.grounding) · how sure 4 of 5 · step 3 shows it · the note"."""
    name = f"{label.question}.{label.code}" if label.code else f"{label.question}: no label"
    known = codebook.definition(label)
    parts = [name if known is None else f"{known[1].title} ({name})"]
    if label.confidence is not None:
        parts.append(f"how sure {label.confidence} of 5")
    if label.evidence is not None:
        parts.append(f"step {label.evidence} shows it")
    if label.note:
        parts.append(label.note)
    return " · ".join(parts)


def suggestion_text(one: Suggestion) -> str:
    """What it is, where, by what; never as if it were decided."""
    steps = f"step {one.step}" if one.first == one.step else f"steps {one.first} to {one.step}"
    quote = f" “{one.quote}”" if one.quote else ""
    return f"{TITLES[one.kind]} ({steps})? {one.text}{quote}"


def judged_text(one: JudgedEpisode) -> str:
    """ "answer.yes? because … · step 3 “words” · 1 citation refused"; why, where there is no verdict."""
    if not one.code:
        return f"{one.question}: no verdict, {one.problem}"
    quotes = [f"step {cited.step} “{cited.quote}”" for cited in one.citations]
    refused = [f"{counted(len(one.refused), 'citation')} refused"] if one.refused else []
    return " · ".join([f"{one.question}.{one.code}? {one.reason}".strip(), *quotes, *refused])


def cited_text(one: JudgedEpisode, step: int) -> str:
    """ "answer.yes? It shows “words”": what a judge holds of the step."""
    quotes = ", ".join(f"“{cited.quote}”" for cited in one.citations if cited.step == step)
    return f"{one.question}.{one.code or 'no verdict'}? It cites {quotes}"


def place_entries(
    sheets: Worksheet, sheet: Sheet, step: int | None, asked: Code | None = None
) -> Iterator[Entry]:
    """What is known of a place: one's own labels, suggestions, others' labels, then the step itself.

    Args:
        asked: a code whose whole definition is wanted first.
    """
    if asked is not None:
        yield Entry(
            plain_text(asked.title), plain_text(asked.definition or UNDEFINED), "strong", quotable=False
        )
        for heading, text in (("when", asked.use_when), ("when not", asked.not_when)):
            if text:
                yield Entry(heading, plain_text(text, limit=2000), quotable=False)
        for example in asked.examples[:MOST_EXAMPLES]:
            quote = f" “{example.quote}”" if example.quote else ""
            yield Entry("example", plain_text(example.place + quote, limit=600), "muted", quotable=False)
    if step is not None and step in sheet.asked:
        yield Entry("asked", plain_text(sheet.asked[step], limit=2000), "strong")
    for label in sheet.labels_of(step):
        yield Entry("yours", label_text(label, sheets.codebook), "strong", quotable=False)
    for memo in sheet.memos:
        if memo.step == step:
            yield Entry("memo", memo.text, quotable=False)
    for label in sheet.others_of(step):
        who = f"{label.annotator} decides" if label.settles else label.annotator
        yield Entry(plain_text(who), label_text(label, sheets.codebook), "good", quotable=False)
    for verdict in sheet.verdicts if step is None else sheet.citing(step):
        told = judged_text(verdict) if step is None else cited_text(verdict, step)
        yield Entry(f"judge {plain_text(verdict.judge.partition(' at ')[0], limit=16)}", told, quotable=False)
    for suggestion in sheet.suggestions_of(step):
        yield Entry("suggested", suggestion_text(suggestion), quotable=False)
    if step is None:
        yield from decisive_entries(sheet.ranking, sheet.named)
    else:
        yield from question_entries(sheet.decisive(step), sheet.naming(step))
    if step is not None:
        shown = next(one for one in sheet.trajectory.steps if one.index == step)
        yield from (one for one in step_entries(shown) if not (sheets.blind and one.label == "score"))
        if isinstance(shown.action, Say) and shown.action.text not in shown.text:
            yield Entry("said", shown.action.text)
        return
    if sheet.hidden:
        yield Entry("others", sheet.hidden, "muted")
    if sheet.open_cases:
        yield Entry("differ", f"{counted(sheet.open_cases, 'question')} to be adjudicated", "bad")
    yield from _episode_entries(sheets, sheet)


def _episode_entries(sheets: Worksheet, sheet: Sheet) -> Iterator[Entry]:
    header = sheet.trajectory.header
    yield Entry("task", header.task.intent or header.task.id)
    yield Entry("actor", header.actor)
    score = "hidden" if sheets.blind else verdict_text(sheet.verdict)
    yield Entry("score", score, "muted" if sheets.blind else "text")
    if header.score is not None and not sheets.blind:
        yield Entry("because", header.score.headline(), "muted")
    if header.end_reason:
        yield Entry("ended", header.end_reason)
    yield Entry("episode", f"{header.run}/{header.episode}", "muted")
    for problem in sheet.trajectory.problems:
        yield Entry("damaged", problem, "bad")

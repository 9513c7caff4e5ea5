"""One recorded episode as a page: what was asked, the score and why, and every step to scrub through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath

from webbench.core.analysis.recorded.known_solution import known_solution, solution_words
from webbench.core.exchange.own.flat_rows import usage_totals
from webbench.core.json_types import Json
from webbench.core.report.pages.decisive_rows import decisive_questions
from webbench.core.report.pages.labels_and_disputes import what_people_said
from webbench.core.report.pages.report_pictures import Gallery
from webbench.core.report.pages.score_rows import check_rows, score_badge, score_story, shortened
from webbench.core.report.pages.standalone_page import fill, resource, self_contained
from webbench.core.report.pages.step_rows import StepReader
from webbench.core.score.explanation import value_words
from webbench.core.score.score import Score
from webbench.core.store.store import Store
from webbench.core.text.durations import duration_words, start_words
from webbench.core.text.plural import counted
from webbench.core.trajectory import EpisodeHeader, Trajectory, known_end

LONGEST_TITLE = 300


def episode_page(
    store: Store, trajectory: Trajectory, *, pictures: bool = True, small: bool = False
) -> tuple[str, list[str]]:
    """The page, and what of the record could not be read.

    Args:
        pictures: screenshots are in it.
    """
    gallery = Gallery(small=small)
    steps = list(StepReader(store, trajectory, gallery if pictures else None).views())
    unread = [*trajectory.problems, *(problem for step in steps for problem in step.unread)]
    header = trajectory.header
    score = header.score
    places = {step.index: place for place, step in enumerate(trajectory.steps)}
    decided = decisive_questions(store, trajectory, anchor=places.get)
    body = fill(
        "episode.html.jinja",
        intent=shortened(header.task.intent, LONGEST_TITLE) or header.task.id,
        full_intent=header.task.intent if len(header.task.intent) > LONGEST_TITLE else "",
        header=header,
        badge=score_badge(score),
        story=score_story(score),
        checks=list(check_rows(score.checks)) if score is not None else [],
        beside=list(score.beside) if score is not None else [],
        metrics=_metrics(score) if score is not None else [],
        loopholes=list(score.loopholes) if score is not None else [],
        facts=list(_facts(trajectory)),
        settings=list(_settings(header)),
        problems=[*header.warnings, *filter(None, [header.agent_reach]), *unread],
        steps=steps,
        images=gallery.images,
        said=what_people_said(store, header),
        decided=[decided] if decided is not None else [],
        headline=score_badge,
        story_of=score_story,
    )
    style = resource("score.css") + resource("steps.css")
    title = f"{header.actor} · {header.task.benchmark} {header.task.id}"
    return self_contained(title, body, style=style, script=resource("steps.js")), unread


def _metrics(score: Score) -> list[tuple[str, str]]:
    return [(name, value_words(value)) for name, value in score.metrics.items()]


def _facts(trajectory: Trajectory) -> Iterator[tuple[str, str]]:
    header, task = trajectory.header, trajectory.header.task
    acted = [step for step in trajectory.steps if step.acted]
    invalid = sum(not step.ok for step in acted)
    totals = usage_totals(trajectory)
    solution = known_solution(task, trajectory.steps)
    facts = (
        ("actor", header.actor),
        ("benchmark", task.benchmark),
        ("task", task.id),
        ("site", task.site),
        ("template", task.template),
        ("split", task.split),
        ("steps", f"{len(acted):,}" + (f", {invalid} without effect" if invalid else "")),
        ("time", duration_words(trajectory.seconds)),
        ("ended", header.end_reason or "no end in the record"),
        ("started", header.started or start_words("")),
        ("forked from", _origin(header)),
        *(solution_words(solution) if solution is not None and header.ended else ()),
        *((name, f"{value:,.6g}" if value % 1 else f"{value:,.0f}") for name, value in totals.items()),
    )
    yield from ((name, text) for name, text in facts if text)


def _settings(header: EpisodeHeader) -> Iterator[tuple[str, str]]:
    """Where it comes from and how it was made."""
    score = header.score
    yield "run", header.run
    yield "episode", header.episode
    yield "action language", header.dialect
    yield "rules", header.rules
    if score is not None:
        yield "evaluator", score.evaluator
        yield "SHA-256 of the reference data", score.data_sha256
        yield "SHA-256 of the evidence", score.evidence_sha256
    if header.driver:
        yield "driver", header.driver
    if words := header.visitor.words:
        yield "pages saw", words
    for name, version in header.versions.items():
        yield name, version
    yield "seed", str(header.seed)
    for name, value in header.settings.items():
        yield name, _setting(name, value)
    yield "ended at", known_end(header)
    if header.resumed_from:
        yield "resumed from", header.resumed_from
    yield "recorded", counted(header.steps, "step")


def _setting(name: str, value: Json) -> str:
    """Of what it was imported from the name alone: where that lay is nobody's business."""
    if name == "imported" and isinstance(value, dict):
        return f"{value.get('format', '')}, from {PurePath(str(value.get('from', ''))).name}"
    return shortened(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 500)


def _origin(header: EpisodeHeader) -> str:
    origin = header.origin
    return f"{origin.run}/{origin.episode}, step {origin.step}" if origin is not None else ""

"""The WebArena evaluator: answer, final address and page contents, each explained down to its comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.benchmarks.webarena.scoring.check_products import bounds_of, combination, product, reason, worst
from webbench.benchmarks.webarena.scoring.loopholes import CONDITIONS
from webbench.benchmarks.webarena.scoring.page_contents import APART, program_html
from webbench.benchmarks.webarena.scoring.rules import (
    LIBWEBARENA,
    PAPER,
    PUBLISHED,
    RULE_SETS,
    with_clauses,
    with_tab_clause,
)
from webbench.benchmarks.webarena.scoring.string_match import string_match
from webbench.benchmarks.webarena.scoring.url_match import url_match
from webbench.benchmarks.webarena.sites import how_to_set, resolved, unresolved
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.score.loopholes import load_loopholes, loopholes_of
from webbench.core.score.rule_sets import unknown_rules
from webbench.core.score.score import Check, Score, Status, digest, failed, not_scored
from webbench.core.task import Task

PACKAGE = "webbench.benchmarks.webarena"
_TARGETS = {"string_match": "answer", "url_match": "url", "program_html": "pages"}


class WebArenaEvaluator:
    """Scores recorded evidence against the `eval` object of a task (`Task.gold`).

    Evidence: {"answer": text, "url": final address, "pages": [{"located": value, "url": address}, ...] one
    per target of program_html, "url_after_pages": address the page checks left the actor's page on,
    "sites": {"__GITLAB__": address, ...}, "replies": of a judge}; what isn't recorded is left out. Of a page
    {"problem": why}, and "url_problem", tell why something was not read live.
    """

    name = "webarena"
    version = "1"

    def questions(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Sequence[Question]:
        """Whether answers mean the same as references, and whether they name why a task can't be done."""
        if "string_match" not in (kinds_of(task.gold) or ()):
            return ()
        try:
            return string_match(task.gold, evidence, task.intent, rules).questions
        except BadData:
            return ()

    def score(self, task: Task, evidence: JsonObject, rules: str = PUBLISHED) -> Score:
        """The score under `rules`, with the other rule sets beside it. Never raises."""
        known = (*RULE_SETS, LIBWEBARENA)
        if rules not in known:
            return unknown_rules(rules, known)
        plain = with_clauses({name: score_under(task, evidence, name) for name in RULE_SETS})
        apart = own_tabs(task, evidence)
        if rules == LIBWEBARENA or apart != evidence:
            theirs = msgspec.structs.replace(score_under(task, apart, PUBLISHED), rules=LIBWEBARENA)
            plain[LIBWEBARENA] = with_tab_clause(plain[PUBLISHED], theirs)
        scores = {name: _with_loopholes(task, evidence, score) for name, score in plain.items()}
        return msgspec.structs.replace(
            scores[rules],
            beside=tuple(score for name, score in scores.items() if name != rules),
            evaluator=f"{self.name} {self.version}",
            data_sha256=digest(task.gold),
            evidence_sha256=digest(evidence),
        )


def own_tabs(task: Task, evidence: JsonObject) -> JsonObject:
    """The evidence as the packaged port would have it; the same where that makes no difference."""
    pages = evidence.get("pages")
    listed = pages if isinstance(pages, list) else []
    kinds = kinds_of(task.gold) or []
    moved = "url_match" in kinds and _address(task.gold, evidence) != evidence.get("url")
    if not moved and not any(isinstance(page, dict) and APART in page for page in listed):
        return evidence
    kept = {key: value for key, value in evidence.items() if key != "url_after_pages"}
    read = [page.get(APART, page) if isinstance(page, dict) else page for page in listed]
    return kept | ({"pages": read} if isinstance(pages, list) else {})


def score_under(task: Task, evidence: JsonObject, rules: str) -> Score:
    """The score under one rule set, without anything beside it. Never raises."""
    kinds = kinds_of(task.gold)
    if kinds is None:
        return failed("the task has no list of eval_types", rules=rules)
    if not kinds and rules == PAPER:
        return not_scored("the task names nothing to check", rules=rules)
    checks = [_check(task, evidence, kind, rules) for kind in kinds]
    status = worst(checks)
    if status is Status.SCORED:
        return Score(
            status=status,
            value=product("", "", checks).value,
            rules=rules,
            combination=combination(checks),
            checks=tuple(checks),
            metrics={check.name: check.value for check in checks},
        )
    return Score(
        status=status,
        reason=reason(checks),
        rules=rules,
        combination=combination(checks),
        checks=tuple(checks),
        interval=bounds_of(checks) if status is Status.PENDING else None,
    )


def _with_loopholes(task: Task, evidence: JsonObject, score: Score) -> Score:
    found = loopholes_of(load_loopholes(PACKAGE), CONDITIONS, task, evidence, score)
    return msgspec.structs.replace(score, loopholes=found)


def kinds_of(gold: JsonObject) -> list[str] | None:
    """The evaluators a task names, None where it has no list of them."""
    kinds = gold.get("eval_types")
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else None


def _check(task: Task, evidence: JsonObject, kind: str, rules: str) -> Check:
    if kind not in _TARGETS:
        why = f'the evaluator "{kind}" is unknown; there are {", ".join(_TARGETS)}'
        return Check(name=kind, target="", status=Status.ERROR, why=why)
    try:
        gold = resolved(task.gold, evidence)
        nameless = unresolved(gold, kind, evidence)
        if nameless:
            site = nameless.strip("_")
            why = f"the address of {nameless} is not known: {how_to_set(site)}"
            return Check(name=kind, target=_TARGETS[kind], status=Status.NOT_SCORED, why=why)
        if kind == "string_match":
            return string_match(gold, evidence, task.intent, rules).check
        if kind == "url_match":
            unread = str(evidence.get("url_problem", ""))
            return url_match(gold, _address(task.gold, evidence), rules, unread=unread)
        return program_html(gold, evidence.get("pages"), rules)
    except BadData as error:
        return Check(name=kind, target=_TARGETS[kind], status=Status.ERROR, why=str(error))


def _address(gold: JsonObject, evidence: JsonObject) -> Json:
    """Where the actor's page is when it comes to url_match: page checks before it may have left it."""
    kinds = kinds_of(gold) or []
    moved = "program_html" in kinds[: kinds.index("url_match")]
    return evidence.get("url_after_pages", evidence.get("url")) if moved else evidence.get("url")

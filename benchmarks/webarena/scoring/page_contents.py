"""The evaluator `program_html`: what was located on pages against the contents they have to have.

Score = product over the targets, and within a target over its requirements. Contents are recorded when the
episode ends (`locate.py`); here they are only compared. Source: WebArena, section 3.2, and the published
code.
"""

from __future__ import annotations

import html

from webbench.benchmarks.webarena.scoring.check_products import product
from webbench.benchmarks.webarena.scoring.excerpts import around, excerpt, quoted
from webbench.benchmarks.webarena.scoring.final_address import OR
from webbench.benchmarks.webarena.scoring.reference_match import exact_match, must_include, normalised
from webbench.benchmarks.webarena.scoring.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Status

NAME = "program_html"
PROBLEM = "problem"
"""Evidence in place of "located": why a page was not read, or not yet."""

FAULT = "fault"
"""The same where the task itself asks for what can't be read."""

APART = "apart"
"""Beside "located": what a tab of its own would have located, where that is another page."""


def program_html(gold: JsonObject, pages: Json, rules: str = PUBLISHED) -> Check:
    """The check with one check per target below it.

    Args:
        gold: the task's `eval` object; needs the list `program_html`.
        pages: one object per target, in order: {"located": any JSON value, "url": where it was read};
            {"problem": why} or {"fault": why} where one was not read; None in place of one, or of all, that
            isn't recorded.

    Raises `BadData` for other shapes, and for requirements that the published code doesn't know.
    """
    targets = gold.get("program_html")
    if not isinstance(targets, list):
        raise BadData("the task has no list program_html of targets")
    listed = pages if isinstance(pages, list) else [None] * len(targets)
    if pages is not None and (not isinstance(pages, list) or len(pages) != len(targets)):
        raise BadData(f"the recorded pages are no list of {len(targets)}, one for each target")
    checks = [
        _target_check(number, target, page, rules)
        for number, (target, page) in enumerate(zip(targets, listed, strict=True), start=1)
    ]
    return product(NAME, "pages", checks)


def _target_check(number: int, target: Json, page: Json, rules: str) -> Check:
    if not isinstance(target, dict):
        raise BadData(f"target {number} of program_html is no object")
    name = f"page {number}: {target.get('url', '')}"
    if page is None:
        why = "the contents of the page are not recorded"
        return Check(name="page", target=name, status=Status.NOT_SCORED, why=why)
    for key, status in ((PROBLEM, Status.NOT_SCORED), (FAULT, Status.ERROR)):
        if isinstance(page, dict) and isinstance(page.get(key), str):
            wanted = target.get("required_contents")
            return Check(name="page", target=name, expected=wanted, status=status, why=page[key])
    if not isinstance(page, dict) or "located" not in page:
        raise BadData(f'page {number} is recorded in another shape than {{"located": ...}}')
    return required_contents(page["located"], target.get("required_contents"), rules, target=name)


def required_contents(
    located: Json, required: Json, rules: str = PUBLISHED, *, target: str = "page"
) -> Check:
    """What was located against one target's requirements.

    Args:
        located: as JavaScript gave it; turned into text as Python writes it, then HTML-unescaped.
        required: {"exact_match": text} or {"must_include": [texts, " |OR| " between alternatives]}.

    Raises `BadData` for other requirements.
    """
    if not isinstance(required, dict):
        raise BadData("required_contents is no object")
    given = html.unescape(str(located))
    checks: list[Check] = []
    if "exact_match" in required:
        checks.append(_exact_check(given, required["exact_match"], rules, target))
    if "must_include" in required and (not checks or rules == PAPER):
        checks += _include_checks(given, required["must_include"], rules, target)
    elif not checks:
        named = ", ".join(map(str, required)) or "nothing"
        raise BadData(f"required_contents names {named}", "there are exact_match and must_include")
    return product("page", target, checks, actual=excerpt(given))


def _exact_check(given: str, wanted: Json, rules: str, target: str) -> Check:
    value = exact_match(wanted, given, rules)
    return Check(
        name="exact_match",
        target=target,
        actual=excerpt(given),
        normalised=excerpt(normalised(given, rules)),
        expected=wanted,
        value=value,
        why=f"{quoted(given)} {'is' if value else 'is not'} {quoted(wanted)}",
    )


def _include_checks(given: str, wanted: Json, rules: str, target: str) -> list[Check]:
    if not isinstance(wanted, list):
        raise BadData("must_include of required_contents is no list of texts")
    return [_include_check(given, item, rules, target) for item in wanted]


def _include_check(given: str, wanted: Json, rules: str, target: str) -> Check:
    if not isinstance(wanted, str):
        raise BadData("must_include of required_contents holds something that is no text")
    alternatives = wanted.split(OR)
    found = next((one for one in alternatives if must_include(one, given, rules=rules)), None)
    compared = normalised(given, rules)
    missing = " or ".join(map(quoted, alternatives))
    return Check(
        name="must_include",
        target=target,
        actual=excerpt(given),
        normalised=around(compared, normalised(found or "", rules)),
        expected=alternatives if len(alternatives) > 1 else wanted,
        value=float(found is not None),
        why=f"{missing} is not in what was located" if found is None else f"{quoted(found)} was located",
    )

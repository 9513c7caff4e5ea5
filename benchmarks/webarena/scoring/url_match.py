"""The evaluator `url_match`: the address the actor ended on against the reference address.

As published ("GOLD in PRED"): host and path of some alternative are part of the actual ones, and every
query key of the alternatives has one of their values. Scheme and fragment don't count. By the paper the
address is identical to one of the alternatives (`exact_match(url, ...)`, section 3.2).
"""

from __future__ import annotations

from webbench.benchmarks.webarena.scoring.check_products import product
from webbench.benchmarks.webarena.scoring.final_address import (
    GOLD_IN_PRED,
    OR,
    check_rule,
    parse_address,
    parse_reference,
)
from webbench.benchmarks.webarena.scoring.reference_match import as_text
from webbench.benchmarks.webarena.scoring.rules import PAPER, PUBLISHED
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Status

NAME = "url_match"


def url_match(gold: JsonObject, url: Json, rules: str = PUBLISHED, *, unread: str = "") -> Check:
    """The check with host and path, and every query key, below it.

    Args:
        gold: the task's `eval` object; needs `reference_url`, and no other `url_note` than "GOLD in PRED".
        url: the address of the page the actor ended on; None where it isn't recorded.
        unread: why it isn't, where that is known.

    Raises `BadData` for another matching rule, and for addresses that can't be parsed.
    """
    if url is None:
        why = unread or "the final address is not recorded"
        return Check(name=NAME, target="url", status=Status.NOT_SCORED, why=why)
    reference = gold.get("reference_url")
    if not isinstance(reference, str):
        raise BadData("the task has no text reference_url to match")
    actual = as_text(url, "the final address")
    if rules == PAPER:
        return product(NAME, "url", [_identical(actual, reference)], actual=actual)
    check_rule(gold.get("url_note", GOLD_IN_PRED))
    return product(NAME, "url", _contained(actual, reference), actual=actual)


def _identical(actual: str, reference: str) -> Check:
    alternatives = reference.split(OR)
    same = actual in alternatives
    return Check(
        name="identical",
        target="url",
        actual=actual,
        normalised=actual,
        expected=alternatives,
        value=float(same),
        why=f"the address is {'' if same else 'not '}identical to {_one_of(len(alternatives))}",
    )


def _contained(actual: str, reference: str) -> list[Check]:
    address, wanted = parse_address(actual), parse_reference(reference)
    inside = next((base for base in wanted.bases if base in address.base), None)
    found = (
        f'"{inside}" is part of "{address.base}"'
        if inside is not None
        else f'{_one_of(len(wanted.bases), "no ")} is part of "{address.base}"'
    )
    checks = [
        Check(
            name="host and path",
            target="url",
            actual=actual,
            normalised=address.base,
            expected=list(wanted.bases),
            value=float(inside is not None),
            why=found,
        )
    ]
    return [*checks, *(_query_check(key, wanted.query[key], address.query.get(key)) for key in wanted.query)]


def _query_check(key: str, wanted: tuple[str, ...], given: list[str] | None) -> Check:
    shared = [value for value in given or () if value in wanted]
    if given is None:
        why = f'the query has no "{key}"'
    elif shared:
        why = f'"{key}" has the wanted value "{shared[0]}"'
    else:
        why = f'"{key}" has none of the wanted values'
    return Check(
        name="query",
        target=key,
        actual=None if given is None else list(given),
        normalised=None if given is None else list(given),
        expected=list(wanted),
        value=float(bool(shared)),
        why=why,
    )


def _one_of(count: int, negation: str = "") -> str:
    if count == 1:
        return f"{negation or 'the '}reference"
    return f"none of {count} alternatives" if negation else f"one of {count} alternatives"

"""Pure comparisons of recorded evidence with what a task wants; every one explains itself.

A rule of `tasks.json` names where its value lies in the evidence (`from`, a dotted path), how it is
compared (`match`) and with what (`expected`, a list):

=========  ==============================================================================================
exact      equals one of the alternatives
text       the same after case folding and collapsing blanks; with `within`, contains one of them
number     the first number in it equals one of the alternatives, give or take `tolerance`
words      contains every word; `a|b` means either
set        intersection over union of the values
lines      intersection over union of order lines, counting pieces
count      has that many elements
done       is true
absent     is not there
=========  ==============================================================================================

A rule with `guard` states what must *not* change: while it holds it is shown but not counted, once it is
broken it counts as 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import msgspec

from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Check, Status


class Verdict(msgspec.Struct, frozen=True):
    """What a comparison found: a value from 0 to 1, what it compared after normalisation, and why."""

    value: float
    normalised: Json
    why: str


def look_up(evidence: JsonObject, path: str) -> Json:
    """The value at a dotted path of keys and indices, None where there is none."""
    value: Json = evidence
    for key in path.split("."):
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def check(rule: JsonObject, actual: Json) -> Check:
    """One rule against the value that the evidence holds for it."""
    verdict = (
        Verdict(0.0, actual, "nothing there yet")
        if actual in (None, "", []) and rule["match"] not in ("absent", "count", "set", "lines")
        else MATCHES[rule["match"]](actual, rule)
    )
    holds = bool(rule.get("guard")) and verdict.value == 1.0
    return Check(
        name=rule["match"],
        target=rule["name"],
        actual=actual,
        normalised=verdict.normalised,
        expected=rule["expected"],
        value=verdict.value,
        counted=not holds,
        why=f"{verdict.why}; must stay so, not counted while it does" if holds else verdict.why,
    )


def unknown(rule: JsonObject, reason: str) -> Check:
    """A rule whose evidence was not recorded: no value is made up for it."""
    return Check(
        name=rule["match"],
        target=rule["name"],
        expected=rule["expected"],
        status=Status.NOT_SCORED,
        why=reason,
    )


def fold(text: Json) -> str:
    """Case-folded, blanks collapsed, quotation marks and a full stop around it dropped."""
    return " ".join(str(text).casefold().split()).strip(" \"'“”‘’.")


def first_number(text: Json) -> float | None:
    """The first decimal number; commas between groups of three digits are thousands."""
    found = re.search(r"-?[0-9]+(?:\.[0-9]+)?", re.sub(r"(?<=[0-9]),(?=[0-9]{3}\b)", "", str(text)))
    return float(found[0]) if found else None


def _exact(actual: Json, rule: JsonObject) -> Verdict:
    if actual in rule["expected"]:
        return Verdict(1.0, actual, "as wanted")
    return Verdict(0.0, actual, f"is {actual!r}, not {_alternatives(rule)}")


def _text(actual: Json, rule: JsonObject) -> Verdict:
    normalised, wanted = fold(actual), [fold(text) for text in rule["expected"]]
    if normalised in wanted:
        return Verdict(1.0, normalised, "same text")
    if rule.get("within") and any(text in normalised for text in wanted):
        return Verdict(1.0, normalised, "contains the wanted text")
    return Verdict(
        0.0, normalised, f"{'does not contain' if rule.get('within') else 'is not'} {_alternatives(rule)}"
    )


def _number(actual: Json, rule: JsonObject) -> Verdict:
    number, tolerance = first_number(actual), rule.get("tolerance", 0)
    if number is None:
        return Verdict(0.0, None, "holds no number")
    if any(abs(number - wanted) <= tolerance + 1e-9 for wanted in rule["expected"]):
        return Verdict(
            1.0, number, "same number" if not tolerance else f"within {tolerance} of the wanted number"
        )
    return Verdict(
        0.0, number, f"{number:g} is not {_alternatives(rule)}" + (f" ± {tolerance}" if tolerance else "")
    )


def _wanted_words(actual: Json, rule: JsonObject) -> Verdict:
    words = set(re.findall(r"\w+", fold(actual)))
    missing = [either for either in rule["expected"] if not words & set(either.split("|"))]
    share = 1 - len(missing) / len(rule["expected"])
    why = "has every wanted word" if not missing else "lacks " + ", ".join(missing).replace("|", " or ")
    return Verdict(share, sorted(words), why)


def _set(actual: Json, rule: JsonObject) -> Verdict:
    return _overlap(Counter(set(actual or ())), Counter(set(rule["expected"])))


def _lines(actual: Json, rule: JsonObject) -> Verdict:
    return _overlap(_pieces(actual or []), _pieces(rule["expected"]))


def _pieces(lines: list[JsonObject]) -> Counter[str]:
    pieces: Counter[str] = Counter()
    for line in lines:
        pieces[" ".join(str(line[key]) for key in ("product", "size", "colour") if line[key])] += line[
            "quantity"
        ]
    return pieces


def _overlap(actual: Counter[str], wanted: Counter[str]) -> Verdict:
    """Intersection over union of two multisets."""
    if actual == wanted:
        return Verdict(1.0, dict(actual), "complete and nothing else")
    missing, extra = wanted - actual, actual - wanted
    told = [
        f"{word}: {_listed(things)}" for word, things in (("lacks", missing), ("too many", extra)) if things
    ]
    return Verdict((actual & wanted).total() / (actual | wanted).total(), dict(actual), "; ".join(told))


def _listed(things: Counter[str]) -> str:
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in sorted(things.items()))


def _count(actual: Json, rule: JsonObject) -> Verdict:
    count = len(actual or ())
    value = 1.0 if count in rule["expected"] else 0.0
    return Verdict(value, count, f"{count} of {_alternatives(rule)}")


def _done(actual: Json, _: JsonObject) -> Verdict:
    return Verdict(1.0, True, "done") if actual is True else Verdict(0.0, actual, "not done yet")


def _absent(actual: Json, _: JsonObject) -> Verdict:
    return Verdict(1.0, None, "not there") if actual is None else Verdict(0.0, actual, "is there")


def _alternatives(rule: JsonObject) -> str:
    return " or ".join(
        repr(wanted) if isinstance(wanted, str) else str(wanted) for wanted in rule["expected"]
    )


MATCHES: dict[str, Callable[[Json, JsonObject], Verdict]] = {
    "exact": _exact,
    "text": _text,
    "number": _number,
    "words": _wanted_words,
    "set": _set,
    "lines": _lines,
    "count": _count,
    "done": _done,
    "absent": _absent,
}

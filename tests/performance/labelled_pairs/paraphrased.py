"""Procedures beside rewrites of themselves: thousands of pairs whose parting is known without a label.

Every rewrite says a procedure in a way in which others of the same table say theirs. A rewrite that means the
same must never part from its procedure, and every step that acts must meet itself; with another value or
another control at one step the two part there and nowhere before.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.performance.labelled_pairs.aligned import Looked, aligned
from tests.performance.labelled_pairs.attempt import FOLDERS, TRAJECTORIES
from tests.performance.labelled_pairs.label import Steps
from webbench.core.analysis.compare.compared_step import Moment, moments
from webbench.core.analysis.compare.stems import canonical
from webbench.core.exchange.place import Place
from webbench.core.exchange.webarena.procedures import action_of_step
from webbench.core.exchange.webarena.wonderbread import create
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory

TABLE = TRAJECTORIES / FOLDERS["wonderbread"] / "human_sops.csv"
SEED = 16

Lines = list[tuple[tuple[int, ...], str]]
"""A rewrite: each of its lines with the steps of the procedure that it tells."""

QUOTE = r"[\"“”]"
CLICK = re.compile(r"^(Click|Select|Choose|Press|Tap)( on| into)?\b", re.IGNORECASE)
NAMED = re.compile(
    rf"^(?:Click|Select|Choose)(?: on)? (?:the )?((?:[a-z]+ ){{0,3}}?){QUOTE}(?P<name>[^\"“”]+){QUOTE} ?"
    r"(?P<role>button|tab|link|option|text ?(?:box|field)|search bar|dropdown|checkbox|icon|field|section)?\b"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
TYPED = re.compile(rf"^(?:Type|Enter|Input)(?: in)? {QUOTE}(?P<value>[^\"“”]+){QUOTE}(?P<rest>.*)$")
READS = re.compile(
    r"^(?:Scroll|Locate|Identify|Observe|Look|Note|Report|Read|Wait|Count|Given|Record|Verify|Find|See)\b(?!.*"
    r"\b(?:click|type|enter|press|select|choose|hit|open)\b)",
    re.IGNORECASE,
)
ANOTHER = re.compile(r"\b(?:click|type|enter|press|select|choose|hit)\b", re.IGNORECASE)
"""Another act of the same sentence."""
PLACE = re.compile(
    r"(?:, (?:which is )?located .*|,? (?:at|on|in) the (?:far |very |upper |lower )?"
    r"(?:top|bottom|left|right|center|middle)[^,.;]*)\.?$",
    re.IGNORECASE,
)


def paraphrased(shared: Path) -> Iterator[tuple[str, Counter[str]]]:
    """Each rewrite, with how many pairs it makes and in how many the alignment is right."""
    table = shared / TABLE
    procedures = [
        [one.step.text for one in episode.steps if one.step.text]
        for episode in create().episodes(Place(table, table.parent))
    ]
    walks = [_walk(texts) for texts in procedures]
    rng = random.Random(SEED)
    names = sorted({found["name"] for texts in procedures for text in texts if (found := NAMED.match(text))})
    for name, rewrite in REWRITES.items():
        counts = Counter[str]()
        for texts, walk in zip(procedures, walks, strict=True):
            lines = rewrite(texts, rng)
            if [text for _, text in lines] != texts:
                counts += _same(walk, _walk([text for _, text in lines]), lines, texts)
        yield name, counts
    for name, change in (("another value", _other_value), ("another control", _other_control)):
        counts = Counter[str]()
        for texts, walk in zip(procedures, walks, strict=True):
            places = [at for at, text in enumerate(texts) if change(text, "") is not None]
            if places:
                at = rng.choice(places)
                changed = [*texts[:at], change(texts[at], rng.choice(names)) or "", *texts[at + 1 :]]
                first = aligned(_looked(walk, _walk(changed))).first
                counts += Counter(pairs=1, right=int(first == (at + 1, at + 1)))
        yield name, counts


def _walk(texts: Sequence[str]) -> tuple[Moment, ...]:
    steps = tuple(
        Step(index=at, at="", text=text, action=action_of_step(text), actor="human")
        for at, text in enumerate(texts, 1)
    )
    return moments(Trajectory(header=HEADER, steps=steps), lambda _: None)


def _looked(one: tuple[Moment, ...], other: tuple[Moment, ...]) -> Looked:
    return Looked(walks=(one, other), ends=(len(one) + 1, len(other) + 1), turned=False)


def _same(
    one: tuple[Moment, ...], other: tuple[Moment, ...], lines: Lines, texts: Sequence[str]
) -> Counter[str]:
    found = aligned(_looked(one, other))
    told: set[Steps] = {
        (step, at)
        for at, (steps, _) in enumerate(lines, 1)
        for step in steps
        if not READS.match(texts[step - 1])
    }
    met = {pair for pair in found.meetings if not READS.match(texts[pair[0] - 1])}
    return Counter(
        pairs=1, right=int(found.first is None), met=len(met), told=len(told), met_right=len(met & told)
    )


def _each(change: Callable[[str], str]) -> Callable[[Sequence[str], random.Random], Lines]:
    return lambda texts, _: [((at,), change(text)) for at, text in enumerate(texts, 1)]


def _by(word: str) -> Callable[[str], str]:
    return lambda text: CLICK.sub(word, text) if NAMED.match(text) else text


def _bare(text: str) -> str:
    found = NAMED.match(text)
    return f'Click "{found["name"]}"' if found and not ANOTHER.search(found["rest"]) else text


def _unquoted(text: str) -> str:
    found = NAMED.match(text)
    if found is None or not canonical(found["name"]):
        return text
    return f"Click on the {found['name']} {found['role'] or ''}{found['rest']}"


def _fronted(text: str) -> str:
    found = PLACE.search(text)
    if found is None or ANOTHER.search(text[1:]) or not found[0].strip(", ").startswith(("at", "on", "in")):
        return text
    return f"{found[0].strip(', .').capitalize()}, {text[:1].lower()}{text[1 : found.start()]}."


def _typing(text: str) -> str:
    found = TYPED.match(text)
    return f'Input the text "{found["value"]}"{found["rest"]}' if found else text


def _in_this_case(text: str) -> str:
    found = TYPED.match(text)
    return f'Type in the desired text, in this case "{found["value"]}"{found["rest"]}' if found else text


def _found_first(text: str) -> str:
    found = NAMED.match(text)
    if found is None or ANOTHER.search(found["rest"]):
        return text
    return f'Locate the "{found["name"]}" {found["role"] or "button"} and click on it'


def _purpose(text: str) -> str:
    return f"{text.rstrip('. ')} to continue." if NAMED.match(text) and " to " not in text else text


def _merged(texts: Sequence[str], _: random.Random) -> Lines:
    """A click and the typing after it in one sentence, as every other writer tells it."""
    found: Lines = []
    for at, text in enumerate(texts, 1):
        before = found[-1] if found else None
        if before and len(before[0]) == 1 and CLICK.match(before[1]) and TYPED.match(text):
            joined = f"{before[1].rstrip('. ')} and {text[:1].lower()}{text[1:]}"
            found[-1] = ((*before[0], at), joined)
        else:
            found.append(((at,), text))
    return found


def _split(texts: Sequence[str], _: random.Random) -> Lines:
    """What is found first stands in a line of its own."""
    found: Lines = []
    for at, text in enumerate(texts, 1):
        if named := NAMED.match(text):
            found.append(((), f'Locate the "{named["name"]}" {named["role"] or "button"}.'))
        found.append(((at,), text))
    return found


def _without_reading(texts: Sequence[str], _: random.Random) -> Lines:
    return [((at,), text) for at, text in enumerate(texts, 1) if not READS.match(text)]


def _with_aside(texts: Sequence[str], rng: random.Random) -> Lines:
    found: Lines = [((at,), text) for at, text in enumerate(texts, 1)]
    found.insert(rng.randrange(len(found)), ((), rng.choice(ASIDES)))
    return found


def _other_value(text: str, value: str) -> str | None:
    found = TYPED.match(text)
    return f"{text[: found.start('value')]}quite different{text[found.end('value') :]}" if found else None


def _other_control(text: str, name: str) -> str | None:
    found = NAMED.match(text)
    if found is None or found["name"].casefold() == name.casefold():
        return None
    return text[: found.start("name")] + name + text[found.end("name") :]


HEADER = EpisodeHeader(
    run="", episode="", task=Task(benchmark="webarena", name="0", intent=""), actor="human", dialect="human"
)
ASIDES = (
    "Scroll down to see more.",
    "Wait for the page to load.",
    "The page with the results will open.",
    "You should now see the page.",
    "Look for the desired entry in the list.",
)
REWRITES: dict[str, Callable[[Sequence[str], random.Random], Lines]] = {
    "straight quotes": _each(lambda text: re.sub("[“”]", '"', text)),
    "single quotes": _each(lambda text: re.sub(rf"{QUOTE}([^\"“”]+){QUOTE}", r"'\1'", text)),
    "'Select' for 'Click on'": _each(_by("Select")),
    "'Navigate to' for 'Click on'": _each(_by("Navigate to")),
    "'Go to' for 'Click on'": _each(_by("Go to")),
    "'Open' for 'Click on'": _each(_by("Open")),
    "only the control's name": _each(_bare),
    "control without quotes": _each(_unquoted),
    "no places": _each(lambda text: PLACE.sub(".", text)),
    "places first": _each(_fronted),
    "'Input the text' for 'Type'": _each(_typing),
    "'in this case' before what is typed": _each(_in_this_case),
    "'Locate ... and click on it'": _each(_found_first),
    "a purpose at the end": _each(_purpose),
    "click and typing in one step": _merged,
    "finding in a step of its own": _split,
    "no steps that read": _without_reading,
    "one more step that reads": _with_aside,
}

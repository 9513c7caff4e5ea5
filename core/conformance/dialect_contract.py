"""What an action language has to keep: what it writes it reads, nothing makes it raise, errors help."""

from __future__ import annotations

import random

from webbench.core.action.action import Action, Click, ElementRef
from webbench.core.conformance.generated import ACTIONS, any_action, any_text, damaged_text
from webbench.core.conformance.rule import Ledger, Rule, require
from webbench.core.dialects.dialect import Dialect, ParseError, find_dialect, verb_word
from webbench.core.observation import AccessibilityNode, Box, Observation

CONTRACT = "core/dialects/dialect.py::Dialect"
LONGEST_NEAREST = 1200
MOST_COMPLETIONS = 50
TEXTS_TRIED = 400
OF_EACH_KIND = 12
HUGE = (
    "x" * 200_000,
    "[" * 200_000,
    "(" * 200_000,
    "{" * 200_000,
    '{"a":' * 50_000,
    "click [" + "1" * 200_000 + "]",
)

PAGE = Observation(
    url="http://shop.test/",
    title="Shop",
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Shop", box=Box(0, 0, 1280, 720)),
        AccessibilityNode(
            id=7,
            role="button",
            name="Order now",
            depth=1,
            tag="button",
            interactive=True,
            box=Box(9, 9, 90, 20),
        ),
        AccessibilityNode(id=8, role="StaticText", name="Blue mugs", depth=1, box=Box(9, 40, 90, 20)),
    ),
)
"""A page that every language can put into words."""

NAME = Rule(
    name="dialect-name",
    expected="`name` is the name of its entry point",
    why="tasks name a language by its entry point, and records by its `name`: both have to be one",
    contract=f"{CONTRACT}.name",
)
HELP = Rule(
    name="dialect-help",
    expected="every example in `verbs()` is an action, is written in the language's own words, and no "
    "form stands twice",
    why="people and models learn the language from its help",
    contract=f"{CONTRACT}.verbs",
)
ROUND_TRIP = Rule(
    name="dialect-round-trip",
    expected="`parse(format(action)) == action` for every kind of action",
    why="records, replays and forks write an action down and read it again",
    contract=f"{CONTRACT}.format",
)
JSON = Rule(
    name="dialect-json",
    expected='`{"verb": "click", "target": {"id": 12}}` is read as a click on element 12',
    why="an action that a language has no word for is written in the shared notation",
    contract=f"{CONTRACT}.format",
)
NEVER_RAISES = Rule(
    name="dialect-never-raises",
    expected="any text is an action or a `ParseError`",
    why="texts come from models: one that raises ends the episode, and counts as a fault of ours",
    contract=f"{CONTRACT}.parse",
)
ERRORS = Rule(
    name="dialect-errors",
    expected="a `ParseError` has a place in the text, a reason, and the nearest form, of the verb "
    "that was meant",
    why="it is all that a model is told of what was wrong",
    contract="core/dialects/dialect.py::ParseError",
)
COMPLETION = Rule(
    name="dialect-completion",
    expected=f"`complete` never raises, gives at most {MOST_COMPLETIONS}, and goes on from the "
    "beginning of a verb",
    why="it is called at every key that a person types",
    contract=f"{CONTRACT}.complete",
)
RENDERING = Rule(
    name="dialect-render",
    expected="`render` gives a text with the names of what is on the page, also where the page is "
    "empty or gone",
    why="it is what an agent reads at every step",
    contract=f"{CONTRACT}.render",
)


def check(name: str, ledger: Ledger, seed: int) -> None:
    """All rules, of the language with this name."""
    dialect = find_dialect(name)
    ledger.ask(NAME, lambda: _named(dialect, name))
    ledger.ask(HELP, lambda: help_kept(dialect))
    ledger.ask(ROUND_TRIP, lambda: round_trips(dialect, seed))
    ledger.ask(JSON, lambda: shared_notation(dialect))
    ledger.ask(NEVER_RAISES, lambda: never_raises(dialect, seed))
    ledger.ask(ERRORS, lambda: errors_help(dialect))
    ledger.ask(COMPLETION, lambda: completes(dialect, seed))
    ledger.ask(RENDERING, lambda: renders(dialect))


def _named(dialect: Dialect, name: str) -> str:
    require(dialect.name == name, f"its name is {dialect.name!r}, its entry point {name!r}")
    return name


def help_kept(dialect: Dialect) -> str:
    """Raises `Broken`."""
    helps = dialect.verbs()
    require(bool(helps), "verbs() is empty")
    for line in helps:
        read = dialect.parse(line.example)
        require(not isinstance(read, ParseError), f"the example {line.example!r} is no action: {read}")
        written = dialect.format(read) if not isinstance(read, ParseError) else ""
        require(not written.startswith("{"), f"the example {line.example!r} is written as {written!r}")
        require(bool(line.meaning.strip()), f"{line.form!r} has no meaning")
    forms = [line.form for line in helps]
    twice = {form for form in forms if forms.count(form) > 1}
    require(not twice, f"these forms stand twice: {sorted(twice)}")
    return f"{len(helps)} verbs"


def read_back(dialect: Dialect, action: Action) -> None:
    """Raises `Broken` where the action isn't read as it is written."""
    text = dialect.format(action)
    read = dialect.parse(text)
    require(read == action, f"{action!r} is written as {text!r}, which is read as {read!r}")


def round_trips(dialect: Dialect, seed: int) -> str:
    """Raises `Broken`."""
    chance = random.Random(seed)
    for kind in ACTIONS:
        for _ in range(OF_EACH_KIND):
            read_back(dialect, any_action(kind, chance))
    for line in dialect.verbs():
        read = dialect.parse(line.example)
        if not isinstance(read, ParseError):
            read_back(dialect, read)
    return f"{OF_EACH_KIND} of each of {len(ACTIONS)} kinds of actions"


def shared_notation(dialect: Dialect) -> str:
    """Raises `Broken`."""
    text = '{"verb": "click", "target": {"id": 12}}'
    read = dialect.parse(text)
    require(read == Click(target=ElementRef(id=12)), f"{text} is read as {read!r}")
    return text


def answered(dialect: Dialect, text: str) -> None:
    """A text gives an action that can be written again, or an error that helps. Raises `Broken`."""
    answer = dialect.parse(text)
    shown = text[:60]
    if isinstance(answer, ParseError):
        inside = 0 <= answer.position <= len(text)
        require(inside, f"{shown!r}: the error is at {answer.position} of {len(text)} characters")
        require(bool(answer.reason and answer.nearest), f"{shown!r}: the error says {answer}")
        short = len(answer.nearest) < LONGEST_NEAREST
        require(short, f"{shown!r}: `nearest` has {len(answer.nearest)} characters")
    else:
        read_back(dialect, answer)


def never_raises(dialect: Dialect, seed: int) -> str:
    """Raises `Broken`, and what the language raises."""
    chance = random.Random(seed)
    examples = [line.example for line in dialect.verbs()]
    for _ in range(TEXTS_TRIED):
        answered(dialect, any_text(chance))
        answered(dialect, damaged_text(chance.choice(examples), chance))
    for text in HUGE:
        answered(dialect, text)
    return f"{2 * TEXTS_TRIED + len(HUGE)} texts, drawn with seed {seed}"


def errors_help(dialect: Dialect) -> str:
    """A verb with a letter too many is told with the verb that was meant. Raises `Broken`."""
    tried = 0
    verbs = {verb_word(line) for line in dialect.verbs()}
    for line in dialect.verbs():
        verb = verb_word(line)
        wrong = f"{verb}q"
        if wrong in verbs or not verb.isidentifier() or not line.example.startswith(verb):
            continue
        answer = dialect.parse(line.example.replace(verb, wrong, 1))
        if not isinstance(answer, ParseError):
            continue
        tried += 1
        near = any(one in answer.nearest for one in (verb, verb.rpartition("_")[2]))
        require(near, f"{wrong!r} is told with {answer.nearest!r}, not with {verb!r}")
    return f"{tried} misspelt verbs"


def completes(dialect: Dialect, seed: int) -> str:
    """Raises `Broken`, and what the language raises."""
    chance = random.Random(seed)
    for _ in range(TEXTS_TRIED // 4):
        text = any_text(chance)
        for page in (None, PAGE):
            given = dialect.complete(text, page)
            require(len(given) <= MOST_COMPLETIONS, f"{text!r} has {len(given)} completions")
            places = [one.start for one in given if not 0 <= one.start <= len(text)]
            require(not places, f"{text!r}: completions start at {places}")
    for line in dialect.verbs():
        verb = verb_word(line)
        begun = verb[: max(1, len(verb) - 1)]
        texts = [begun[: one.start] + one.text for one in dialect.complete(begun, PAGE)]
        require(any(verb in text for text in texts), f"{begun!r} isn't completed to {verb!r}: {texts[:5]}")
    return f"{TEXTS_TRIED // 4} texts, and the beginning of every verb"


def renders(dialect: Dialect) -> str:
    """Raises `Broken`, and what the language raises."""
    text = dialect.render(PAGE)
    missing = [one for one in ("Order now", "Blue mugs") if one not in text]
    require(not missing, f"of a page with {missing} it says {text[:200]!r}")
    for page in (Observation(), Observation(condition="crashed", problem="the page crashed")):
        require(isinstance(dialect.render(page), str), f"of {page.condition} it gives no text")
    return "a page, an empty one, and one that crashed"

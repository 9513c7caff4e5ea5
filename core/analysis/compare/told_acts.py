"""Which acts a step tells: several in one sentence, one in two steps, or none at all.

A procedure in prose says in one step what another says in three ("click on the search bar, type the name and
click on the user"); a step of an agent may type and send at once. Each act becomes a moment of its own, so a
step may stand in several rows. Looking, waiting, thinking and saying are no acts. A click into the field that
is typed into next, the opening of a list and the sending of a search belong to the act beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.compare.compared_step import Moment, called
from webbench.core.analysis.compare.element_identity import plain
from webbench.core.analysis.compare.stems import word_set, words_of

Kind = Literal["click", "type", "read"]

_CLICKS = word_set(
    "click press tap hit select choose pick open expand collapse toggle tick untick uncheck go navigate "
    "visit follow submit drag clear delete remove save create hover"
)
_TYPES = word_set("type enter input fill write paste insert search")
_READS = word_set(
    "scroll locate find identify look see observe verify check note record report state read count wait view "
    "review repeat copy calculate determine examine inspect keep take ensure confirm remember give provide "
    "answer return compare sum make pay list tell visually manually continue watch browse scan analyze "
    "analyse recall understand consider add"
)
VERBS: dict[str, Kind] = {
    **dict.fromkeys(_CLICKS, "click"),
    **dict.fromkeys(_TYPES, "type"),
    **dict.fromkeys(_READS, "read"),
}
"""What a clause does, by its first word. Reading leaves everything as it is."""
READING = word_set("say remember noop scroll scrollto gethtml capturescreen")
"""Verbs of recorded actions that do nothing to a page."""
ENTRY_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "textarea", "listbox"})
LIST_ROLES = frozenset({"combobox", "listbox"})
SENDERS = frozenset({"search", "go", "find", "show result", "comput", "click search", "submit comput"})
_SEARCHING = frozenset({"search", "filter", "find", "keyword", "query"})
_QUOTED = re.compile(r"“([^”“]+)[”“]|\"([^\"]+)\"|‘([^’]+)’|(?<!\w)'([^']+)'(?!\w)")
_JOINT = re.compile(
    r"(?P<stop>[.;]\s+)|,?\s+(?P<by>by)\s+|,?\s+(?:and\s+then|and|then)\s+|,\s+|\s+(?P<to>to)\s+",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"\b(?:the|on|in|into|to|of|for|a|an|from|your|that|and|until|all|their|its)\b", re.IGNORECASE
)
_LIST = re.compile(
    r"^\W*\w+ (?:on |into )?(?:the |a )?(?:[\w“”‘’'\"-]+ ){0,4}?(?:drop-? ?down|combo ?box|select box)\b",
    re.IGNORECASE,
)
"""The opening of a list; what is chosen "from the dropdown" is no such thing."""
_FROM_LIST = re.compile(r"\b(?:from|in|of) (?:the |a )?[\w -]*drop", re.IGNORECASE)
_DONE = {
    "click": re.compile(r"\b(?:click|press|tap|select|choose|hit|open)", re.IGNORECASE),
    "type": re.compile(r"\b(?:typ|enter|input|fill|writ|past|insert|search for|set)", re.IGNORECASE),
}
_ENTER = re.compile(r"\b(?:enter|return)\b", re.IGNORECASE)
_UNSAID = re.compile(
    r"\((?:thought|->|termination)|^[^:]{0,40}(?:terminal|executor)[^:]{0,10}:", re.IGNORECASE
)
"""Lines of a chat of agents that are plans, requests or what a machine printed."""


def acts(walk: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments of an attempt, a moment for each act that is told; those of one step keep its number."""
    return _parts_marked([one for moment in walk for one in _told(moment)])


def is_search(moment: Moment) -> bool:
    """Whether what is typed only finds something."""
    said = words_of(f"{moment.element[1] if moment.element else ''} {moment.told or moment.text}")
    return moment.verb == "type" and not _SEARCHING.isdisjoint(said)


class _Clause(msgspec.Struct, frozen=True):
    kind: Kind
    words: str
    """As they were written."""
    quoted: tuple[str, ...]


def _told(moment: Moment) -> Iterator[Moment]:
    if moment.verb == "say":
        yield msgspec.structs.replace(moment, reads=_UNSAID.search(moment.text[:80]) is not None)
    elif moment.enter and not is_sentence(moment):
        yield msgspec.structs.replace(moment, effect="", after="", left=frozenset(), told=moment.text)
        yield _sending(moment, "and press Enter")
    elif moment.verb in READING and not is_sentence(moment):
        yield msgspec.structs.replace(moment, reads=True)
    elif not moment.verb and (verb := called(moment.text)) is not None:
        yield msgspec.structs.replace(moment, verb=verb, reads=not verb and moment.ok)
    elif is_sentence(moment):
        yield from _from_prose(moment)
    else:
        yield moment


def is_sentence(moment: Moment) -> bool:
    """Whether the text is a sentence; that of an action in a notation is none."""
    if moment.verb == "stop" or not moment.ok or called(moment.text) is not None:
        return False
    first = moment.text.partition(" ")[0]
    if first.casefold() in VERBS:
        return first[:1].isupper()
    return first.isalpha() and len(_PROSE.findall(moment.text)) > 1


def _from_prose(moment: Moment) -> Iterator[Moment]:
    """The recorded action in its place among the acts that the sentence tells."""
    clauses = _clauses(moment.text)
    done = [clause for clause in clauses if clause.kind != "read"]
    recorded = _kind(moment)
    if not done:
        said = recorded in _DONE and _DONE[recorded].search(_QUOTED.sub("", moment.text)) is not None
        yield msgspec.structs.replace(_named(moment), reads=not said)
        return
    if len(done) == 1 and recorded == done[0].kind:
        yield _named(moment)
        return
    at = next((at for at, clause in enumerate(done) if clause.kind == recorded), None)
    for number, clause in enumerate(done):
        if number == at:
            yield msgspec.structs.replace(_named(moment), told=clause.words)
        else:
            yield _of_clause(moment, clause)
    if moment.enter and not any(one.kind == "click" and _ENTER.search(one.words) for one in done):
        yield _sending(moment, "and press Enter")


def _named(moment: Moment) -> Moment:
    """A name that the sentence doesn't quote describes the control ("the first user") and names none."""
    quoted = {plain(one) for found in _QUOTED.findall(moment.text) for one in found if one}
    described = moment.verb == "click" and (moment.element is None or moment.element[1] not in quoted)
    return msgspec.structs.replace(moment, vague=described)


def _kind(moment: Moment) -> Kind | None:
    if moment.verb in ("click", "press", "check", "goto", "newtab"):
        return "click"
    if moment.verb == "type":
        return "type"
    return "read" if moment.verb else None


def _of_clause(moment: Moment, clause: _Clause) -> Moment:
    name = clause.quoted[0] if clause.quoted else ""
    pressed = re.match(r"\w+\W+(?:the\W+)?(?:enter|return)\b", clause.words, re.IGNORECASE)
    return Moment(
        step=moment.step,
        url=moment.url,
        title=moment.title,
        shingles=moment.shingles,
        state=moment.state,
        verb="press" if pressed else clause.kind,
        element=("", name.casefold()) if name and clause.kind == "click" and not pressed else None,
        value="enter" if pressed else (name.casefold() if clause.kind == "type" else ""),
        text=moment.text,
        vague=not name and not pressed,
        told=clause.words,
    )


def _sending(moment: Moment, told: str) -> Moment:
    return msgspec.structs.replace(
        moment, verb="send", element=None, selector="", value="", enter=False, part=True, told=told
    )


def _clauses(text: str) -> list[_Clause]:
    """Clauses that begin with a verb; others belong to the one before them."""
    quotes: list[str] = []

    def masked(found: re.Match[str]) -> str:
        quotes.append(next(one for one in found.groups() if one is not None))
        return f"\x00{len(quotes) - 1}\x00"

    plain = _QUOTED.sub(masked, text)
    found: list[_Clause] = []
    start, joint = 0, ""
    for cut in [*_JOINT.finditer(plain), None]:
        piece = plain[start : cut.start() if cut else len(plain)]
        kind = _verb_of(piece)
        if kind is not None:
            _join(found, _Clause(kind, _shown(piece, quotes), _names(piece, quotes)), joint)
        elif found and joint != "stop":
            last = found[-1]
            words = f"{last.words} {_shown(piece, quotes)}"
            found[-1] = _Clause(last.kind, words, (*last.quoted, *_names(piece, quotes)))
        if cut:
            start, joint = cut.end(), next((name for name, at in cut.groupdict().items() if at), "and")
    return found


def _join(found: list[_Clause], clause: _Clause, joint: str) -> None:
    """A purpose ("to see ...") is no act of its own; a means ("by clicking ...") is the act itself."""
    if joint not in ("to", "by"):
        found.append(clause)
    elif found and clause.kind != "read" and (joint == "by" or found[-1].kind == "read"):
        found[-1] = clause


def _verb_of(piece: str) -> Kind | None:
    first = re.match(r"\W*(?:please\s+|again\s+|next,?\s+|first,?\s+)?([a-z]+)", piece, re.IGNORECASE)
    if first is None:
        return None
    word = first[1].casefold()
    stems = (word, word.removesuffix("ing"), word.removesuffix("ing") + "e", word.removesuffix("s"))
    doubled = word.removesuffix("ing")[:-1] if word.endswith("ing") else word
    return next((VERBS[one] for one in (*stems, doubled) if one in VERBS), None)


def _names(piece: str, quotes: Sequence[str]) -> tuple[str, ...]:
    return tuple(quotes[int(at)] for at in re.findall(r"\x00(\d+)\x00", piece))


def _shown(piece: str, quotes: Sequence[str]) -> str:
    return re.sub(r"\x00(\d+)\x00", lambda at: f'"{quotes[int(at[1])]}"', piece).strip()


def _parts_marked(walk: Sequence[Moment]) -> tuple[Moment, ...]:
    found = list(walk)
    for at, moment in enumerate(found):
        following = next((one for one in found[at + 1 :] if not one.reads), None)
        before = next((one for one in reversed(found[:at]) if not (one.reads or one.part or one.vague)), None)
        if before is not None and before.verb == "type" and _sends(moment):
            found[at] = _sending(moment, moment.told)
        elif moment.verb == "click" and following is not None and _prepares(moment, following):
            found[at] = msgspec.structs.replace(moment, part=True)
    return tuple(found)


def _sends(moment: Moment) -> bool:
    if moment.verb == "press":
        return moment.value in ("enter", "return")
    if moment.verb != "click" or moment.element is None:
        return False
    said = words_of(moment.element[1])
    return bool(said) and " ".join(said) in SENDERS


def _prepares(click: Moment, following: Moment) -> bool:
    """Whether a click only gets ready for the next act: it enters a field or opens a list."""
    if following.verb == "type":
        if click.element is None or following.element is None:
            return click.vague or (click.element is not None and click.element[0] in ENTRY_ROLES)
        return click.element[0] in ENTRY_ROLES or _names_one_field(click.element[1], following.element[1])
    opens = click.element is not None and click.element[0] in LIST_ROLES
    return following.verb == "click" and (opens or _opens_list(click.told or click.text))


def _opens_list(text: str) -> bool:
    return _LIST.match(text) is not None and _FROM_LIST.search(text) is None


def _names_one_field(clicked: str, into: str) -> bool:
    one, other = set(words_of(clicked)), set(words_of(into))
    return clicked == into or bool(one and other and (one <= other or other <= one))

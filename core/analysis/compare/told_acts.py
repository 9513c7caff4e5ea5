"""Which acts a step tells: several in one sentence, one in two steps, or none at all.

A procedure in prose says in one step what another says in three ("click on the search bar, type the name and
click on the user"); a step of an agent may type and send at once. Each act becomes a moment of its own, so a
step may stand in several rows. Looking, waiting, thinking and saying are no acts. A click into the field that
is typed into next, the opening of a list and the sending of a search belong to the act beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.analysis.compare.clauses import QUOTED, VERBS, clauses
from webbench.core.analysis.compare.compared_step import Moment, called
from webbench.core.analysis.compare.stems import word_set, words_of

READING = word_set("say remember noop scroll scrollto gethtml capturescreen")
"""Verbs of recorded actions that do nothing to a page."""
ENTRY_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "textarea", "listbox"})
LIST_ROLES = frozenset({"combobox", "listbox"})
SENDERS = frozenset(
    {"search", "enter", "go", "find", "show result", "comput", "click search", "submit comput"}
)
GENERAL = frozenset(words_of("search"))
"""Stems of a field's name that any field for searching may be called by."""
_SEARCHING = frozenset({"search", "filter", "find", "keyword", "query"})
LINE = 120
"""Characters of a line of a chat that tell what it is."""
_SEARCHES = re.compile(r"\W*(?:\w+\s+)?search(?:ing)?\b", re.IGNORECASE)
_PROSE = re.compile(
    r"\b(?:the|on|in|into|to|of|for|a|an|from|your|that|and|until|all|their|its|is|are|we|you)\b",
    re.IGNORECASE,
)
_NOTATION = re.compile(r"^\w+(?:\s*[\[({]|:\W*\d)|->|<\w")
_UNSAID = re.compile(
    r"\((?:thought|->|termination)|^[^:]{0,40}(?:terminal|executor)[^:]{0,10}:(?! exitcode)"
    r"|^[^:]{0,40}:[^.:]*\b(?:plan|steps)\b",
    re.IGNORECASE,
)
"""Lines of a chat of agents that are plans, requests or what a machine prints that has run nothing."""


def acts(walk: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments of an attempt, a moment for each act that is told; those of one step keep its number."""
    return _parts_marked([one for moment in walk for one in _acts_told(moment)])


def is_search(moment: Moment) -> bool:
    """Whether what is typed only finds something."""
    said = words_of(f"{moment.element[1] if moment.element else ''} {moment.told or moment.text}")
    return moment.verb == "type" and not _SEARCHING.isdisjoint(said)


def _acts_told(moment: Moment) -> Iterator[Moment]:
    if moment.verb == "say":
        yield msgspec.structs.replace(moment, reads=_UNSAID.search(moment.text[:LINE]) is not None)
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
    text = moment.text
    if moment.verb == "stop" or not moment.ok or _NOTATION.search(text) or called(text) is not None:
        return False
    first = re.match(r"\W*(\w+)", text)
    if first is None or not first[1].isalpha() or (moment.verb not in ("", "say") and _is_recorded(moment)):
        return False
    capital = first[1][:1].isupper()
    if first[1].casefold() in VERBS:
        return capital or QUOTED.search(text) is not None
    return len(_PROSE.findall(text)) > 1 or (capital and not moment.verb and text.count(" ") > 1)


def _is_recorded(moment: Moment) -> bool:
    """What was done is known from the page itself."""
    return bool(moment.state or moment.selector)


def _from_prose(moment: Moment) -> Iterator[Moment]:
    """A moment for each act that the sentence tells."""
    done = [clause for clause in clauses(moment.text) if clause.kind != "read"]
    if not done:
        yield msgspec.structs.replace(moment, reads=True)
    for clause in done:
        told = Moment(
            step=moment.step,
            url=moment.url,
            title=moment.title,
            shingles=moment.shingles,
            state=moment.state,
            verb=clause.kind,
            element=(clause.role, clause.control) if clause.control or clause.role else None,
            value=clause.value,
            text=moment.text,
            vague=clause.is_vague,
            part=clause.could,
            told=clause.words if len(done) > 1 else "",
            gist=clause.gist,
            noun=clause.noun,
            side=clause.side,
        )
        yield told
        if clause.kind == "type" and _SEARCHES.match(clause.words):
            yield _sending(told, clause.words)


def _sending(moment: Moment, told: str) -> Moment:
    return msgspec.structs.replace(
        moment, verb="send", element=None, selector="", value="", enter=False, part=True, told=told
    )


def _parts_marked(walk: Sequence[Moment]) -> tuple[Moment, ...]:
    found = list(walk)
    for at, moment in enumerate(found):
        if moment.verb == "type" and (entered := _entered(found[:at])) is not None:
            name = moment.element[1] if moment.element is not None else ""
            field = entered.element is not None and entered.element[0] in ENTRY_ROLES - LIST_ROLES
            general = not name or (field and GENERAL.issuperset(words_of(name)))
            unsaid = general and not moment.selector
            moment = found[at] = msgspec.structs.replace(
                moment,
                element=(entered.element if unsaid else None) or moment.element,
                side=moment.side or entered.side,
            )
        following = next(
            (one for one in found[at + 1 :] if not (one.reads or one.part or one.verb == "clear")), None
        )
        before = next(
            (one for one in reversed(found[:at]) if not (one.reads or one.part or one.verb == "clear")), None
        )
        if before is not None and _sends(moment) and (before.verb == "type" or is_sentence(moment)):
            found[at] = _sending(moment, moment.told)
        elif following is not None and _prepares(moment, following):
            found[at] = msgspec.structs.replace(moment, part=True)
    return tuple(found)


def _entered(before: Sequence[Moment]) -> Moment | None:
    """The click just before into the field."""
    last = next((one for one in reversed(before) if not (one.reads or one.verb == "clear")), None)
    return last if last is not None and last.part and last.verb == "click" else None


def _sends(moment: Moment) -> bool:
    if moment.verb == "press":
        return moment.value in ("enter", "return")
    if moment.verb != "click" or moment.element is None or moment.element[0] in ENTRY_ROLES:
        return False
    said = words_of(moment.element[1])
    return " ".join(dict.fromkeys(said)) in SENDERS


def _prepares(moment: Moment, following: Moment) -> bool:
    """Whether it only gets ready for the next act: enters or empties a field, opens a list, or filters it."""
    if moment.verb == "type":
        return (
            following.verb == "click"
            and following.element is not None
            and _holds(following.element[1], moment.value)
        )
    if following.verb == "type":
        if moment.verb == "clear":
            return True
        if moment.verb != "click":
            return False
        if moment.element is None or following.element is None:
            return moment.vague if moment.element is None else moment.element[0] in ENTRY_ROLES
        return moment.element[0] in ENTRY_ROLES or _names_one_field(moment.element[1], following.element[1])
    opens = moment.element is not None and moment.element[0] in LIST_ROLES
    return moment.verb == following.verb == "click" and opens


def _holds(name: str, value: str) -> bool:
    """Whether a name has all words of what was typed to find it."""
    typed = set(words_of(value))
    return name == value or (bool(typed) and typed <= set(words_of(name)))


def _names_one_field(clicked: str, into: str) -> bool:
    one, other = set(words_of(clicked)), set(words_of(into))
    return clicked == into or bool(one and other and (one <= other or other <= one))

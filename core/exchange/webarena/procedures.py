"""Numbered steps in English, as people write down how a task is done, and the actions they tell.

A step such as `Click on the blue "View Order" link` names its element in words alone, so the action's element
has a name and perhaps a role. What tells no single action ("The first product is the answer") stays a text.
"""

from __future__ import annotations

import re

import msgspec

from webbench.core.action.action import (
    Action,
    Back,
    Click,
    ElementRef,
    Goto,
    Hover,
    Press,
    Scroll,
    ScrollTo,
    Type,
)

LONGEST = 2_000
"""Characters of a step that are looked at."""
NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s*")
_NUMBERED = re.compile(r"^\s*(\d{1,3})[.)]\s*(.*)$")
_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_QUOTED = re.compile(r'"([^"]+)"|(?<!\w)\'([^\']+(?:\'\w[^\']*)*)\'(?!\w)')
_VERB = re.compile(
    r"\b(?:(double|triple)[ -]?)?(click|press|hit|tap|select|choose|pick|check|type|enter|input|write|search"
    r"|scroll|navigate|go|hover|open|paste)\b",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"^(?:click|press|hit|tap)\s+(?:on\s+)?(?:the\s+)?[\"']?(enter|return|tab|escape|esc)\b", re.IGNORECASE
)
_CHORD = re.compile(
    r"^[\w\s]{0,40}?[\"']?\b(ctrl|control|command|cmd|shift|alt)[\"']?\s?(?:[+-]|and)\s?[\"']?(\w)\b[\"']?",
    re.IGNORECASE,
)
_BACK = re.compile(r"^(?:on\s+)?(?:the\s+)?(?:browser'?s?\s+)?back (?:button|arrow)\b", re.IGNORECASE)
_NAMES_FIELD = re.compile(
    r"^\s*(?:(?:text|input|search|drop-?\s?down|date)\s+)?(?:field|box|bar|button|key|column|input|drop-?\s?down|"
    r"menu|section|tab|page|header|label|area)\b",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"\b(?:for|of|in|next to|beside)\s+(the\s+(?:\d{1,3}(?:r?st|nd|rd|th)|first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth|ninth|tenth|last|top|topmost|bottom)\s+(?:\w+\s+){0,2}?(?:row|order|review|item|customer|product|entry|"
    r"invoice)\b(?:\s+from\s+(?:the\s+)?\w+)?)",
    re.IGNORECASE,
)
_THEN_ENTER = re.compile(
    r"\b(?:press|hit|click)\s+(?:on\s+)?(?:the\s+)?[\"']?(?:enter|return)\b", re.IGNORECASE
)
_UNTIL = re.compile(r"\b(?:to|until)\b(?:\s+you\s+(?:can\s+)?(?:see|find|reach))?", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s\"'<>)]+")
_INTO = re.compile(r"\s(?:into|in|on)\s+(?:the|a|an)\s", re.IGNORECASE)
_DATED = re.compile(r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\(\d{3}\) \d{3}-\d{4}")
_BARE_VALUE = re.compile(r"^(?:in\s+)?([\w@./:$+-]*\d[\w@./:$+-]*)")
_ENDS_PHRASE = re.compile(
    r"[,.;:(]|\s(?:at|in|on|to|from|by|of|for|with|under|next|located|which|that|and|until|below|above)\s",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"\.\s|\n")
_ARTICLE = re.compile(r"^(?:(?:on|in|into|inside|the|a|an)\s+)+", re.IGNORECASE)
_ROLES = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), role)
    for pattern, role in (
        (r"search ?(?:bar|box|field)", "searchbox"),
        (r"text ?(?:box|field|area)|input(?: box| field)?|field|box", "textbox"),
        (r"button", "button"),
        (r"link", "link"),
        (r"tab", "tab"),
        (r"drop-? ?down", "combobox"),
        (r"check ?box", "checkbox"),
        (r"icon", "image"),
        (r"menu item|option", "option"),
    )
)
_KEYS = {"return": "Enter", "esc": "Escape", "ctrl": "Control", "command": "Meta", "cmd": "Meta"}


class Line(msgspec.Struct):
    """A numbered step, and the lines without a number below it."""

    text: str
    below: list[str]


def lines_of(procedure: str) -> tuple[list[str], list[Line]]:
    """What stands before the first number, and the numbered steps; blank lines are left out."""
    title: list[str] = []
    steps: list[Line] = []
    for line in procedure.splitlines():
        numbered = _NUMBERED.match(line)
        if numbered:
            steps.append(Line(numbered[2].strip(), []))
        elif line.strip():
            (steps[-1].below if steps else title).append(line.strip())
    return title, steps


def action_of_step(text: str) -> Action | None:
    """The first action that a step tells, None where it tells none that we know."""
    plain = text[:LONGEST].translate(_QUOTES)
    outside = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), plain)
    for found in _VERB.finditer(outside):
        if not _leads(outside[: found.start()]):
            return None
        if action := _action(plain, found):
            return action
        if found[2].lower() not in ("navigate", "go"):
            return None
    return None


def _action(plain: str, found: re.Match[str]) -> Action | None:
    """What a verb with the words around it tells to be done."""
    verb, rest, before = found[2].lower(), plain[found.end() :], plain[: found.start()]
    if key := _KEY.match(plain[found.start(2) :]):
        return Press(keys=_KEYS.get(key[1].lower(), key[1].capitalize()))
    if chord := _CHORD.match(rest):
        return Press(keys=f"{_KEYS.get(chord[1].lower(), chord[1].capitalize())}+{chord[2].lower()}")
    match verb:
        case "click" | "press" | "hit" | "tap" | "select" | "choose" | "pick" | "check" | "open":
            if _BACK.match(rest.strip()):
                return Back()
            element = _in_row(_element(rest) or _element(before), rest)
            count = {"double": 2, "triple": 3}.get((found[1] or "").lower(), 1)
            return Click(target=element, count=count) if element else None
        case "type" | "enter" | "input" | "write" | "search" | "paste":
            return _typed(before, rest)
        case "scroll":
            return _scrolled(rest)
        case "hover":
            element = _element(rest.lstrip().removeprefix("over"))
            return Hover(target=element) if element else None
    address = _ADDRESS.search(rest)
    return Goto(url=address[0].rstrip(".,")) if address else None


def _in_row(element: ElementRef | None, rest: str) -> ElementRef | None:
    """The element with the row that words put it in: one "View" among many."""
    row = _ROW.search(_first_sentence(rest)) if element is not None else None
    if element is None or row is None:
        return element
    return msgspec.structs.replace(element, path=f"in {row[1].strip()}")


def _leads(before: str) -> bool:
    """Whether words before the verb only say where, or what to find first."""
    words = before.strip().lower()
    opening = ("in ", "on ", "at ", "from ", "under ", "to ", "next", "then", "now", "with", "using", "after")
    finding = (
        "locate",
        "identify",
        "find",
        "begin to",
        "you will",
        "finally",
        "once",
        "again",
        "lastly",
        "navigate",
        "proceed",
    )
    return not words or words.startswith((*opening, *finding))


def _quoted(text: str) -> list[str]:
    return [(found[1] or found[2]).strip().rstrip(".,") for found in _QUOTED.finditer(text)]


def _values(text: str) -> list[str]:
    """What stands in quotation marks, but for names of fields, buttons and keys."""
    found = _QUOTED.finditer(text)
    return [
        (one[1] or one[2]).strip().rstrip(".,") for one in found if not _NAMES_FIELD.match(text[one.end() :])
    ]


def _element(text: str) -> ElementRef | None:
    """The element that words name: what stands in quotation marks, else all until they say where it is."""
    clause = _first_sentence(text)
    quoted = _quoted(clause)
    phrase = _ARTICLE.sub("", _ENDS_PHRASE.split(f"{clause.strip()} ", maxsplit=1)[0].strip())
    name = quoted[0] if quoted else phrase[:80]
    role = _role(clause)
    return ElementRef(name=name, role=role) if name or role else None


def _first_sentence(text: str) -> str:
    hidden = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), text)
    end = _SENTENCE_ENDS.search(hidden)
    return text[: end.start()] if end else text


def _role(clause: str) -> str:
    """The role of the first kind of element that the words name outside quotation marks, before they go on
    to say where it is."""
    outside = _ARTICLE.sub("", _QUOTED.sub("~", clause).strip())
    outside = _ENDS_PHRASE.split(f"{outside} ", maxsplit=1)[0]
    found = [(match.start(), role) for pattern, role in _ROLES if (match := pattern.search(outside))]
    return min(found, default=(0, ""))[1]


def _typed(before: str, rest: str) -> Action | None:
    """What is typed stands in quotation marks or has a digit; where, before the verb or behind "in the"."""
    enter = bool(_THEN_ENTER.search(rest))
    said = _THEN_ENTER.split(rest, maxsplit=1)[0]
    where = _INTO.search(_QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), said))
    first, behind = (said[: where.start()], said[where.end() :]) if where else (said, "")
    texts = _values(first) or ([bare[1]] if (bare := _BARE_VALUE.match(first.strip())) else [])
    if not texts and (texts := _values(said)):
        behind = ""
    if not texts and (dated := _DATED.search(first)):
        texts = [dated[0]]
    if not texts:
        return None
    target = _element(behind) if behind else (_element(before) if _quoted(before) else None)
    return Type(target=target, text=texts[-1] if len(texts) > 1 and not behind else texts[0], enter=enter)


def _scrolled(rest: str) -> Action:
    until = _UNTIL.search(rest)
    quoted = _quoted(_first_sentence(rest[until.end() :])) if until else []
    if until and quoted:
        return ScrollTo(target=ElementRef(name=quoted[0], role=_role(rest[until.end() :])))
    up = re.match(r"\s*(?:back\s+)?(?:up\b|to (?:the|its) (?:very )?top)", rest, re.IGNORECASE)
    return Scroll(dy=-1.0 if up else 1.0, unit="viewports")

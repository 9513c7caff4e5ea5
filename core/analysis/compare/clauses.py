"""What the sentences of a procedure tell to be done: act by act, each with its control and its value.

    Under "Sales", click on the "Orders" tab, located at the left, and type "ann" in the "Name" field.

is a click on "orders" and the typing of "ann" into "name". Sentences are cut into clauses that begin with a
verb; "to see ..." is a purpose, "by clicking ..." the means; what is told without a verb ("the page will
open") is no act. A control is named in quotation marks, else by the noun behind the verb, as far as that
says more than what kind of control it is; "it" is the one that was told before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from webbench.core.analysis.compare.compared_step import Side
from webbench.core.analysis.compare.stems import canonical, word_set
from webbench.core.text.caseless import caseless

Kind = Literal["click", "type", "press", "goto", "clear", "read"]

_CLICKS = word_set(
    "click press tap hit select choose pick open expand collapse toggle tick untick uncheck go navigate "
    "visit follow opt submit drag delete remove save create hover return access close upvote downvote"
)
_TYPES = word_set("type enter input fill write paste insert search replace put")
_CLEARS = word_set("clear erase highlight backspace")
_READS = word_set(
    "scroll locate find identify look see observe verify check note record report state read count wait view "
    "review repeat copy calculate determine examine inspect keep take ensure confirm remember give provide "
    "answer compare sum make pay list tell continue watch browse scan analyze analyse recall understand "
    "consider add"
)
VERBS: dict[str, Kind] = {
    **dict.fromkeys(_CLICKS, "click"),
    **dict.fromkeys(_TYPES, "type"),
    **dict.fromkeys(_CLEARS, "clear"),
    **dict.fromkeys(_READS, "read"),
}
"""What a clause does, by its first word. Reading leaves everything as it is."""
_MOVING = word_set("go navigate return back scroll head proceed going navigating next right left adjacent")
"""Words that say where to together with the "to" behind them."""

QUOTED = re.compile(r"[“”\"]([^“”\"]+)[“”\"]|(?<!\w)[‘'’]([^‘’']+(?:['’]\w[^‘’']*)*)['’](?!\w)")
_SENTENCE = re.compile(r"\s+[A-Z]")
"""What follows a quotation that ends its sentence with a stop of its own."""
_UNCLOSED = re.compile(
    r"“([^“”\"]{1,60}?)(?=\s(?:button|tab|link|option|icon|in the|on the|at the)\b[^“”\"]*(?:\s[“\"]\w|$))"
)
"""A quotation that nothing ends before the next one begins: it ends before the kind of control."""
_STUCK = re.compile(r"(?<=[a-z])(?=\x00)")
"""Before a quotation without a blank: Type"5"."""
_HIDDEN = re.compile(r"\x00(\d+)\x00")
_BLANKS = re.compile(r"[\s\x00]{9,}|\x00")
"""What would pass for a hidden quotation, and runs of blanks that patterns begin in again and again."""
_JOINT = re.compile(
    r"(?P<stop>(?<!\bi\.e)(?<!\be\.g)[.;]\s+)|,?\s+(?P<by>by)\s+|,?\s+(?:and\s+then|and|then)\s+|,\s+|\s+(?P<to>to)\s+",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"\W*(?:(?:please|again|next|first|then|now|finally|lastly|also|simply|just|repeatedly|repetitively|once|"
    r"visually|manually|(?P<often>double|triple)|left|(?:you|we)(?: can| will| should| may| must| need to|"
    r" have to)?|(?:begin|start|proceed|continue|need|want|try) to)[-,\s]+)*(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"^\W*(?:press|hit|click|tap|use|select)\s+(?:on\s+)?(?:the\s+)?\W*"
    r"(?P<key>enter|return|tab|esc(?:ape)?|delete|del|backspace|(?:up|down|left|right) arrow(?= key)"
    r"|(?:ctrl|control|cmd|command)\s*(?:\+|-|and)\s*\w)\b"
    r"(?=\W*(?:$|key|button|on (?:the|your|my) key|to |or |and |when |in order|[.,/(]))",
    re.IGNORECASE,
)
_CLICKED = re.compile(
    r"^\W*(?:click|tap|select) (?:on )?(?:the )?[“\"'‘]del(?:ete)?[”\"'’](?! key)", re.IGNORECASE
)
"""A control of that name, and no key."""
_CHORD = re.compile(r"^(?:del|backspace|(?:ctrl|control|cmd|command).*(\w)$)")
"""Keys that select or delete what is in a field, or copy and paste."""
_CHORDS: dict[str | None, Kind] = {"c": "read", "v": "type"}
_OFTEN = re.compile(r"\b(?:twice|three times)\b", re.IGNORECASE)
_TEXT = re.compile(
    r"^(?:(?:all|any|current|existing|default|previous|old|entire|whole|the|of|written)\s+)+"
    r"(?:text|value|content)|^(?:mouse|cursor)\b",
    re.IGNORECASE,
)
"""What is selected or deleted to type something else."""
_DELETES = re.compile(r"\W*(?:\w+ly )?(?:delete|backspace)\b", re.IGNORECASE)
"""Begins what empties a field, unless a control is named by its kind."""
_PLACED = re.compile(
    r"^\W*(?:in|on|out of|from|under|at|to|next to|above|below|within|using|with|after|once|when|if)\b.*?"
    r"(?<!as you)(?<!that you)\s"
    r"(?=(?:double |triple )?(?:click|press|select|choose|type|enter|hit|tap|pick)\b)",
    re.IGNORECASE,
)
"""Where on the page it is, without a comma before the verb."""
_PART = re.compile(
    r"^(?: (?:back|to|down|up|the|a|an|very|far|gray|grey|dark|left|right|top|bottom|upper|lower|hand))*"
    r" (?:side ?bar|section|part|bottom|top|side|end|header|area|corner|left|right)\b",
    re.IGNORECASE,
)
"""Part of a page, to which one only looks."""
_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|last|\w+most|\d+(?:st|nd|rd|th))\b")
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\x00]+")
_CASE = re.compile(
    r",?\s*(?:in (?:this|our) case(?: it(?:['’]?s| is))?|i\.e\.|e\.g\.|such as|for example),?:?",
    re.IGNORECASE,
)
_START = re.compile(
    r"^\s*(?:(?:on|onto|in|into|inside|to|over|for|up|out|the|a|an|your|my|our|this|any|again|button)\s+)+",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,.;:(]|^(?:which|that|label+ed|named|called|titled)\s|(?<=\s)(?:at|in|on|to|from|by|with|under|"
    r"underneath|beneath|next|beside|near|located|which|that|and|until|if|below|above|corresponding|associated|label+ed|named|called|titled|marked|denoted|"
    r"saying|sitting|situated|positioned|within|inside|so|where)\s",
    re.IGNORECASE,
)
_CALLED = r"label+ed|named|called|titled|marked|says?|saying|reads?|denoted by"
_LABEL = re.compile(
    rf"(?:next to|corresponding to|associated with|{_CALLED})\s+(?:as\s+)?(?:the\s+)?(?:[\w-]+\s+){{0,3}}$",
    re.IGNORECASE,
)
"""Words before a quotation that tells which one of several like controls is meant."""
_NAMED = re.compile(rf"\b(?:{_CALLED})\s+(?:as\s+)?$", re.IGNORECASE)
"""Words before a quotation that is all of a control's name."""
_PLACE = re.compile(
    r"\b(?:above|below|under|underneath|beneath|next to|beside|near|left of|right of)\b", re.IGNORECASE
)
"""What stands between a control and the name of another one."""
_OTHER = re.compile(r"\s*(?:button|icon|link|tab)\b", re.IGNORECASE)
"""Words behind a quotation that names another control."""
_INTO = re.compile(
    r"\b(?:in|into|inside|under|on|of|for|at|to|below)\s+(?:the\s+)?(?:[\w-]+\s+){0,4}$", re.IGNORECASE
)
_BENEATH = re.compile(
    rf"\b(?:field|box|textbox|bar|area)\b.*\b(?:under|below|above|beside|next to|{_CALLED})\s+"
    r"(?:the\s+)?(?:[\w-]+\s+){0,4}$",
    re.IGNORECASE,
)
"""Words before a quotation that tells the field, whether or not a value was told."""
_NEAR = 120
"""Characters before a quotation that are looked through for them."""
_FIELD = re.compile(
    r"^\s*(?!in|on)(?:[\w-]+\s+)?(?:text|search|input)?\s*"
    r"(?:field|text ?box|box|bar|input|area|section|column)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:^|:|=)\s*([\w@./:$+-]*\d[\w@./:$+-]*)|:\s*([^\x00]+?)\s*$|\b(\d+[-/.]\d+[-/.]\d+)\b|\(([^)\x00]{2,40})\)"
)
"""What is typed, without quotation marks: a number, what follows a colon, a date, what stands in brackets."""
_NEEDED = re.compile(r"^\W*(?:(?:you|we)(?: only)? need|begin|start|use)\b", re.IGNORECASE)
"""Before a purpose that is an act; what else is told without a verb only could be used for it."""
_ALTERNATIVE = re.compile(r"^\W*alternatively\b", re.IGNORECASE)
"""Before an act that is told as another way."""
_NOTED = re.compile(
    r"^ (?:the |all |these |those )*"
    r"(?:steps?|instructions?|numbers?|counts?|names?|prices?|dates?|values?|totals?)\b",
    re.IGNORECASE,
)
"""What is followed or saved without an act."""
_PRONOUN = re.compile(r"^(?:it|this|that|them|one|there|here)\W*$", re.IGNORECASE)
_WHERE = re.compile(
    r",?\s*(?:(?:which|that|it) (?:is|are|can be|should be) )?(?:located|found|situated|positioned)\b.*"
    r"|\b(?:next to|under|underneath|beneath|below|above|beside|(?:right|left) of)\b(?:(?! to )[^,.;])*"
    r"|,?\s*\b(?:at|in|on) the (?:very |far |upper |lower )*"
    r"(?:top|bottom|left|right|middle|cent|gray|upper|lower)(?:(?! to )[^,.;])*",
    re.IGNORECASE,
)
_ROLES = tuple(
    (re.compile(pattern, re.IGNORECASE), role)
    for pattern, role in (
        (r"\bsearch ?(?:bar|box|field)|\x00 bar\b", "searchbox"),
        (r"\bdrop-? ?(?:down|box)|\bcombo ?box|\bselect box", "combobox"),
        (r"\b(?:check ?box|toggle)", "checkbox"),
        (r"\btext? ?(?:box|field|area)|\binput\b|\bfield\b|\bbox\b", "textbox"),
        (r"\bbutton\b", "button"),
        (r"\blink\b", "link"),
        (r"\btab\b", "tab"),
        (r"\bicon\b", "image"),
        (r"\bmenu item\b|\boption\b", "option"),
    )
)
_BESIDE = re.compile(
    r"\b(?:to|on|towards?) the (?:\w+ )?(?:left|right)(?:[- ]hand)?(?: side)? of "
    r"(?!(?:the |your |this )?(?:screen|page|window|web|header|nav))[^,.;]*"
    r"|\bdirectly (?:to the )?(?:left|right)\b[^,.;]*|\b(?:left|right) (?:to\b[^,.;]*|arrow)",
    re.IGNORECASE,
)
"""What a control stands left or right of, which tells no side of the page."""
_SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One act.

    Attributes:
        words: as they were written.
        gist: the same without where the control is.
        control: what it is done to, casefolded; "" where that is told in no word of its own.
        noun: the control without the name that tells which one of several like ones it is, "" for any other.
        role: of the control, as far as the words tell it.
        named: the control's name stands in quotation marks.
        value: what is typed, the key that is pressed, the address; casefolded.
        could: it is told of as what can be done, not as what is; no such act stands beside one that is.
    """

    kind: Kind
    words: str
    gist: str
    control: str = ""
    noun: str = ""
    role: str = ""
    named: bool = False
    value: str = ""
    could: bool = False

    @property
    def side(self) -> Side:
        """The side of the page where the control is, as far as the words tell one."""
        said = {one.casefold() for one in _SIDE.findall(_BESIDE.sub(" ", self.words))}
        return "" if len(said) != 1 else "left" if "left" in said else "right"

    @property
    def is_vague(self) -> bool:
        """It is told in words that name nothing exactly."""
        if self.kind == "type":
            return not self.value
        return self.kind != "press" and not self.named


def clauses(text: str) -> tuple[Clause, ...]:
    """Those that a text tells, in order, with those that only read."""
    quotes: list[str] = []

    def hidden(found: re.Match[str]) -> str:
        said = found[1] or found[2]
        quotes.append(said)
        ends = said.endswith((".", "!", "?")) and _SENTENCE.match(text, found.end()) is not None
        return f"\x00{len(quotes) - 1}\x00{'.' if ends else ''}"

    text = _UNCLOSED.sub("“\\1”", _BLANKS.sub(" ", text))
    found: list[Clause] = []
    for piece in _cut(_STUCK.sub(" ", QUOTED.sub(hidden, text))):
        one, before = _read(piece, quotes, found[-1] if found else None), found[-1] if found else None
        if piece.could:
            one = msgspec.structs.replace(one, could=True)
        if before is not None and before.kind == one.kind == "type" and not before.value:
            one = msgspec.structs.replace(
                one, control=before.control or one.control, role=before.role or one.role
            )
            found.pop()
        found.append(one)
    done = any(one.kind != "read" and not one.could for one in found)
    return tuple(one for one in found if not (one.could and (done or one.kind == "type")))


class _Piece(msgspec.Struct):
    kind: Kind
    rest: str
    """What follows the verb."""
    words: str
    often: bool
    before: str = ""
    """What stands before it without a verb: in which part of the page it is."""
    could: bool = False

    def go_on(self, words: str) -> None:
        self.rest += words
        self.words += words


def _cut(text: str) -> list[_Piece]:
    found: list[_Piece] = []
    start, joint, before, linking = 0, "stop", "", ""
    sentence = 0
    for cut in [*_JOINT.finditer(text), None]:
        words = text[start : cut.start() if cut else len(text)]
        if cut and cut["to"] and words.split()[-1:] and words.split()[-1].casefold() in _MOVING:
            continue
        piece = _piece(words)
        if joint == "stop":
            before = "" if len(found) > sentence else f"{before} "
            sentence = len(found)
        if piece is not None:
            piece.before = before + piece.before
            _join(found, piece, joint, sentence)
        elif len(found) > sentence:
            found[-1].go_on(f"{linking}{words}")
        else:
            before = f"{before} {words}"
        linking = cut[0] if cut else ""
        if cut:
            start, joint = cut.end(), next((name for name, at in cut.groupdict().items() if at), "and")
    return found


def _piece(words: str) -> _Piece | None:
    leading = _LEADING.match(words)
    if leading is None:
        return None
    verb, rest = leading["verb"].casefold(), words[leading.end() :]
    kind: Kind | None = next((VERBS[one] for one in _stems(verb) if one in VERBS), None)
    if verb in ("use", "utilize") and _role(rest) in ("searchbox", "textbox"):
        kind = "type"
    if kind is None:
        placed = _PLACED.match(words)
        found = _piece(words[placed.end() :]) if placed is not None else None
        if found is not None and placed is not None:
            found.before = placed[0]
        return found
    if verb == "check" and re.match(r" (?:on )?\x00|[^,.]*\b(?:check ?)?box", rest, re.IGNORECASE):
        kind = "click"
    if verb in ("follow", "save") and _NOTED.match(rest):
        kind = "read"
    if (verb == "return" and not re.match(r" (?:to|back)\b", rest)) or (
        verb in _MOVING and _PART.match(rest)
    ):
        kind = "read"
    return _Piece(kind, rest, words, bool(leading["often"] or _OFTEN.search(rest)))


def _stems(verb: str) -> Iterator[str]:
    yield verb
    bare = verb.removesuffix("ing")
    yield from (bare, f"{bare}e", verb.removesuffix("s"))
    if bare != verb:
        yield bare[:-1]


def _join(found: list[_Piece], piece: _Piece, joint: str, sentence: int) -> None:
    """A purpose ("to see ...") is no act of its own; a means ("by clicking ...") is the act itself."""
    alone = len(found) == sentence
    piece.could = joint == "to" and alone and _NEEDED.match(piece.before) is None
    piece.could |= _ALTERNATIVE.match(piece.before) is not None
    if joint not in ("to", "by") or alone:
        found.append(piece)
    elif piece.kind not in ("read", found[-1].kind) and (joint == "by" or found[-1].kind == "read"):
        found[-1] = piece
    else:
        found[-1].go_on(f" {joint} {piece.words}")


def _read(piece: _Piece, quotes: Sequence[str], before: Clause | None) -> Clause:
    words = _with_quotes(piece.words, quotes)
    gist = _with_quotes(_WHERE.sub(" ", piece.rest), quotes)
    key = _KEY.match(words) if not _CLICKED.match(words) else None
    address = _ADDRESS.search(piece.rest)
    if piece.kind in ("click", "type") and key is not None:
        pressed = caseless(key["key"])
        if chord := _CHORD.match(pressed):
            return Clause(kind=_CHORDS.get(chord[1], "clear"), words=words, gist=gist)
        return Clause(kind="press", words=words, gist=gist, value="enter" if pressed == "return" else pressed)
    if piece.kind == "click" and address is not None:
        return Clause(kind="goto", words=words, gist=gist, value=address[0].rstrip(".,").casefold())
    if piece.kind == "type":
        value, control, role = _typed(piece, quotes)
        named = bool(control)
        return Clause(
            kind="type", words=words, gist=gist, control=control, role=role, named=named, value=value
        )
    control, role, named = _control(piece, quotes, before)
    head = _head(piece.rest)[0]
    clears = piece.kind == "click" and not named and _TEXT.search(head) is not None
    clears |= _DELETES.match(words) is not None and not role
    return Clause(
        kind="clear" if clears or (piece.often and role in ("textbox", "searchbox", "")) else piece.kind,
        words=words,
        gist=f"{gist} {control}",
        control=control,
        noun=head.strip() if named and control.startswith(f"{caseless(head)} ") else "",
        role=role,
        named=named,
    )


def _head(rest: str) -> tuple[str, str]:
    """The noun behind a verb, and all that follows it."""
    rest = _START.sub("", rest).lstrip()
    ends = _END.search(f"{rest} ")
    return (rest[: ends.start()], rest[ends.start() :]) if ends else (rest, "")


def _control(piece: _Piece, quotes: Sequence[str], before: Clause | None) -> tuple[str, str, bool]:
    """Its name, its role, and whether the name is quoted."""
    head, behind = _head(piece.rest)
    role = _role(head)
    if quoted := _HIDDEN.search(head):
        return _name(quotes[int(quoted[1])]), role, True
    if _PRONOUN.match(head) and before is not None and before.control:
        return before.control, before.role, before.named
    said = caseless(head) if canonical(head) and not _PRONOUN.match(head) else ""
    labels = [
        found
        for found in _HIDDEN.finditer(behind)
        if not canonical(_ORDINAL.sub("", said)) or _labels(behind, found)
    ]
    if labels:
        label, between = _name(quotes[int(labels[0][1])]), behind[: labels[0].start()]
        if not canonical(_ORDINAL.sub("", said)):
            return label, role, True
        if not _NAMED.search(between):
            return f"{said} {label}", role, True
        if not _PLACE.search(between):
            return label, role, True
    quoted = _HIDDEN.search(piece.before)
    if quoted and (not said or _FIELD.match(piece.before[quoted.end() :])):
        return f"{said} {_name(quotes[int(quoted[1])])}".strip(), role, True
    return said, role, False


def _labels(behind: str, found: re.Match[str]) -> bool:
    """Whether a quotation tells which control is meant, and not which other one stands beside it."""
    label = _LABEL.search(behind[: found.start()].rpartition("\x00")[2])
    return label is not None and not (label[0].startswith("next to") and _OTHER.match(behind[found.end() :]))


def _typed(piece: _Piece, quotes: Sequence[str]) -> tuple[str, str, str]:
    """The value, and the field's name and role."""
    rest = _CASE.sub(" ", re.sub(r"^\s+(?:in|out)\s+(?=\x00)", " ", piece.rest))
    value = control = role = ""
    for found in _HIDDEN.finditer(rest):
        behind = rest[found.end() :].partition("\x00")[0]
        before = rest[: found.start()].rpartition("\x00")[2]
        into = (value and _INTO.search(before)) or _BENEATH.search(before[-_NEAR:])
        if not control and (into or _FIELD.match(behind)):
            control, role = _name(quotes[int(found[1])]), _role(behind) or "textbox"
        elif not value:
            value = _name(quotes[int(found[1])])
    if not value and (bare := _BARE.search(rest)):
        value = _name(next(one for one in bare.groups() if one))
    if not control:
        where = re.split(r"\b(?:in|into|inside)\b", rest)[1:]
        role = _role(where[-1]) if where else ""
        if quoted := _HIDDEN.search(piece.before):
            control = _name(quotes[int(quoted[1])])
        elif role:
            phrase = _head(where[-1])[0].partition("\x00")[0]
            control = caseless(phrase) if canonical(phrase) else ""
    return value, control, role


def _name(text: str) -> str:
    return caseless(text).strip(" .,")


def _role(words: str) -> str:
    """The first kind of control that the words name."""
    found = [(match.start(), role) for pattern, role in _ROLES if (match := pattern.search(words))]
    return min(found, default=(0, ""))[1]


def _with_quotes(words: str, quotes: Sequence[str]) -> str:
    return _HIDDEN.sub(lambda at: f'"{quotes[int(at[1])]}"', words).strip()

r"""Accessibility trees that were written as text, read back into nodes.

WebArena writes a line per node, tab-indented: `[12] link 'Name' focused: True`; BrowserGym writes
`\t[a12] link 'Name', clickable, url='...'`. Lines of neither shape, such as the list of tabs above a tree,
are left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from webbench.core.observation import NUMBERED_HERE, AccessibilityNode, StateValue

MOST_NODES = 100_000
LINES_KEPT = 20_000
LONGEST_KEPT = 500
"""Characters of a line whose node is kept."""
CONTROLS = frozenset(
    {"button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio"}
    | {"option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"}
)

_LINE = re.compile(r"^([\t ]*)(?:\[([^\]\s]{1,40})\] )?([A-Za-z]+)(?: (.*))?$")
_NAME = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""")
_STATE = re.compile(r"([A-Za-z]+)(?:: |=)('(?:[^'\\]|\\.)*+'|[^\s,]+)")
_BARE = re.compile(r"(?:^|, )([a-z]+)(?=$|,)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)")
_SHORT = {"n": "\n", "t": "\t", "r": "\r"}
_ABSENT = frozenset({"hidden", "visible", "clickable", "som"})


def nodes_of(text: str) -> tuple[AccessibilityNode, ...]:
    """The nodes in document order. Ids that are no numbers are numbered anew, from a million on."""
    nodes: list[AccessibilityNode] = []
    for line in text.splitlines():
        node = _read(line) if len(line) <= LONGEST_KEPT else _read.__wrapped__(line)
        if node is None or len(nodes) >= MOST_NODES:
            continue
        nodes.append(node if node.id >= 0 else msgspec.structs.replace(node, id=NUMBERED_HERE + len(nodes)))
    return tuple(nodes)


@lru_cache(maxsize=LINES_KEPT)
def _read(line: str) -> AccessibilityNode | None:
    """The node of a line, None where there is none; its id is -1 where the line gives no number.

    Pages that follow each other have most of their lines in common, so nodes are kept.
    """
    found = _LINE.match(line)
    if found is None:
        return None
    indent, identity, role, rest = found.groups()
    rest = rest or ""
    named = _NAME.match(rest)
    if identity is None and named is None and (rest or role not in ("RootWebArea", "generic")):
        return None
    tail = rest[named.end() :] if named else rest
    states: dict[str, StateValue] = {}
    address: StateValue | None = None
    if tail:
        states = {name: _value(value) for name, value in _STATE.findall(tail)}
        states.update({name: True for name in _BARE.findall(tail) if name not in _ABSENT})
        address = states.pop("url", None)
    value = states.pop("value", None)
    number = int(identity) if identity is not None and identity.isdecimal() else None
    return AccessibilityNode(
        id=-1 if number is None else number,
        role=role,
        name=unescaped(named[0][1:-1]) if named else "",
        value=None if value is None else str(value),
        depth=indent.count("\t") + indent.count(" ") // 4,
        states=states,
        interactive=role in CONTROLS or "clickable" in tail,
        attributes=_attributes(identity if number is None else None, address),
    )


def _attributes(identity: str | None, address: StateValue | None) -> dict[str, str]:
    given = {"bid": identity or "", "href": address if isinstance(address, str) else ""}
    return {name: value for name, value in given.items() if value}


def root_of(text: str) -> tuple[str, str]:
    """Address and title of the page as the root of its tree names them; "" for what it doesn't."""
    first = text.partition("\n")[0].strip()
    node = _read.__wrapped__(first) if first.endswith("'") or "RootWebArea" in first else None
    if node is None or node.role != "RootWebArea":
        return "", ""
    return node.attributes.get("href", ""), node.name


def _value(text: str) -> StateValue:
    if text in ("True", "true"):
        return True
    if text in ("False", "false"):
        return False
    if text.startswith("'"):
        return unescaped(text[1:-1])
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else text


def unescaped(text: str) -> str:
    """Backslash escapes as Python writes them, undone: quotes, line ends, code points."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(found: re.Match[str]) -> str:
    escape = found[1]
    if len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _SHORT.get(escape, escape)

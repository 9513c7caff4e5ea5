"""Short labels to choose one of many visible things with one or two keystrokes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

ALPHABET = "asdfghjklqwertyuiopzxcvbnm"


class LinkHints:
    """Labels of nodes while they are open, and what was typed of one."""

    def __init__(self) -> None:
        self.labels: Mapping[int, str] = {}
        """By node id, empty when hints are closed."""
        self.typed = ""
        self.act = False
        """Whether the node that is chosen is acted on."""

    def open(self, ids: Sequence[int], *, act: bool) -> None:
        self.labels = dict(zip(ids, hint_labels(len(ids)), strict=True))
        self.typed, self.act = "", act

    def close(self) -> None:
        self.labels, self.typed = {}, ""

    def label(self, id: int) -> str:
        """Of a node that may still be meant, "" for others."""
        label = self.labels.get(id, "")
        return label if label.startswith(self.typed) else ""

    def take(self, character: str) -> int | None:
        """The node that this letter chooses, if any; hints close then, and where no label goes on so."""
        typed = self.typed + character
        chosen = next((node for node, label in self.labels.items() if label == typed), None)
        if chosen is None and character and any(label.startswith(typed) for label in self.labels.values()):
            self.typed = typed
        else:
            self.close()
        return chosen


def hint_labels(count: int, alphabet: str = ALPHABET) -> list[str]:
    """`count` labels, none a prefix of another, as short as that allows; home row first."""
    if count <= len(alphabet):
        return list(alphabet[:count])
    needed = -(-(count - len(alphabet)) // (len(alphabet) - 1))
    leaders = min(needed, len(alphabet))
    singles = list(alphabet[: len(alphabet) - leaders])
    doubles = [first + second for first in alphabet[len(alphabet) - leaders :] for second in alphabet]
    return (singles + doubles)[:count]

"""Short labels to choose one of many visible things with one or two keystrokes."""

from __future__ import annotations

ALPHABET = "asdfghjklqwertyuiopzxcvbnm"


def hint_labels(count: int, alphabet: str = ALPHABET) -> list[str]:
    """`count` labels, none a prefix of another, as short as that allows; home row first."""
    if count <= len(alphabet):
        return list(alphabet[:count])
    needed = -(-(count - len(alphabet)) // (len(alphabet) - 1))
    leaders = min(needed, len(alphabet))
    singles = list(alphabet[: len(alphabet) - leaders])
    doubles = [first + second for first in alphabet[len(alphabet) - leaders :] for second in alphabet]
    return (singles + doubles)[:count]

"""The answer in an action that is still being typed."""

from __future__ import annotations

from webbench.core.action import Stop
from webbench.core.dialects.contract import Dialect, ParseError


def typed_answer(text: str, dialect: Dialect) -> str:
    """What a text would answer if it were sent, also before its closing bracket stands; "" for none."""
    read = dialect.parse(text)
    if isinstance(read, ParseError):
        read = dialect.parse(read.nearest)
    return read.answer if isinstance(read, Stop) else ""

"""Errors that reach a person: what happened, where, and what to do about it."""

from __future__ import annotations

import traceback
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.core.model_call import ModelCall

LONGEST_FAULT = 300
"""Characters of an internal fault that are told."""


class WebbenchError(Exception):
    """Base of every expected failure.

    Args:
        message: one sentence naming what happened and where.
        hint: what the reader can do, or empty.

    Example:
        >>> try:
        ...     wb.play("demo/camp-mugs")
        ... except wb.WebbenchError as error:
        ...     sys.exit(error.exit_code)
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(WebbenchError):
    """The call itself is wrong: an unknown name, a missing argument (exit code 2).

    Example:
        >>> try:
        ...     wb.tasks("dema")
        ... except wb.UsageError as error:
        ...     print(error.message, error.hint)
    """

    exit_code = 2


class EnvironmentDown(WebbenchError):
    """Browser, site, display or network is not there (exit code 3).

    Example:
        >>> raise wb.EnvironmentDown("The shop doesn't answer", "start it first")
    """

    exit_code = 3


class BadData(WebbenchError):
    """A data file, record or setting can't be used (exit code 4).

    Example:
        >>> raise wb.BadData("tasks.json: line 3 is no task", "download it again")
    """

    exit_code = 4


class ActionFailed(WebbenchError):
    """A well-formed action had no effect; the episode goes on (dead id, covered element, timeout).

    Example:
        >>> raise wb.ActionFailed("the element is covered by a dialog")
    """


class AgentFailed(WebbenchError):
    """The agent could not be started, died, took too long or broke its protocol; a person may take over.

    Args:
        calls: calls of models that were made all the same; they are recorded.

    Example:
        >>> raise wb.AgentFailed("The model gave no answer", "is its server up?")
    """

    def __init__(self, message: str, hint: str = "", calls: tuple[ModelCall, ...] = ()) -> None:
        super().__init__(message, hint)
        self.calls = calls


def internal_fault(error: Exception) -> str:
    """What a fault of this program was, and where, in one line: for a step or a page that it spoiled."""
    told = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_FAULT]
    places = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(places[-1].filename).name}:{places[-1].lineno}" if places else ""
    return f"an internal fault{place}, which is not the page's: {told}"

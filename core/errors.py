"""Errors that reach a person: what happened, where, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.core.models.call import ModelCall


class WebbenchError(Exception):
    """Base of every expected failure.

    Args:
        message: one sentence naming what happened and where.
        hint: what the reader can do, or empty.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(WebbenchError):
    """The call itself is wrong: an unknown name, a missing argument (exit code 2)."""

    exit_code = 2


class EnvironmentDown(WebbenchError):
    """Browser, site, display or network is not there (exit code 3)."""

    exit_code = 3


class BadData(WebbenchError):
    """A data file, record or setting can't be used (exit code 4)."""

    exit_code = 4


class ActionFailed(WebbenchError):
    """A well-formed action had no effect; the episode goes on (dead id, covered element, timeout)."""


class AgentFailed(WebbenchError):
    """The agent could not be started, died, took too long or broke its protocol; a person may take over.

    Args:
        calls: calls of models that were made all the same; they are recorded.
    """

    def __init__(self, message: str, hint: str = "", calls: tuple[ModelCall, ...] = ()) -> None:
        super().__init__(message, hint)
        self.calls = calls

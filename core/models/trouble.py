"""What can be wrong with one request to an endpoint."""

from __future__ import annotations

_PASSING = frozenset((408, 409, 425, 429))
_SERVER_ERRORS = 500
_NEVER_THERE = 501


class Trouble(Exception):
    """Why an attempt gave nothing.

    Args:
        passing: another attempt may succeed.
        wait: seconds that the endpoint asked us to wait, None where it didn't say.
        slow: the time for one attempt was up.
    """

    def __init__(
        self, message: str, *, passing: bool = False, wait: float | None = None, slow: bool = False
    ) -> None:
        super().__init__(message)
        self.passing = passing
        self.wait = wait
        self.slow = slow


def may_pass(status: int) -> bool:
    """Whether another attempt may succeed after an answer with this HTTP status."""
    return status in _PASSING or (status >= _SERVER_ERRORS and status != _NEVER_THERE)

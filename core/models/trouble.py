"""What can be wrong with one request to an endpoint."""

from __future__ import annotations


class Trouble(Exception):
    """Why an attempt gave nothing.

    Args:
        passing: another attempt may succeed.
        wait: seconds that the endpoint asked us to wait, None where it didn't say.
    """

    def __init__(self, message: str, *, passing: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.passing = passing
        self.wait = wait

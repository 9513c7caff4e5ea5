"""The same two attempts as for reports."""

from tests.core.report.conftest import attempts, store

__all__ = ["attempts", "store"]

"""The same two attempts as for reports, one of them disputed."""

from tests.core.report.conftest import attempts, dispute

__all__ = ["attempts", "dispute"]

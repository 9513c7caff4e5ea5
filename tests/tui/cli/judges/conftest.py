"""What tests of judges' commands share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.models.endpoint import Endpoint, running_endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A server that speaks as a model does."""
    with running_endpoint() as running:
        yield running

"""BrowserGym's loop over a world in the browser that all tests share."""

from __future__ import annotations

import pytest

from tests.parity.browsergym.gym import Gym
from webbench.core.browser.browser_environment import BrowserEnvironment


@pytest.fixture
def gym(environment: BrowserEnvironment) -> Gym:
    return Gym(environment)

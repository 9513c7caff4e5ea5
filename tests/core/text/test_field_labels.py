"""Which labels hand a click on to a field (`field_labels`)."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import ObservationOptions
from webbench.core.renderings import browsergym_text

PAGE = """<label for=name>Name</label> <input id=name><label for=off>Off</label> <input id=off disabled>
<label>Within <input aria-label=w></label><label>Alone</label><label for=gone>Gone</label>"""


@pytest.mark.browser
async def test_labels_of_fields_are_clickable_to_browsergym(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(serve(PAGE),)))
    seen = []
    for way in ("script", "cdp"):
        observation = await environment.observe(ObservationOptions(prefer=way))
        labels = [node for node in observation.nodes if node.tag == "label"]
        lines = browsergym_text(observation).splitlines()
        marked = [any(f"[{one.id}] " in line and ", clickable" in line for line in lines) for one in labels]
        seen.append([one.attributes.get("for", "") for one in labels])
        assert marked == [True, False, True, False, False]
        assert not any(one.interactive for one in labels)
    assert seen[0] == seen[1] == ["name", "off", "", "", "gone"]

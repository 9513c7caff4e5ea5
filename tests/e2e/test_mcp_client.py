"""A program of somebody else's works on a task over real pipes; when it goes away nothing stays behind."""

from __future__ import annotations

import os
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import TextContent

from tests.core.engine.processes import descendants, gone
from tests.tui.headless.program import PROGRAM, environment
from webbench.core.mcp.desk import GONE
from webbench.core.store.store import Store


async def test_a_client_that_goes_away_leaves_no_browser_and_a_record(tmp_path: Path) -> None:
    parameters = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "serve", "mcp", "--benchmark", "demo", "--store", str(tmp_path / "store")],
        env=environment(tmp_path),
        cwd=tmp_path,
    )
    before = descendants(os.getpid())
    with (tmp_path / "stderr").open("w") as errors:
        async with Client(stdio_client(parameters, errors)) as client:
            assert client.instructions
            begun = await client.call_tool("start", {"task": "camp-mugs"})
            assert isinstance(begun.content[0], TextContent)
            assert "Put three Ember Camp Mugs in cream into the cart." in begun.content[0].text
            await client.call_tool("act", {"action": "scroll [down]"})
            started = descendants(os.getpid()) - before
    assert len(started) > 2
    assert await gone(started)
    (episode,) = Store(tmp_path / "store").episodes()
    recorded = Store(tmp_path / "store").load(Store(tmp_path / "store").find(episode.episode))
    assert (recorded.header.actor, recorded.header.end_reason) == ("mcp", GONE)
    assert [step.text for step in recorded.steps if step.text] == ["scroll [down]"]
    assert (tmp_path / "stderr").read_text() == ""

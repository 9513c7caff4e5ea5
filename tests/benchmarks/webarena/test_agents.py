"""WebArena's baseline agents on a bundled task, over a scripted model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.models.conversation import conversation
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.models import model_client as client
from webbench.core.store.store import Store


async def test_an_episode_keeps_every_prompt_and_reply(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.01)
    monkeypatch.setenv("WEBBENCH_PRICES_M", "1 2")
    benchmark = find_benchmark("webarena")
    (task,) = benchmark.tasks(names=("10018",))
    with conversation("newsletter") as (endpoint, script):
        async with Engine(Store(tmp_path), browser=chromium) as engine:
            run = engine.store.start_run(benchmark="webarena", agent="webarena-reasoning", planned=1)
            options = EpisodeOptions(html=False, live_score=False)
            request = EpisodeRequest(benchmark=benchmark, task=task, run=run, options=options)
            agent = make_agent(f"webarena-reasoning model=m url={endpoint.url} picture=yes", benchmark, task)
            async with engine.episode(request) as episode:
                await episode.start()
                await agent_turns.run(episode, agent)
            await agent.close()
            recorded = engine.store.load(episode.header.episode)
    assert (script.faults, script.left) == ([], 0)
    assert recorded.header.score is not None
    assert (recorded.header.score.value, recorded.header.actor) == (1.0, "webarena-reasoning (m)")
    malformed = recorded.steps[2]
    assert (malformed.ok, malformed.text) == (False, "I should open the newsletter page next.")
    assert malformed.calls[0].attempts == 2, "the first was refused with 429"
    for step in recorded.steps[1:]:
        (call,) = step.calls
        (picture,) = call.messages[-1].pictures
        assert call.parameters == {"temperature": 1.0, "top_p": 0.9, "max_tokens": 384}
        assert picture.sha256 == recorded.steps[picture.step or 0].screenshot
        assert step.usage["cost"] == pytest.approx((call.prompt_tokens or 0) * 1e-6 + 7 * 2e-6)


@pytest.mark.parametrize("hint", [True, False])
@pytest.mark.parametrize("kind", ["direct", "reasoning"])
def test_the_four_presets(kind: str, hint: bool) -> None:
    from webbench.core.agents.model.prompts import load_prompt
    from webbench.core.agents.presets import load_presets

    name = f"webarena-{kind}" if hint else f"webarena-{kind}-no-hint"
    options = {option.name: option.value for option in load_presets().options_of(name)}
    assert (options["hint"], options["prompt"]) == ("yes" if hint else "no", f"webarena/{kind}")
    assert (options["temperature"], options["top_p"], options["history"]) == ("1.0", "0.9", "1")
    fields = dict.fromkeys(("observation", "url", "intent", "previous_action", "previous_words"), "x")
    nothing = {"previous_error": "", "rejected": "", "verbs": [], "hint": hint, "html": False}
    messages = load_prompt(options["prompt"]).messages(fields | nothing)
    assert [message.role for message in messages] == ["system", *("user", "assistant") * 2, "user"]
    assert ("N/A" in messages[0].text) is hint
    assert "as an accessibility tree" in messages[0].text
    assert ("step by step" in messages[0].text) is (kind == "reasoning")

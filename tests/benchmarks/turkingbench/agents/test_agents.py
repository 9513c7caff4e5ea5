"""TurkingBench's model agent: an episode over a scripted model, the HTML it shows, its examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.models.conversation import conversation
from webbench.benchmarks.turkingbench.agents.page_excerpt import PageHtml
from webbench.benchmarks.turkingbench.agents.prompt_examples import draw_demonstrations
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.core.agents.presets import load_presets
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.episode.options import EpisodeOptions
from webbench.core.store.store import Store

TWO_FIELDS = """<html><body><script>secret()</script><h1>Rate it</h1><form>
<div id="one"><p>How good?<!-- hidden --></p><label><input type="radio" name="good" value="1"> 1</label>
<label><input type="radio" name="good" value="2"> 2</label></div>
<div><p>Why?</p><span><textarea name="why"></textarea></span></div></form></body></html>"""


async def test_an_episode_asks_for_each_field_and_submits(chromium: Browser, tmp_path: Path) -> None:
    benchmark = create()
    task = benchmark.tasks("desk-forms", ["Tone of a message"], 1)[0]
    with conversation("tone") as (endpoint, script):
        async with Engine(Store(tmp_path), browser=chromium) as engine:
            run = engine.store.start_run(benchmark="turkingbench", agent="turkingbench-image", planned=1)
            options = EpisodeOptions(html=False, live_score=False)
            request = EpisodeRequest(benchmark=benchmark, task=task, run=run, options=options)
            agent = make_agent(f"turkingbench-image model=m url={endpoint.url}", benchmark, task)
            async with engine.episode(request) as episode:
                await episode.start()
                await agent_turns.run(episode, agent)
            await agent.close()
            steps = engine.store.load(episode.header.episode).steps
    assert (script.faults, script.left) == ([], 0)
    assert (episode.score.value, episode.ended) == (1.0, "the form was submitted")
    assert [step.text for step in steps if step.actor == "agent" and step.ok] == [
        "get_html()",
        'modify_radio("tone", "friendly")',
        'modify_checkbox("parts", "thanks")',
        'modify_checkbox("parts", "question")',
        'modify_checkbox("parts", "deadline")',
        "get_html()",
        "submit()",
    ]
    assert [len(step.calls) for step in steps if step.actor == "agent"] == [0, 1, 1, 1, 0, 0, 0, 0]
    assert [len(request.pictures) for request in endpoint.requests] == [1, 1, 1]
    system = endpoint.requests[0].body["messages"][0]["content"]
    assert system.count("An answered field of another form") == 6, "all that the other three forms have"


def test_the_html_around_a_question() -> None:
    page = PageHtml(TWO_FIELDS)
    good, why = page.around("good", limit=200), page.around("why", limit=100)
    assert good.startswith('<div id="one"><p>How good?</p>')
    assert "Why?" not in good
    assert why == '<div><p>Why?</p><span><textarea name="why"></textarea></span></div>'
    assert "Rate it" in page.around("why"), "what the question is about often stands before other fields"
    assert page.around("why", limit=30).endswith("…")
    assert page.around("nobody") == ""
    assert "secret" not in page.whole
    assert "Rate it" in page.whole
    assert PageHtml("").whole


@pytest.mark.parametrize(("count", "found"), [(0, 0), (1, 1), (3, 3), (7, 6)])
def test_examples_are_of_other_tasks_and_the_same_each_time(count: int, found: int) -> None:
    benchmark = create()
    task = benchmark.tasks("desk-forms", ["Tone of a message"], 1)[0]
    drawn = draw_demonstrations(benchmark, task, count, seed=3)
    assert len(drawn) == found
    assert task.name not in {one.task for one in drawn}
    assert len({one.task for one in drawn[:3]}) == min(count, 3), "each task once before any comes again"
    assert len({(one.task, one.field) for one in drawn}) == found
    assert drawn == draw_demonstrations(create(), task, count, seed=3)
    for one in drawn:
        assert one.field in one.html
        assert one.field in one.answer


def test_another_seed_draws_others() -> None:
    benchmark = create()
    task = benchmark.tasks("desk-forms", ["Tone of a message"], 1)[0]
    orders = {tuple(one.task for one in draw_demonstrations(benchmark, task, 3, seed)) for seed in range(6)}
    assert len(orders) > 1


def test_presets() -> None:
    presets = load_presets()
    assert presets.base_of("turkingbench-text-full") == "turkingbench"
    assert "html=full" in presets.words_of("turkingbench-text-full")
    assert "demonstrations=0" in presets.words_of("turkingbench-text-zero-shot")

"""Real task pages in a real browser: served, filled, submitted and scored."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import msgspec
import pytest

from tests.performance.turkingbench_oracle import run_nothing, run_oracle
from tests.shared import need_shared
from webbench.benchmarks.turkingbench.benchmark import TurkingBench, create
from webbench.benchmarks.turkingbench.dialect import create as create_dialect
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.scoring.fields import read
from webbench.benchmarks.turkingbench.serving.cdn import ForeignRequests
from webbench.benchmarks.turkingbench.serving.reach import KnownServers, Server
from webbench.benchmarks.turkingbench.stage import open_stage
from webbench.core.action.action import (
    Action,
    Back,
    Check,
    Click,
    CloseTab,
    ElementRef,
    GetHtml,
    Goto,
    Submit,
    Type,
)
from webbench.core.browser.launch import Browser
from webbench.core.environment import StepResult
from webbench.core.errors import BadData
from webbench.core.observation import ObservationOptions
from webbench.core.score.score import Score, Status
from webbench.core.scoring.metrics.rouge import import_in_background, rouge_scorer
from webbench.core.task import Task

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    """The one that all tests share; every episode has a context of its own."""
    return chromium


@pytest.fixture
def benchmark() -> TurkingBench:
    return create(need_shared("data", "turkingbench"))


async def unreachable(server: Server) -> bool:
    del server
    return False


OFFLINE = ForeignRequests(KnownServers(unreachable))


def own_task(folder: Path, template: str, answers: list[str], **inputs: str) -> Task:
    """A task of our own in a data folder."""
    (folder / "tasks" / "own").mkdir(parents=True)
    (folder / "tasks" / "own" / "template.html").write_text(template, "utf-8")
    return Task(
        benchmark="turkingbench",
        name="own",
        instance=0,
        data={"inputs": inputs, "template": "tasks/own/template.html", "answers": answers},
    )


@pytest.mark.parametrize(
    "name",
    [
        "Formalize sentence",
        "ANLI Generation",
        "Radiology Report Sentence Classification",
        "ToTTo Evals",
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("Event effect", "QuestionKeyPhrases", "Winogrande plausiblity")
        ),
    ],
)
async def test_the_oracle_scores_one(browser: Browser, benchmark: TurkingBench, name: str) -> None:
    task = benchmark.tasks(names=[name], instances=1)[0]
    result = await run_oracle(browser, benchmark, task, benchmark.own.folder.root)
    assert result.score.value == 1.0, result.reason


async def test_doing_nothing_scores_less(browser: Browser, benchmark: TurkingBench) -> None:
    task = benchmark.tasks(names=["Formalize sentence"], instances=1)[0]
    result = await run_nothing(browser, benchmark, task, benchmark.own.folder.root)
    assert result.score.value == 0.0


@pytest.mark.parametrize(
    "name",
    [
        "Photo Collection GVDB",
        *(pytest.param(one, marks=pytest.mark.thorough) for one in ("Lattice", "JJ-NN HIT")),
    ],
)
async def test_pages_whose_answers_are_all_hidden_have_nothing_to_score(
    browser: Browser, benchmark: TurkingBench, name: str
) -> None:
    task = benchmark.tasks(names=[name], instances=1)[0]
    environment = browser.environment()
    async with open_stage(task, benchmark.own.folder.root, OFFLINE) as stage:
        await environment.reset(stage.setup)
        fields = (await read(environment, task.data["answers"])).fields
        assert fields
        assert not any(field.displayed for field in fields)
        await environment.close()


async def test_submitting_ends_the_episode_and_keeps_what_was_entered(
    browser: Browser, tmp_path: Path
) -> None:
    task = own_task(tmp_path, "<p>${q}</p><input name=a>", ["a"], q="Say <b>something</b>")
    environment = browser.environment()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        before = await environment.observe()
        assert any(node.name == "something" for node in before.nodes)
        assert await stage.ended(before) == ""
        await environment.act(Type(target=ElementRef(field="a"), text="x"))
        assert (await environment.act(Submit())).ok
        after = await environment.observe()
        assert await stage.ended(after) == "the form was submitted"
        assert any(node.role == "heading" and node.name == "Submitted" for node in after.nodes)
        assert not any(node.attributes.get("name") == "a" for node in after.nodes)
        (field,) = (await read(environment, ["a"])).fields
        assert (field.displayed, field.values) == (True, ("x",))
        await environment.close()


@pytest.mark.parametrize(
    "form",
    [
        "<form action='https://www.mturk.com/mturk/externalSubmit'><input name=a><input type=submit></form>",
        "<form><input name=a><button type=button onclick='this.form.submit()'>Send</button>"
        "<input type=submit></form>",
    ],
)
async def test_every_way_of_submitting_ends_the_episode(browser: Browser, tmp_path: Path, form: str) -> None:
    task = own_task(tmp_path, form, ["a"])
    environment = browser.environment()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        assert (await environment.act(Submit())).ok
        assert await stage.ended(await environment.observe()) == "the form was submitted"
        await environment.close()


async def test_a_form_that_refuses_is_not_submitted(browser: Browser, tmp_path: Path) -> None:
    task = own_task(tmp_path, "<form onsubmit='return false'><input name=a><input type=submit></form>", ["a"])
    environment = browser.environment()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        await environment.act(Submit())
        assert await stage.ended(await environment.observe()) == ""
        await environment.close()


AWAY = (
    "<input name=a><a id=popup href='about:blank' target=_blank>another tab</a>"
    "<a id=out href='picture.svg'>picture</a>"
)


@pytest.mark.parametrize(
    ("leaving", "returning"),
    [
        (Click(target=ElementRef(selector="#popup")), CloseTab()),
        (Click(target=ElementRef(selector="#out")), Back()),
        (Goto(url="about:blank"), Back()),
    ],
)
async def test_away_from_the_tasks_page_nothing_is_scored(
    browser: Browser, tmp_path: Path, leaving: Action, returning: Action
) -> None:
    task = own_task(tmp_path, AWAY, ["a"])
    task = msgspec.structs.replace(task, gold={"labels": {"a": ["right"]}})
    (tmp_path / "tasks" / "own" / "picture.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    evaluator, environment = TurkingEvaluator(), browser.environment()

    async def score() -> Score:
        return evaluator.score(task, await evaluator.collect(environment, stage, ""))

    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        assert (await score()).value == 0
        await environment.act(leaving)
        away = await score()
        assert (away.status, away.value) == (Status.NOT_SCORED, None)
        assert "not on the task's page but on" in away.reason
        await environment.act(returning)
        assert (await score()).value == 0
        await environment.close()


CROWD = (
    '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script><crowd-form>'
    '<crowd-input name="i" value="old"></crowd-input><crowd-text-area name="t"></crowd-text-area>'
    '<crowd-radio-group name="r"><crowd-radio-button value="1">one</crowd-radio-button>'
    '<crowd-radio-button value="2">two</crowd-radio-button></crowd-radio-group>'
    '<crowd-checkbox name="c" value="yes">agreed</crowd-checkbox>'
    '<crowd-slider name="s" min="1" max="3" value="2"></crowd-slider>'
    '<crowd-classifier name="k" header="Which?" categories="[\'cat\', \'dog\']"></crowd-classifier>'
    '<crowd-button form-action="submit">Go</crowd-button></crowd-form>'
)


async def test_crowd_elements_work_offline(browser: Browser, tmp_path: Path) -> None:
    task = own_task(tmp_path, CROWD, ["i", "t", "r", "c", "s", "k"])
    environment = browser.environment()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        fields = (await read(environment, task.data["answers"])).fields
        assert {field.name: (field.type, field.values) for field in fields} == {
            "i": ("text", ("old",)),
            "t": ("textarea", ("",)),
            "r": ("radio", ()),
            "c": ("checkbox", ()),
            "s": ("range", ("2",)),
            "k": ("radio", ()),
        }
        for action in (
            Type(target=ElementRef(field="t"), text="words"),
            Check(target=ElementRef(field="r", option="2")),
            Check(target=ElementRef(field="c", option="yes")),
            Check(target=ElementRef(field="k", option="dog")),
            Submit(),
        ):
            result = await environment.act(action)
            assert result.ok, result.error
        values = {
            field.name: field.values for field in (await read(environment, task.data["answers"])).fields
        }
        assert values["t"] == ("words",)
        assert (values["r"], values["c"], values["k"]) == (("2",), ("yes",), ("dog",))
        assert await stage.ended(await environment.observe()) == "the form was submitted"
        await environment.close()


async def test_unreachable_scripts_and_pictures_do_not_keep_a_page_from_working(
    browser: Browser, tmp_path: Path
) -> None:
    template = (
        '<script src="https://cdn.example/lost.js"></script><img src="https://cdn.example/lost.png">'
        '<script src="https://code.jquery.com/jquery-1.11.2.min.js"></script>'
        "<div id=here></div><script>$(function () { $('#here').append('<input name=made>') })</script>"
    )
    task = own_task(tmp_path, template, ["made"])
    environment = browser.environment()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        evidence = await TurkingEvaluator().collect(environment, stage, "")
        assert [field["name"] for field in evidence["fields"]] == ["made"]
        assert evidence["substituted"] == ["https://code.jquery.com/jquery-1.11.2.min.js"]
        await environment.close()


async def test_what_scores_texts_is_imported_once_a_form_with_texts_is_seen(
    browser: Browser, tmp_path: Path
) -> None:
    task = own_task(tmp_path, "<textarea name=t></textarea>", ["t"])
    task = msgspec.structs.replace(task, gold={"labels": {"t": ["two words"]}})
    evaluator, environment = TurkingEvaluator(), browser.environment()
    rouge_scorer.cache_clear()
    import_in_background.cache_clear()
    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        assert evaluator.score(task, await evaluator.collect(environment, stage, "")).value == 0
        async with asyncio.timeout(60):
            while not rouge_scorer.cache_info().currsize:
                await asyncio.sleep(0.01)
        await evaluator.collect(environment, stage, "")
        assert import_in_background.cache_info()[:2] == (1, 1)
        await environment.close()


QUESTIONS = (
    "<main><section><h2>One</h2><p>Is it good?<!-- secret --><script>1</script></p>"
    "<label><input type=radio name=q value=1>yes</label><label><input type=radio name=q value=2>no</label>"
    "</section><section><h2>Two</h2><textarea name=r></textarea></section>"
    "<section><h2>Three</h2><select name=s>" + "<option>long</option>" * 500 + "</select></section></main>"
)


async def test_an_agent_can_ask_for_the_relevant_html_of_a_field(browser: Browser, tmp_path: Path) -> None:
    task = own_task(tmp_path, QUESTIONS, ["q", "r", "s"])
    environment, dialect = browser.environment(), create_dialect()

    async def asked(text: str) -> StepResult:
        action = dialect.parse(text)
        assert isinstance(action, GetHtml)
        return await environment.act(action)

    async with open_stage(task, tmp_path, OFFLINE) as stage:
        await environment.reset(stage.setup)
        question = (await asked('get_html("q")')).output
        assert question.startswith("<section>")
        assert "Is it good?" in question
        assert question.count("<input") == 2
        assert not any(word in question for word in ("secret", "<script", "Two"))
        assert "Two" in (await asked('get_html("r")')).output
        cut = (await asked('get_html("s")')).output
        assert len(cut) == 6000
        assert cut.endswith("…")
        missing = await asked('get_html("nothing")')
        assert not missing.ok
        assert "nothing" in missing.error
        assert "<h2>Three" in (await asked("get_html()")).output
        await environment.close()


async def test_relevant_html_of_all_fields_is_an_option_of_the_observation(
    browser: Browser, tmp_path: Path
) -> None:
    extra = "<input type=hidden name=h><p>Key<input type=password name=key></p><input type=submit name=go>"
    big = "".join(f"<p>{'x' * 5000}<input name=f{n}></p>" for n in range(30))
    environment, dialect = browser.environment(), create_dialect()
    for page, names in ((QUESTIONS, ["q", "r", "s"]), (extra + big, ["key", *(f"f{n}" for n in range(30))])):
        data = tmp_path / names[0]
        async with open_stage(own_task(data, page, names), data, OFFLINE) as stage:
            await environment.reset(stage.setup)
            assert (await environment.observe()).relevant_html == {}
            observation = await environment.observe(ObservationOptions(relevant_html=True))
            around = observation.relevant_html
            assert list(around) == names
            assert sum(map(len, around.values())) <= 100_000
            for name in names:
                answer = await environment.act(GetHtml(target=ElementRef(field=name)))
                assert around[name] in (answer.output, "")
            text = dialect.render(observation)
            assert f"  '{names[0]}': {around[names[0]]}\n" in text
            assert ("left out for its size" in text) == (page != QUESTIONS)
            assert "Relevant HTML" not in dialect.render(await environment.observe())
    await environment.close()


async def test_a_page_and_its_actor_reach_no_other_server_of_this_machine(
    browser: Browser, tmp_path: Path
) -> None:
    # The `eval` below is the hostile page's own, run by the browser: one more way to open a socket.
    template = (
        "<p>Stay</p><script>fetch('http://localhost:{port}/page', {{mode: 'no-cors'}})</script>"
        "<img src='http://127.0.0.1:{port}/picture'><iframe src='http://[::1]:{port}/frame'></iframe>"
        "<script>let code = `new WebSocket('ws://127.0.0.1:{port}/socket')`;"
        "new Worker(URL.createObjectURL(new Blob([code]))); eval(code)</script>"
    )
    visits: list[bytes] = []

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readline()
        if request:
            visits.append(request)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret")
        writer.close()

    async with await asyncio.start_server(visit, ["127.0.0.1", "::1"], unused_port()) as other:
        port = other.sockets[0].getsockname()[1]
        task = own_task(tmp_path, template.format(port=port), [])
        environment = browser.environment()
        async with open_stage(task, tmp_path) as stage:
            await environment.reset(stage.setup)
            left = await environment.act(Goto(url=f"http://127.0.0.1:{port}/actor"))
            assert not left.ok
            assert "closed to a task's page" in left.error
            observation = await environment.observe()
            assert observation.url == stage.url
            assert any(node.name == "Stay" for node in observation.nodes)
            await environment.close()
    assert visits == []


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


async def test_a_task_that_points_out_of_its_folder_or_to_nothing_says_so(tmp_path: Path) -> None:
    task = own_task(tmp_path / "data", "", [])
    for template, words in (("../../etc/passwd", "outside"), ("tasks/own/none.html", "No such file")):
        data = {**task.data, "template": template}
        moved = Task(benchmark="turkingbench", name="own", data=data)
        with pytest.raises(BadData, match=words):
            async with open_stage(moved, tmp_path / "data"):
                pass


async def test_missing_columns_are_reported(tmp_path: Path) -> None:
    task = own_task(tmp_path, "${here} ${gone}", [], here="x")
    async with open_stage(task, tmp_path) as stage:
        assert stage.missing == ("gone",)

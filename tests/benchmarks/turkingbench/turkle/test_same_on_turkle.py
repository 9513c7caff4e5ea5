"""The same task on a real Turkle server: answers and scores are equal, and what differs is told."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

import pytest

from tests.conftest import Site
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.benchmarks.turkingbench.scoring.fields import frame_fields
from webbench.benchmarks.turkingbench.serving.cdn import ForeignRequests
from webbench.benchmarks.turkingbench.turkle.same_on_turkle import (
    FieldAnswer,
    OnTurkle,
    beside_template,
    on_turkle,
)
from webbench.benchmarks.turkingbench.turkle.turkle_server import PACKAGE, TurkleServer
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.environment import EnvironmentSetup, NetworkAnswer, NetworkRequest
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.score.score import Score, Status

FORM = """<form><input name=shown value=one><input name=shut type=hidden value=two>
<input name=kind type=radio value=a><input name=kind type=radio value=b checked></form>"""


@pytest.fixture(scope="module")
def turkle_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter with Turkle; skips where it can't be installed."""
    folder = tmp_path_factory.mktemp("turkle")
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    done = subprocess.run([python, "-m", "pip", "install", "-q", PACKAGE], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{PACKAGE} can't be installed here: {done.stderr.strip()[-200:]}")
    return str(python)


@pytest.mark.thorough
@pytest.mark.browser
async def test_reference_answers_come_to_one_score_on_both(chromium: Browser, turkle_python: str) -> None:
    benchmark = create()
    tasks = benchmark.tasks("desk-forms", instances=1)
    async with TurkleServer.running(turkle_python) as server:
        process, folder = server._program._process, server._program.folder
        found = [await on_turkle(chromium, server, one, benchmark.beside(one).folder.root) for one in tasks]
        with pytest.raises(BadData, match="does not contain any fields"):
            await server.add("empty", "<p>no field</p>", {"column": "value"})
    assert len(found) == 4
    assert [one.task for one in found if not one.same] == []
    assert all(one.sent and one.stored and one.ours.value == 1 for one in found)
    assert {field.type for one in found for field in one.fields} >= {"radio", "checkbox", "textarea", "range"}
    assert process.returncode is not None
    assert not folder.exists()


async def test_a_python_without_turkle_is_told_with_how_to_install_it() -> None:
    with pytest.raises(EnvironmentDown, match="No module named 'django'") as told:
        async with TurkleServer.running():
            pytest.fail("this Python has no Turkle")
    assert PACKAGE in told.value.hint
    with pytest.raises(UsageError, match="There is no Python"):
        async with TurkleServer.running("/nowhere/python"):
            pytest.fail("there is none")


async def test_a_frames_fields_are_read_as_those_of_a_page(
    environment: BrowserEnvironment, serve: Site
) -> None:
    serve(FORM, "/inner")
    await environment.reset(EnvironmentSetup(start_urls=(serve("<iframe id=it src=/inner></iframe>"),)))
    found = await frame_fields(environment, ["kind", "shown", "shut", "gone"], "it")
    assert {one.name: (one.type, one.displayed, one.values) for one in found} == {
        "shown": ("text", True, ("one",)),
        "kind": ("radio", True, ("b",)),
        "shut": ("hidden", False, ("two",)),
    }
    assert await frame_fields(environment, None, "other") == []


async def test_files_beside_a_template_are_given_and_no_table_and_nothing_elsewhere(tmp_path: Path) -> None:
    folder, origin = tmp_path / "task", "http://127.0.0.1:9"
    folder.mkdir()
    for path in (folder / "a b.png", folder / "batch.csv", tmp_path / "other.png"):
        path.write_bytes(b"it")
    ask = beside_template(folder, origin, ForeignRequests())

    async def answered(path: str) -> NetworkAnswer:
        return await ask(NetworkRequest(f"{origin}{path}", "GET", "image"))

    frame = "/task/3/assignment/iframe/5"
    given = await answered(f"{frame}/a%20b.png?again")
    assert (given.decision, given.content_type, given.body) == ("fulfil", "image/png", b"it")
    for path in ("batch.csv", "../other.png", "%2e%2e/other.png", "gone.png", ""):
        assert (await answered(f"{frame}/{path}")).decision == "continue"
    assert (await answered("/task/3/assignment/5/a%20b.png")).decision == "continue"
    away = await ask(
        NetworkRequest("http://127.0.0.1:99/task/3/assignment/iframe/5/a%20b.png", "GET", "image")
    )
    assert away.decision == "abort"


def test_what_differs_is_no_sameness() -> None:
    def both(ours: float, theirs: float, there: tuple[str, ...] | None, *, stored: bool = True) -> OnTurkle:
        first, second = (Score(status=Status.SCORED, value=value) for value in (ours, theirs))
        field = FieldAnswer(name="text", type="textarea", ours=("a\nb",), theirs=there)
        return OnTurkle(task="t", ours=first, theirs=second, fields=(field,), sent=True, stored=stored)

    assert both(1, 1, ("a\r\nb",)).same
    assert not both(1, 1, ("a b",)).same
    assert not both(1, 0.5, ("a\nb",)).same
    assert not both(1, 1, None).same
    assert not both(1, 1, ("a\nb",), stored=False).same

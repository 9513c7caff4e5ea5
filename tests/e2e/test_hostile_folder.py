"""Nothing that lies in the working folder runs: commands are called in one that shadows many modules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.cli.program import Done, environment
from webbench.core.agents.command.reaping import Survivor
from webbench.core.browser.desktop.display import Display
from webbench.core.browser.desktop.hand import Hand
from webbench.core.engine.process.client import EngineClient
from webbench.core.engine.process.engine_options import HostOptions
from webbench.core.engine.wire import messages
from webbench.core.errors import EnvironmentDown
from webbench.core.runner.ray.ray_player import on_cluster

PACKAGES = (
    *("msgspec", "playwright", "selenium", "websockets", "textual", "rich", "typer", "platformdirs", "httpx"),
    *("starlette", "uvicorn", "jinja2", "zstandard", "httpcore", "bs4", "lxml", "numpy", "pandas", "PIL"),
    *("pyautogui", "Xlib", "mcp", "fsspec", "ray", "nltk", "webbench"),
)
LIBRARY = ("json", "asyncio", "random", "struct", "socket", "sitecustomize", "usercustomize", "signal")
"""Of the standard library: Python imports these before any program of its own."""

SPRUNG = """
import sys
with open({mark!r}, "a") as file:
    file.write("{name} in " + " ".join(sys.argv)[:200] + chr(10))
"""
AGENT = """
import sys, json
import helper_of_mine
class Scroller:
    action_set = None
    def __init__(self): self.turn = 0
    def get_action(self, obs):
        self.turn += 1
        return "scroll(0, 100)" if self.turn == 1 else "send_msg_to_user('68')"
"""
PROGRAM = Path(sys.executable).with_name("webbench-tui")
ROOT = Path(__file__).parents[2]


class Trap:
    """A folder that shadows modules; what ran of them is told by `sprung`."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        self.folder, self._mark = folder / "downloads", folder / "sprung"
        self.home = folder / "home"
        self.folder.mkdir()
        self.home.mkdir()
        for name in names:
            package = self.folder / name
            package.mkdir()
            for file in ("__init__.py", "__main__.py"):
                (package / file).write_text(SPRUNG.format(mark=str(self._mark), name=name))

    @property
    def sprung(self) -> list[str]:
        return self._mark.read_text().splitlines() if self._mark.exists() else []

    def call(self, *words: str, **variables: str) -> Done:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env=environment(self.home, **variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=150,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    found = Trap(tmp_path, PACKAGES + LIBRARY)
    monkeypatch.chdir(found.folder)
    return found


def test_the_trap_springs(trap: Trap) -> None:
    subprocess.run([sys.executable, "-m", "playwright"], cwd=trap.folder, capture_output=True, timeout=60)
    assert any(line.startswith("playwright in ") for line in trap.sprung)


def test_doctor_imports_nothing_of_the_folder(trap: Trap) -> None:
    assert "Playwright" in trap.call("doctor").out
    assert trap.sprung == []


@pytest.mark.thorough
def test_a_detached_run_and_a_stepped_task_import_nothing_of_the_folder(trap: Trap) -> None:
    begun = trap.call("run", "demo", "--task", "price-of-lantern", "--detach", "--json")
    assert begun.code == 0, begun.err
    assert trap.call("status", begun.json["run"], "--watch").code == 0
    selenium = {"WEBBENCH_BROWSER_DRIVER": "selenium"}
    stepped = trap.call("step", "demo", "price-of-lantern", "--agent", "oracle", "--json", **selenium)
    assert stepped.code == 0, stepped.err
    assert trap.sprung == []


@pytest.mark.parametrize(
    "named", ["my_agent:Scroller", pytest.param("my_agent.py:Scroller", marks=pytest.mark.thorough)]
)
def test_a_run_of_an_agent_in_the_folder_imports_what_that_names_and_nothing_beside_it(
    trap: Trap, named: str
) -> None:
    (trap.folder / "my_agent.py").write_text(AGENT)
    (trap.folder / "helper_of_mine.py").write_text("")
    run = trap.call("run", "demo", "--task", "price-of-lantern", "--agent", f"browsergym {named}", "--json")
    assert (run.code, run.json["scored"]) == (0, 1), run.err
    assert trap.sprung == []


async def test_engine_display_and_reaper_import_nothing_of_the_folder(trap: Trap) -> None:
    client = EngineClient(HostOptions(store=str(trap.home)), trap.home / "log")
    await client.start()
    try:
        await client.send(messages.Shutdown())
        events = [event async for event in client.events()]
    finally:
        await client.close()
    assert events == []
    assert (trap.home / "log").read_text() == ""
    survivor = await Survivor.beside(2**22 - 1)
    assert survivor is not None
    await survivor.dismiss()
    with pytest.raises(EnvironmentDown):
        await Hand.start(Display(name=":59", authority=trap.home / "none", private=False))
    assert trap.sprung == []


@pytest.mark.thorough
async def test_a_served_task_imports_nothing_of_the_folder(trap: Trap) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    parameters = StdioServerParameters(
        command=str(PROGRAM), args=["serve", "mcp"], env=environment(trap.home), cwd=trap.folder
    )
    async with Client(stdio_client(parameters)) as client:
        begun = await client.call_tool("start", {"benchmark": "demo", "task": "price-of-lantern"})
        assert begun.content[0].type == "text"
        assert not begun.is_error, begun.content
    assert trap.sprung == []


@pytest.mark.thorough
@pytest.mark.parametrize("entries", [":", "", ".:", ":/nowhere", "."])
def test_an_empty_entry_of_pythonpath_lets_no_package_in(tmp_path: Path, entries: str) -> None:
    """Modules of the standard library are another matter: Python imports them before a program begins."""
    trap = Trap(tmp_path, tuple(name for name in PACKAGES if name != "webbench"))
    doctor = trap.call("doctor", PYTHONPATH=entries, PYTHONSTARTUP="msgspec/__init__.py")
    assert ("PYTHONPATH has" in " ".join(doctor.out.split())) == bool(entries)
    if entries == ":":
        run = trap.call("run", "demo", "--task", "price-of-lantern", "--json", PYTHONPATH=entries)
        assert run.code == 0, run.err
    assert trap.sprung == []


@pytest.mark.thorough
@pytest.mark.timeout(300)
async def test_a_worker_of_a_cluster_imports_nothing_of_the_folder(trap: Trap) -> None:
    ray = pytest.importorskip("ray")
    cluster_utils = pytest.importorskip("ray.cluster_utils")

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir("/")
        cluster = cluster_utils.Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
    try:
        async with on_cluster(cluster.address, 1):
            path = ray.get(ray.remote(lambda: __import__("sys").path).remote())
        assert str(trap.folder) not in path
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_one_module_builds_the_command_lines_of_python_children() -> None:
    """Whoever needs another way adds it there."""
    uses = {
        str(file.relative_to(ROOT))
        for storey in ("core", "benchmarks", "tui", "themes")
        for file in (ROOT / storey).rglob("*.py")
        if re.search(r"\bsys\._?(base_)?executable\b", file.read_text())
    }
    assert uses == {os.path.join("core", "own_python.py")}

"""Any program can be the agent: real processes, well behaved and not."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from webbench.core.action.action import Check, ElementRef, Stop, Submit
from webbench.core.agent import AgentView, PastAction
from webbench.core.agents.agent_spec import create_agent
from webbench.core.agents.command.command import CommandAgent
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import Browser
from webbench.core.engine.engine import Engine, EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.errors import AgentFailed, UsageError
from webbench.core.observation import AccessibilityNode, Dialog, Observation, Screenshot
from webbench.core.store.store import Store
from webbench.core.task import Task

EXAMPLE = Path(__file__).parents[4] / "examples" / "agents" / "tick_boxes.py"
TASK = Task(benchmark="demo", name="form", intent="Tick \ud800 all", gold={"answer": "secret-gold"})
Make = Callable[..., CommandAgent]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    """Makes agents from Python source, and ends them."""
    made: list[CommandAgent] = []

    def build(source: str, flags: str = "") -> CommandAgent:
        script = tmp_path / f"agent{len(made)}.py"
        script.write_text(source)
        spec = f"command {flags} {shlex.quote(sys.executable)} {shlex.quote(str(script))}"
        agent = create_agent(spec, AgentRequest(task=TASK, seed=3))
        assert isinstance(agent, CommandAgent)
        made.append(agent)
        return agent

    yield build
    for agent in made:
        await agent.close()


def view(step: int = 0, checked: bool = False, **more: object) -> AgentView:
    node = AccessibilityNode(
        id=4, role="checkbox", name="All \ud800 \x1b[2J", interactive=True, states={"checked": checked}
    )
    fields = {"dialect": "webarena", "observation": Observation(nodes=(node,)), **more}
    return AgentView(task=TASK, step=step, **fields)  # type: ignore[arg-type]


ECHO = """
import json, sys
hello = json.loads(sys.stdin.readline())
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    print(json.dumps({"action": "say [x]", "reasoning": json.dumps([hello, message])}), flush=True)
"""


async def test_the_program_gets_a_versioned_hello_then_observations_and_never_the_gold(make: Make) -> None:
    proposal = await make(ECHO).propose(view(step=2, last_error="covered"))
    assert proposal.text == "say [x]"
    hello, message = json.loads(proposal.reasoning)
    assert (hello["type"], hello["protocol"], hello["seed"], hello["dialect"]) == ("hello", 1, 3, "webarena")
    assert hello["task"]["id"] == "form"
    assert {"form", "meaning", "example"} == set(hello["verbs"][0])
    assert (message["type"], message["step"], message["last_error"]) == ("observation", 2, "covered")
    assert message["observation"]["nodes"][0]["id"] == 4
    assert "secret-gold" not in proposal.reasoning


async def test_an_open_dialog_is_told_in_every_form(make: Make) -> None:
    asked = Observation(dialog=Dialog("confirm", "Sure?"))
    for flags in ("--observation text", "--observation nodes"):
        proposal = await make(ECHO, flags).propose(view(observation=asked))
        _, message = json.loads(proposal.reasoning)
        assert message["dialog"] == {"kind": "confirm", "message": "Sure?", "default": ""}
        assert (message["condition"], message["problem"]) == ("ok", "")
        told = "To accept: dialog [accept]; to dismiss: dialog [dismiss]"
        assert ("text" not in message) or told in message["text"]


async def test_relevant_html_is_sent_where_it_was_asked_for(make: Make) -> None:
    agent = make(ECHO)
    for around in ({"q": "<p>Good?</p>"}, {}):
        proposal = await agent.propose(view(observation=Observation(relevant_html=around)))
        _, message = json.loads(proposal.reasoning)
        assert message.get("relevant_html", {}) == around
        assert "relevant_html" not in message["observation"]


async def test_only_the_wanted_parts_are_sent(make: Make) -> None:
    picture = Screenshot(b"\x89PNG", "png", 1, 1)
    proposal = await make(ECHO, "--observation nodes --screenshot").propose(view(screenshot=picture))
    _, message = json.loads(proposal.reasoning)
    assert message["screenshot"]["base64"] == "iVBORw=="
    assert "text" not in message
    assert "observation" in message


async def test_the_documented_example_ticks_and_submits() -> None:
    agent = create_agent(
        f"command {shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}", AgentRequest(task=TASK)
    )
    try:
        assert (await agent.propose(view())).action == Check(target=ElementRef(id=4))
        assert (await agent.propose(view(1, checked=True))).action == Submit()
        assert (await agent.propose(view(2, checked=True, last_action="submit"))).action == Stop()
    finally:
        await agent.close()


def test_the_example_is_short() -> None:
    code = EXAMPLE.read_text().split('"""')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize(
    ("spec", "ending"),
    [
        ("command python3 {}/tick_boxes.py", ["submit", "stop"]),
        ("command --observation text sh {}/tick_boxes.sh", ["submit", "stop"]),
        ("browsergym {}/browsergym_agent.py:TickBoxes answer=done", ["stop"]),
    ],
)
async def test_the_examples_play_a_real_task(
    spec: str, ending: list[str], chromium: Browser, tmp_path: Path
) -> None:
    benchmark = find_benchmark("demo")
    (task,) = benchmark.tasks(names=("receipt#0",))
    async with Engine(Store(tmp_path / "store"), drain=False, browser=chromium) as engine:
        run = engine.store.start_run(benchmark="demo", agent="command", planned=1)
        agent = make_agent(spec.format(shlex.quote(str(EXAMPLE.parent))), benchmark, task)
        async with engine.episode(EpisodeRequest(benchmark=benchmark, task=task, run=run)) as episode:
            await episode.start()
            await agent_turns.run(episode, agent, steps=2)
            await agent.close()  # and is started anew
            await agent_turns.run(episode, agent)
        await agent.close()
    if spec.startswith("command"):
        said = [step.reasoning for step in episode.steps if step.acted]
        assert said == [f"answer {number}" for number in range(1, 7)]
    verbs = [step.text.split()[0] for step in episode.steps if step.text]
    assert verbs == ["check"] * 4 + ending
    assert episode.score.status.value == "scored"


def test_a_preset_gives_it_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "webbench" / "agents"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('agent = "command"\nwords = ["cat"]\n')
    assert create_agent("mine", AgentRequest(task=TASK)).name == "mine"
    assert create_agent("command cat", AgentRequest(task=TASK)).name == "command"


async def test_a_program_may_say_that_it_is_ready_and_in_which_protocol(make: Make) -> None:
    ready = 'import sys\nprint(\'{"type": "ready", "protocol": %d}\', flush=True)\n'
    answering = "for line in sys.stdin: print('noop', flush=True)"
    assert (await make(ready % 1 + answering).propose(view())).text == "noop"
    with pytest.raises(AgentFailed, match="speaks protocol 7, and here 1 is spoken"):
        await make(ready % 7 + answering).propose(view())


async def test_a_program_may_say_that_it_failed(make: Make) -> None:
    agent = make('import sys\nfor line in sys.stdin: print(\'{"error": "no model: 401"}\', flush=True)')
    with pytest.raises(AgentFailed, match="failed: no model: 401"):
        await agent.propose(view())


async def test_who_joins_late_hears_what_was_done_and_what_is_left(make: Make) -> None:
    past = (PastAction(text="click [4]", actor="human"), PastAction(text="fly", error="no verb"))
    proposal = await make(ECHO).propose(view(step=3, history=past, left={"steps": 7, "cost": 0.5}))
    hello, message = json.loads(proposal.reasoning)
    assert hello["protocols"] == [1]
    assert (hello["step"], hello["state"], hello["state_action"]) == (3, None, None)
    assert hello["history"] == [
        {"text": "click [4]", "error": "", "actor": "human"},
        {"text": "fly", "error": "no verb", "actor": "agent"},
    ]
    assert message["left"] == {"steps": 7, "cost": 0.5}


async def test_a_program_that_dies_is_reported_with_its_last_words(make: Make) -> None:
    agent = make("import sys\nprint('\\x1b[31mno model here', file=sys.stderr)\nsys.exit(7)")
    with pytest.raises(AgentFailed, match=r"ended with exit code 7 \(it said: .*no model here") as caught:
        await agent.propose(view())
    assert "\x1b" not in str(caught.value)
    with pytest.raises(AgentFailed) as again:
        await agent.propose(view())
    assert str(again.value).count("no model here") == 1, "what it said before it was started anew is past"


async def test_a_program_that_never_reads_a_large_page_is_ended_too(make: Make) -> None:
    nodes = tuple(AccessibilityNode(id=i, role="link", name="x" * 100) for i in range(20_000))
    agent = make("import time\ntime.sleep(60)", "--timeout 0.5")
    with pytest.raises(AgentFailed, match="no answer"):
        await agent.propose(view(observation=Observation(nodes=nodes)))


async def test_a_flood_on_stderr_does_not_block(make: Make) -> None:
    noise = "import sys\nsys.stderr.write('noise\\n' * 500_000)\n"
    agent = make(noise + "for line in sys.stdin: print('noop', flush=True)")
    assert (await agent.propose(view())).text == "noop"


async def test_junk_is_passed_on_for_the_dialect_to_explain(make: Make) -> None:
    junk = "import sys\nsys.stdout.buffer.write(b'\\n\\n\\xff\\x00 junk\\r\\n')\n"
    agent = make(junk + "sys.stdout.flush()\nsys.stdin.read()")
    assert (await agent.propose(view())).text == "\ufffd\x00 junk"


async def interrupted(agent: CommandAgent) -> asyncio.subprocess.Process:
    """The agent's program, which it was waiting for when its thought was cut off; it says that it thinks."""
    thinking = asyncio.create_task(agent.propose(view(0)))
    async with asyncio.timeout(30):
        while "thinking" not in agent._stderr:
            await asyncio.sleep(0.01)
    process = agent._process
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    assert process is not None
    return process


async def test_a_program_that_is_interrupted_before_it_was_greeted_is_greeted_anew(make: Make) -> None:
    agent = make(ECHO)
    for turns in range(0, 8, 2):
        thinking = asyncio.create_task(agent.propose(view(0)))
        while turns and agent._process is None:
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        hello, message = json.loads((await agent.propose(view(1))).reasoning)
        assert (hello["type"], message["step"]) == ("hello", 1)
        await agent.close()


async def test_a_program_that_is_interrupted_in_its_thought_begins_anew(make: Make) -> None:
    agent = make(
        "import json, os, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'observation':\n"
        "        print('thinking', file=sys.stderr, flush=True)\n"
        "        time.sleep(600 if message['step'] == 0 else 0)\n"
        "        print('say [%d]' % os.getpid(), flush=True)\n"
    )
    process = await interrupted(agent)
    assert process.returncode is not None, "its work is ended, not only unheard"
    assert (await agent.propose(view(1))).text != f"say [{process.pid}]"


async def test_a_program_that_answers_an_interruption_and_ends_is_started_anew(make: Make) -> None:
    agent = make(
        "import json, os, signal, sys, time\n"
        "def leave(*_):\n"
        "    print('too late', flush=True)\n"
        "    os._exit(130)\n"
        "signal.signal(signal.SIGINT, leave)\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'observation':\n"
        "        print('thinking', file=sys.stderr, flush=True)\n"
        "        time.sleep(600 if message['step'] == 0 else 0)\n"
        "        print('say [%d]' % os.getpid(), flush=True)\n"
    )
    process = await interrupted(agent)
    again = (await agent.propose(view(1))).text
    assert process.returncode == 130
    assert again.startswith("say [")
    assert again != f"say [{process.pid}]"


async def test_a_program_that_answers_an_interruption_keeps_what_it_knows(make: Make) -> None:
    agent = make(
        "import json, os, signal, sys, time\n"
        "def leave(*_): raise TimeoutError\n"
        "signal.signal(signal.SIGINT, leave)\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'observation':\n"
        "        try:\n"
        "            print('thinking', file=sys.stderr, flush=True)\n"
        "            time.sleep(600 if message['step'] == 0 else 0)\n"
        "        except TimeoutError: print('noop', flush=True); continue\n"
        "        print('say [%d]' % os.getpid(), flush=True)\n"
    )
    process = await interrupted(agent)
    assert (await agent.propose(view(1))).text == f"say [{process.pid}]"


async def test_an_answer_nobody_waited_for_is_dropped(make: Make) -> None:
    agent = make(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'observation':\n"
        "        time.sleep(1.0 if message['step'] == 0 else 0)\n"
        "        print('say [%d]' % message['step'], flush=True)\n"
    )
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(agent.propose(view(0)), 0.5)
    assert (await agent.propose(view(1))).text == "say [1]"


async def test_closing_ends_the_program_and_its_children(make: Make, tmp_path: Path) -> None:
    child = tmp_path / "child"
    agent = make(
        "import subprocess, sys, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"p = subprocess.Popen(['sleep', '600'])\nopen({str(child)!r}, 'w').write(str(p.pid))\n"
        "print('noop', flush=True)\nimport time\ntime.sleep(600)\n"
    )
    await agent.propose(view())
    await agent.close()
    await agent.close()
    pid = int(child.read_text())
    for _ in range(100):
        if not alive(pid):
            return
        await asyncio.sleep(0.05)
    pytest.fail("the agent's child is still running")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


async def test_no_shell_reads_the_command_unless_asked(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    quiet = create_agent(f"command --timeout 5 echo 'noop; touch {mark}'", AgentRequest(task=TASK))
    assert (await quiet.propose(view())).text == f"noop; touch {mark}"
    await quiet.close()
    assert not mark.exists()
    shell = create_agent(f"command --shell 'touch {mark}; echo noop'", AgentRequest(task=TASK))
    assert (await shell.propose(view())).text == "noop"
    await shell.close()
    assert mark.exists()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("command", "needs a program"),
        ("command --loud x", 'no flag "--loud"'),
        ("command --timeout soon cat", "wants seconds"),
        ("command --timeout", 'no flag "--timeout"'),
        ("command --observation some cat", "one of both, text, nodes"),
        ("command /no/such/program", "not there or not executable"),
    ],
)
def test_a_wrong_call_says_what_is_right(spec: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        create_agent(spec, AgentRequest(task=TASK))

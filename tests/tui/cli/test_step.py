"""`step` without a screen: lines in, answers out; an episode that was killed is resumed."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Site
from tests.tui.cli.program import PROGRAM, Here, call, environment

FIELDS = {"schema_version", "run", "episode", "task", "intent", "step", "action", "ok", "error", "url"}
FIELDS |= {
    "observation",
    "score",
    "ended",
    "final",
    "output",
    "condition",
    "problem",
    "dialog",
    "relevant_html",
}
FIELDS |= {"agent", "proposal", "reasoning", "memory", "preview"}


def test_json_lines(tmp_path: Path) -> None:
    looks = ":html page harbour\n:html 99999\n:open picture\n:open film\n"
    lines = "frobnicate [1]\n:preview 68\nremember [x]\n:screenshot\n"
    lines += f"{looks}click [99999]\n\nstop [42]\nclick [1]\n"
    words = ("step", "demo", "price-of-lantern", "--json", "--dialect", "assistantbench")
    done = call(tmp_path, *words, stdin=lines)
    assert done.code == 0, done.err
    start, refused, previewed, kept, pictured, found, no_node, opened, no_kind, failed, stopped, last = (
        done.json_lines
    )
    assert all(answer.keys() >= FIELDS for answer in done.json_lines)
    assert (start["step"], start["action"], start["ok"]) == (0, "", True)
    assert "RootWebArea" in start["observation"]
    assert (refused["step"], refused["action"], refused["ok"]) == (0, "frobnicate [1]", False)
    assert refused["error"].startswith('at character 1: there is no verb "frobnicate"; try one of search, ')
    assert (previewed["step"], previewed["preview"]["value"], previewed["score"]["value"]) == (0, 1.0, 0.0)
    assert (kept["step"], kept["memory"], kept["preview"]) == (1, ["x"], None)
    assert start["boxes"]["1"][:2] == [0, 0]
    links = re.findall(r"\[(\d+)\] link ", start["observation"])
    assert all(len(start["boxes"][link]) == 4 for link in links)
    assert start["viewport"]["width"] == pictured["screenshot"]["width"]
    assert base64.b64decode(pictured["screenshot"]["base64"]).startswith(b"\x89PNG")
    assert start["screenshot"] is failed["screenshot"] is None
    html = found["html"]["html"]["lines"]
    assert html[0].startswith("<html")
    assert found["html"]["matches"]
    assert all("harbour" in html[number - 1].lower() for number in found["html"]["matches"])
    assert no_node["error"].startswith("There is no node 99999 on the page")
    assert (opened["outside"]["kind"], opened["outside"]["opened"]) == ("picture", False)
    assert Path(opened["outside"]["file"]).stat().st_size > 1000
    assert no_kind["error"].startswith('A step can\'t be opened as "film"')
    assert (failed["step"], failed["ok"]) == (2, False)
    assert "99999" in failed["error"]
    assert stopped["ended"]
    assert last["final"]
    assert last["score"]["status"] == "scored"
    assert last["score"]["value"] == 0.0


def test_any_page_is_a_task(tmp_path: Path, serve: Site) -> None:
    page = serve("<title>Mugs</title><a href=/blue>Blue mug</a>")
    words = ("step", "--url", page, "--intent", "Find the blue mug", "--json")
    done = call(tmp_path, *words, stdin="stop [12]\n")
    start, *_, last = done.json_lines
    assert (done.code, start["task"], start["url"]) == (1, f"{page} Find the blue mug", page)
    assert (last["intent"], last["score"]["status"]) == ("Find the blue mug", "pending")
    refused = call(tmp_path, "step", "--url", "file:///etc/passwd")
    assert (refused.code, "is no address of a page" in refused.err) == (2, True)


def test_plain_answers_to_bytes_that_are_no_text(tmp_path: Path) -> None:
    done = call(tmp_path, "step", "demo", "price-of-lantern", stdin=b"\xff\xfe\x1b[2J\nclick 12\nstop [1]")
    assert done.code == 0, done.err
    assert done.out.startswith("task: demo price-of-lantern\nintent: ")
    assert "\x1b" not in done.out + done.err
    assert re.search(r"^! at character 1: .*; try one of click, ", done.out, re.MULTILINE)
    assert re.search(r"^! at character 7: .*; try click \[12\]$", done.out, re.MULTILINE)
    assert re.search(r"^ended: the actor stopped$", done.out, re.MULTILINE)


def test_agent_steps_to_the_end(tmp_path: Path, here: Here) -> None:
    words = ("step", "demo", "price-of-lantern", "--agent", "oracle", "--screenshot")
    refused = here(tmp_path, *words)
    assert (refused.code, refused.out) == (2, "")
    done = call(tmp_path, *words, "--json")
    assert done.code == 0, done.err
    assert {answer["screenshot"]["format"] for answer in done.json_lines} == {"png"}
    assert done.json_lines[-1]["score"]["value"] == 1.0
    assert [answer["step"] for answer in done.json_lines[:-1]] == list(range(len(done.json_lines) - 1))


@pytest.mark.thorough
def test_acting_on_a_drawing_by_id_ends_no_episode(tmp_path: Path) -> None:
    words = [*PROGRAM, "step", "demo", "open-product", "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path, env=environment(tmp_path)
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        site = json.loads(program.stdout.readline())["url"].split("/")[2]
        program.stdin.write(f"goto [http://{site}/static/shop/mark.svg]\n")
        program.stdin.flush()
        shown = json.loads(program.stdout.readline())
        assert shown["url"].endswith("mark.svg")
        page, drawing = shown["boxes"]
        lines = [f"click [{drawing}]", f"hover [{drawing}]", f"type [{drawing}] [x] [0]", f"click [{page}]"]
        out, err = program.communicate("\n".join(lines), timeout=60)
    answers = [json.loads(line) for line in out.splitlines()]
    assert program.returncode == 0, err
    assert [answer["ok"] for answer in answers[:4]] == [True, True, False, True]
    assert "takes no text (svg, which is not HTML)" in answers[2]["error"]
    assert answers[-1]["ended"] == "the input ended"


@pytest.mark.thorough
def test_an_open_dialog_is_told_with_how_to_answer_it(tmp_path: Path) -> None:
    looked = call(tmp_path, "step", "demo", "start-over", "--json").json_lines
    first = looked[0]["observation"]
    assert (looked[-1]["final"], looked[-1]["episode"]) == (True, "")
    assert call(tmp_path, "runs", "--json").json["runs"] == [], "a look without an action is no attempt"
    button = re.search(r"\[(\d+)\] button 'Empty", first)
    assert button, first
    click = f"click [{button[1]}]"
    done = call(tmp_path, "step", "demo", "start-over", "--json", stdin=f"{click}\ndialog [dismiss]\n")
    _, asked, answered, _ = done.json_lines
    assert (asked["dialog"]["kind"], asked["condition"], asked["problem"]) == ("confirm", "ok", "")
    assert f"Dialog open: confirm '{asked['dialog']['message']}'" in asked["observation"]
    assert answered["dialog"] is None
    assert "RootWebArea" in answered["observation"]
    plain = call(tmp_path, "step", "demo", "start-over", stdin=f"{click}\n").out
    assert "Dialog open: confirm" in plain
    assert "To accept: dialog [accept]; to dismiss: dialog [dismiss]" in plain


@pytest.mark.thorough
def test_relevant_html_comes_with_each_observation(tmp_path: Path) -> None:
    step = ("step", "demo", "picture-labels#0", "--json")
    asked = call(tmp_path, *step, "--relevant-html", stdin="scroll [down]\n").json_lines
    for answer in asked[:2]:
        assert answer["relevant_html"]
        assert all("<" in html for html in answer["relevant_html"].values())
    by_setting = call(tmp_path, *step, WEBBENCH_RELEVANT_HTML="1").json_lines
    assert by_setting[0]["relevant_html"].keys() == asked[0]["relevant_html"].keys()
    off = call(tmp_path, *step, "--no-relevant-html", WEBBENCH_RELEVANT_HTML="1").json_lines
    assert off[0]["relevant_html"] == {}


COMMANDS = """\
:frobnicate
:propose
:agent oracle
:propose
:reject too early
:note  looks odd [b]
:propose
:accept
:propose
scroll [down]
:run 1
:refresh
:run none
:end had enough
"""


@pytest.mark.thorough
def test_commands_beside_actions(tmp_path: Path, here: Here) -> None:
    done = call(tmp_path, "step", "demo", "camp-mugs", "--json", stdin=COMMANDS)
    assert done.code == 1, "it was ended without a score"
    answers = done.json_lines
    assert [answer["action"] for answer in answers[1:-1]] == COMMANDS.splitlines()
    assert [answer["step"] for answer in answers[1:-1]] == [0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 5, 5]
    errors = [answer["error"] for answer in answers[1:-1]]
    assert errors[0].startswith("There is no command :frobnicate")
    assert errors[1].startswith("No agent is chosen")
    assert errors[12].startswith('"none" is no number of steps')
    assert not any(errors[2:12] + errors[13:])
    proposals = [answer["proposal"] for answer in answers[1:-1]]
    assert [bool(text) for text in proposals] == [number in (3, 6, 8) for number in range(len(proposals))]
    assert answers[-1]["score"]["status"] == "not_scored"
    assert answers[-1]["score"]["reason"] == answers[-1]["ended"] == "had enough"
    steps = here(tmp_path, "show", answers[-1]["episode"], "--json").json["trajectory"]["steps"]
    assert steps[1]["note"] == f"rejected the proposal {proposals[3]}: too early"
    assert steps[2]["note"] == "looks odd [b]"
    assert [step.get("actor", "human") for step in steps[3:]] == ["agent", "operator", "agent"]
    assert steps[4]["proposed"] == proposals[8]


@pytest.mark.thorough
@pytest.mark.timeout(120)
def test_killed_episode_is_resumed(tmp_path: Path, here: Here) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "step", "demo", "camp-mugs", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    assert process.stdin
    assert process.stdout
    answer = json.loads(process.stdout.readline())
    box = re.search(r"\[(\d+)\] searchbox", answer["observation"])
    assert box
    for action in (f"type [{box[1]}] [camp mug] [1]", "scroll [down]", "scroll [up]"):
        process.stdin.write(f"{action}\n".encode())
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["ok"], answer["error"]
    process.kill()
    process.wait()
    shown = here(tmp_path, "show", answer["episode"], "--json").json["trajectory"]
    assert [step["index"] for step in shown["steps"]] == [0, 1, 2, 3]
    assert not shown["header"].get("end_reason")
    told = here(tmp_path, "show", answer["episode"]).out
    assert "not scored: the episode did not end" in told
    assert "at step 3 it stood at 0.000" in told
    assert here(tmp_path, "score", answer["episode"]).code == 1
    anyway = here(tmp_path, "score", answer["episode"], "--anyway", "--json")
    assert (anyway.code, anyway.json["step"], anyway.json["score"]["value"]) == (0, 3, 0.0)
    assert "stays not scored" in anyway.json["unkept"]
    assert "not scored" in here(tmp_path, "show", answer["episode"]).out

    (lines,) = tmp_path.glob(f"data/**/{answer['episode']}/steps.jsonl")
    gone = '"verb":"scroll","target":{"role":"button","name":"No such button"}'
    lines.write_text(gone.join(lines.read_text().rsplit('"verb":"scroll"', 1)))
    resumed = call(tmp_path, "step", "--resume", answer["episode"], "--json", stdin="stop [done]\n")
    first, second, last = resumed.json_lines
    assert first["step"] == 3
    assert first["error"].startswith("The replay stopped at step 3")
    assert "camp+mug" in first["url"], "what came before was repeated"
    assert (second["step"], last["ended"]) == (4, "the actor stopped")
    assert last["score"]["status"] == "scored"
    again = here(tmp_path, "show", last["episode"], "--json").json["trajectory"]
    assert again["header"]["resumed_from"] == answer["episode"]
    assert len(again["steps"]) == 5


@pytest.mark.thorough
@pytest.mark.timeout(120)
def test_a_kept_episode_is_listed_until_another_goes_on_with_it(tmp_path: Path, here: Here) -> None:
    kept = call(tmp_path, "step", "demo", "open-product", "--json", stdin="scroll [down]\n:note hm\n:keep\n")
    assert kept.code == 0
    last = kept.json_lines[-1]
    assert (last["ended"], last["final"], last["step"]) == ("left unfinished", False, 2)
    assert (last["actions"], last["step_limit"]) == (1, 40)
    listed = here(tmp_path, "runs", "--unfinished", "--json")
    assert listed.code == 0
    assert [(one["episode"], one["actions"]) for one in listed.json["episodes"]] == [(last["episode"], 1)]
    resumed = call(tmp_path, "step", "--resume", last["episode"], "--json", stdin="scroll [up]\n:keep\n")
    again = resumed.json_lines[-1]
    assert again["replayed"]["steps"] == 1
    listed = here(tmp_path, "runs", "--unfinished", "--json")
    assert [(one["episode"], one["actions"]) for one in listed.json["episodes"]] == [(again["episode"], 2)]

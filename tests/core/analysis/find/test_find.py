"""Whatever is recorded is found at its episode and step, whatever becomes of the index."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.shared import need_shared
from webbench.core.action.action import Click, ElementRef
from webbench.core.analysis.find.find import Found, FoundEpisode, Hit, find
from webbench.core.analysis.find.index_words import index_words, step_words
from webbench.core.analysis.find.indexed_texts import MOST_CHARACTERS, PLACES
from webbench.core.analysis.find.text_index import FILE
from webbench.core.errors import UsageError
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import bring_in
from webbench.core.judge import Question, Reply
from webbench.core.labels.label import Dispute, Done, Label, Memo
from webbench.core.labels.ledger import ledger_of
from webbench.core.model_call import ModelCall
from webbench.core.observation import AccessibilityNode, DialogueTurn, Observation
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.kept_replies import keep_replies
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

AT = "2026-01-01T00:00:00.000+00:00"


def page(*names: str, **more: Any) -> Observation:
    nodes = tuple(AccessibilityNode(id=at, role="link", name=name) for at, name in enumerate(names, 1))
    return Observation(url="http://shop.test/", title="Shop", nodes=nodes, **more)


def begin(store: Store, *, name: str = "tea", actor: str = "oracle") -> Recorder:
    run = store.start_run("shop", actor, 2)
    task = Task(benchmark="shop", name=name, intent=f"Put {name} into the basket")
    header = EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="webarena")
    return store.recorder(run, header)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def filled(store: Store) -> Store:
    """One episode with a text of each kind, and one that only shares its pages."""
    recorder = begin(store)
    turn = DialogueTurn(index=0, speaker="instructor", text="kindly hurry")
    recorder.write(Step(index=0, at=AT), observation=page("Oolong", "Darjeeling"))
    recorder.write(
        Step(
            index=1,
            at=AT,
            text="click [2]",
            action=Click(target=ElementRef(id=2)),
            reasoning="Perhaps Assam is sold out",
            reply="I choose",
            proposed="click [9]",
            calls=(ModelCall(model="m", reply="a kettle boils"),),
            error="nothing happened",
            output="42 crates",
        ),
        observation=page("Oolong", "Darjeeling", dialogue=(turn,)),
    )
    recorder.write(Step(index=2, at=AT, note="a saucer is missing"))
    recorder.write(Step(index=3, at=AT, text="go_back"), observation=page("Sencha"))
    recorder.finish(Score(status=Status.SCORED, value=1.0), "done")
    other = begin(store, name="rice", actor="human")
    for index in range(3):
        other.write(Step(index=index, at=AT, text=""), observation=page("Oolong", "Darjeeling"))
    other.finish(Score(status=Status.SCORED, value=0.0), "done")
    return store


def hit_rows(found: Found) -> list[tuple[FoundEpisode, Hit]]:
    return [(one, hit) for one in found.episodes for hit in one.hits]


def hits(found: Found) -> list[tuple[str, str, str]]:
    return [(one.episode.name, step_words(hit), hit.where) for one, hit in hit_rows(found)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("basket", [("rice", "", "task"), ("tea", "", "task")]),
        ("assam", [("tea", "step 1", "reasoning")]),
        ("choose", [("tea", "step 1", "reply")]),
        ("kettle", [("tea", "step 1", "reply")]),
        ('"click 9"', [("tea", "step 1", "proposed")]),
        ("happened", [("tea", "step 1", "error")]),
        ("crates", [("tea", "step 1", "output")]),
        ("saucer", [("tea", "step 2", "note")]),
        ("sencha", [("tea", "step 3", "page")]),
        ("hurry", [("tea", "step 1", "dialogue")]),
        # The element of an action that has only an id is named by the page before it.
        ('"click link Darjeeling"', [("tea", "step 1", "action")]),
        # A page that stays is one hit.
        ("oolong", [("rice", "step 0-2", "page"), ("tea", "step 0-1", "page")]),
        ("nowhere", []),
    ],
)
def test_each_kind_of_text_is_found_at_its_step(
    filled: Store, text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert sorted(hits(find(filled, text))) == expected


def test_filters_kinds_and_bounds(filled: Store) -> None:
    assert hits(find(filled, "oolong", "actor:human status:failed")) == [("rice", "step 0-2", "page")]
    assert hits(find(filled, "click", within=("proposed",))) == [("tea", "step 1", "proposed")]
    bounded = find(filled, "basket OR oolong OR click", most=1, most_hits=1)
    assert (bounded.matching, bounded.left_out, len(bounded.episodes)) == (2, 1, 1)
    assert len(bounded.episodes[0].hits) == 1
    assert bounded.episodes[0].left_out
    everything = find(filled, "basket OR oolong OR click")
    assert bounded.texts == everything.texts == sum(one.texts for one in everything.episodes)
    with pytest.raises(UsageError, match='no texts called "pages"'):
        find(filled, "tea", within=("pages",))
    with pytest.raises(UsageError, match="no status"):
        find(filled, "tea", "status:lost")


def test_the_excerpt_marks_what_was_found(filled: Store) -> None:
    (_, hit), *_ = hit_rows(find(filled, "darjeeling", "actor:human"))
    assert hit.excerpt[hit.start : hit.start + hit.length] == "Darjeeling"
    assert hit.excerpt == "Shop http://shop.test/ Oolong Darjeeling"


def test_only_what_is_new_or_changed_is_read(filled: Store) -> None:
    assert find(filled, "oolong").index.read == 2
    assert find(filled, "oolong").index.read == 0
    recorder = begin(filled, name="milk")
    recorder.write(Step(index=0, at=AT), observation=page("Matcha"))
    again = Store(filled.root)
    assert (hits(find(again, "matcha")), find(again, "matcha").index.episodes) == (
        [("milk", "step 0", "page")],
        3,
    )
    recorder.write(Step(index=1, at=AT, text="stop [x]", reasoning="enough"))
    assert hits(find(again, "enough")) == [("milk", "step 1", "reasoning")]  # it has no end yet
    recorder.finish(None, "done")
    assert find(again, "enough").index.read == 1
    run = filled.episodes()[0].run
    shutil.rmtree(filled.root / run)
    assert all(one.episode.run != run for one in find(again, "basket").episodes)


def test_a_page_that_many_steps_show_is_kept_once(filled: Store) -> None:
    find(filled, "oolong")
    with sqlite3.connect(filled.root / FILE) as database:
        asked = f"SELECT count(*) FROM places WHERE place = {PLACES.index('page')} GROUP BY text"
        assert sorted(count for (count,) in database.execute(asked)) == [1, 5]
    database.close()


def test_what_only_a_deleted_run_said_leaves_the_index(filled: Store) -> None:
    find(filled, "sencha")
    shutil.rmtree(next(filled.root / one.run for one in filled.episodes() if one.name == "tea"))
    assert hits(find(filled, "oolong OR sencha OR assam")) == [("rice", "step 0-2", "page")]
    with sqlite3.connect(filled.root / FILE) as database:
        left = "SELECT count(*) FROM texts WHERE NOT EXISTS (SELECT 1 FROM places WHERE text = texts.id)"
        assert database.execute(left).fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM words WHERE words MATCH 'sencha'").fetchone() == (0,)
    database.close()


@pytest.mark.parametrize("damage", ["gone", "text", "middle", "tables", "release", "words"])
def test_a_deleted_or_damaged_index_is_made_anew_and_told(filled: Store, damage: str) -> None:
    before = hits(find(filled, "oolong"))
    path = filled.root / FILE
    if damage == "gone":
        path.unlink()
    elif damage in ("tables", "release", "words"):
        done = {
            "tables": "DROP TABLE places",
            "release": "PRAGMA user_version = 99",
            "words": "DELETE FROM words_data WHERE id > 10",
        }[damage]
        with sqlite3.connect(path) as database:
            database.execute(done)
        database.close()
    else:
        data = bytearray(path.read_bytes())
        data[:] = b"no database" if damage == "text" else data
        data[4096 : len(data)] = os.urandom(max(0, len(data) - 4096))
        path.write_bytes(data)
    found = find(Store(filled.root), "oolong")
    assert hits(found) == before
    assert found.index.read == 2
    assert bool(found.index.rebuilt) == (damage != "gone")
    assert find(Store(filled.root), "oolong").index.read == 0


def test_a_store_that_cannot_be_written_is_looked_through_all_the_same(filled: Store) -> None:
    filled.runs()
    (filled.root / FILE).mkdir()
    reading = Store(filled.root)
    found = find(reading, "assam")
    assert hits(found) == [("tea", "step 1", "reasoning")]
    assert not found.index.kept
    assert "can't be kept" in index_words(found.index)[0]
    assert find(reading, "sencha").index.read == 0  # made once for this store


def test_another_process_at_work_is_told(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbench.core.analysis.find.text_index.BUSY_SECONDS", 0.0)
    find(filled, "tea")
    holder = sqlite3.connect(filled.root / FILE, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    begin(filled, name="milk").finish(None, "done")
    found = find(Store(filled.root), "basket")
    assert (found.matching, found.index.waiting) == (2, 1)
    holder.close()
    assert find(Store(filled.root), "basket").matching == 3


def test_reading_that_is_broken_off_keeps_what_it_read(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.core.analysis.find.text_index.AT_ONCE", 1)

    def enough(read: int, wanting: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find(filled, "tea", told=enough)
    assert find(filled, "basket").index.read == 1


def test_what_is_cut_unread_or_damaged_is_told(store: Store) -> None:
    recorder = begin(store)
    recorder.write(Step(index=0, at=AT, output="a " * MOST_CHARACTERS + "hidden"), html="<p>only html</p>")
    recorder.write(Step(index=1, at=AT, text="go_back"), observation=page("Sencha"))
    recorder.finish(None, "done")
    folder = store.root / store.episodes()[0].run / store.episodes()[0].episode
    for blob in (store.root / "blobs").rglob("*.zst"):
        blob.write_bytes(b"damaged")
    found = find(store, "hidden OR html OR sencha")
    assert found.matching == 0
    assert (found.index.cut, found.index.unread_pages) == (1, 1)
    assert list(found.index.problems) == [f"{folder.parent.name}/{folder.name}"]
    assert [line.split(":")[0] for line in index_words(found.index)][:2] == [
        "Of 1 text only the first 100,000 characters can be found",
        "1 step without an accessibility tree",
    ]


def test_what_people_said_is_found_once_nobody_is_swayed_by_it(filled: Store) -> None:
    one = next(one for one in filled.episodes() if one.name == "tea")
    place: dict[str, Any] = {"run": one.run, "episode": one.episode, "annotator": "ada"}
    ledger = ledger_of(filled)
    label = Label(
        **place, step=1, taxonomy="merged", version=1, question="cause", code="loop", note="round in circles"
    )
    memo = Memo(**place, step=3, text="the lid rattles")
    ledger.add([label, memo])
    assert hits(find(filled, "circles OR rattles")) == []
    done = Done(run=one.run, episode=one.episode, taxonomy="merged", annotator="ada")
    dispute = Dispute(**place, status=Status.SCORED, scored=1.0, corrected=0, reason="wrong pot", evidence=3)
    ledger.add([done, dispute])
    assert hits(find(filled, "circles OR rattles OR pot")) == [
        ("tea", "step 1", "label"),
        ("tea", "step 3", "memo"),
        ("tea", "step 3", "dispute"),
    ]
    ledger.add([Done(run=one.run, episode=one.episode, taxonomy="merged", annotator="ada", reopened=True)])
    assert hits(find(filled, "circles OR rattles")) == []


def test_replies_of_judges_are_found_when_they_come(filled: Store) -> None:
    one = next(one for one in filled.episodes() if one.name == "tea")
    assert not find(filled, "verily").matching
    question = Question(kind="shop/fits", fields={}, verdicts=("yes", "no"))
    reply = Reply(text="yes", judge="m", reason="verily so")
    keep_replies(filled, filled.root / one.run / one.episode, [(question, reply)])
    assert hits(find(filled, "verily")) == [("tea", "", "judge")]


def test_a_turn_is_one_hit_where_several_steps_show_one_page(store: Store) -> None:
    said = page("Oolong", dialogue=(DialogueTurn(index=0, speaker="instructor", text="kindly hurry"),))
    for name in ("tea", "rice"):
        recorder = begin(store, name=name)
        for index in range(3):
            recorder.write(Step(index=index, at=AT), observation=said)
        recorder.finish(None, "done")
    found = hits(find(store, "hurry"))
    assert sorted(found) == [("rice", "step 0", "dialogue"), ("tea", "step 0", "dialogue")]


def test_an_episode_that_is_read_again_keeps_its_dialogue(filled: Store) -> None:
    """Another episode shows the same page without it, so that half of the page stays in the index."""
    one = next(one for one in filled.episodes() if one.name == "tea")
    assert hits(find(filled, "hurry")) == [("tea", "step 1", "dialogue")]
    question = Question(kind="shop/fits", fields={}, verdicts=("yes", "no"))
    keep_replies(
        filled, filled.root / one.run / one.episode, [(question, Reply(text="yes", judge="m", reason="so"))]
    )
    assert hits(find(filled, "hurry")) == [("tea", "step 1", "dialogue")]


@pytest.mark.parametrize("line", ['{"torn', '{"kind":"memo","schema_version":99}'])
def test_labels_that_cannot_be_read_are_told(filled: Store, line: str) -> None:
    one = next(one for one in filled.episodes() if one.name == "tea")
    ledger = ledger_of(filled)
    ledger.add([Memo(run=one.run, episode=one.episode, annotator="ada", text="rattles")])
    with next(ledger.folder.glob("*ada*")).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    for _ in range(2):
        found = find(Store(filled.root), "assam")
        assert (found.matching, bool(found.index.unread_labels)) == (1, True)
        assert "Labels that could not be read" in index_words(found.index)[-1]


@pytest.mark.parametrize("index", [-(10**30), 10**30, -1])
def test_a_hostile_record_is_no_fault(store: Store, index: int) -> None:
    recorder = begin(store)
    recorder.finish(None, "done")
    one = store.episodes()[0]
    note, blob = "tab\\u0000 [/b] \\ud800 lurks", "../../etc/passwd"
    line = f'{{"index":{index},"at":"","note":"{note}","observation":"{blob}"}}\n'
    (store.root / one.run / one.episode / "steps.jsonl").write_text(line)
    found = find(store, "lurks")
    assert found.index.problems
    assert found.matching in (0, 1)


def test_published_recordings_are_found_by_what_is_in_them(store: Store) -> None:
    list(bring_in(need_shared("data/trajectories/nnetnav"), [find_format("nnetnav")], store))
    found = find(store, '"yoga pants" NOT zebra', "actor:nnetnav")
    assert (found.matching, found.index.problems) == (1, {})
    wheres = {hit.where for _, hit in hit_rows(find(store, "yoga", most_hits=1_000))}
    assert {"task", "page", "action", "reasoning"} <= wheres
    trajectory = store.load(store.root / found.episodes[0].episode.run / found.episodes[0].episode.episode)
    for hit in find(store, '"yoga pants"', within=("reasoning",), most_hits=1_000).episodes[0].hits:
        step = next(step for step in trajectory.steps if step.index == hit.step)
        assert "yoga pants" in step.reasoning.lower()

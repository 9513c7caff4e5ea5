"""Recorded episodes side by side."""

from pathlib import Path

import msgspec
import pytest

from webbench.core.action.action import Action, Click, ElementRef, Stop, Type
from webbench.core.analysis.compare.comparison import Done, compare
from webbench.core.analysis.compare.row_marks import extra_rows
from webbench.core.analysis.compare.sentences import details, summary
from webbench.core.analysis.recorded.other_attempts import other_attempts
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.labels.label import Done as LabelsDone
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Ledger
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import Actor, EpisodeHeader, Step, Trajectory


def click(name: str) -> Action:
    return Click(target=ElementRef(role="link", name=name))


def header_of(actor: str, task: str = "t", gold: JsonObject | None = None) -> EpisodeHeader:
    asked = Task(benchmark="b", name=task, gold=gold or {})
    return EpisodeHeader(run="", episode="", task=asked, actor=actor, dialect="webarena")


def recorded(
    store: Store,
    actor: str,
    *actions: Action | None,
    task: str = "t",
    failing: int | None = None,
    gold: JsonObject | None = None,
) -> Trajectory:
    run = store.start_run("b", actor, 1)
    recorder = store.recorder(run, header_of(actor, task, gold))
    recorder.write(Step(index=0, at="", url="http://s/start"))
    for index, action in enumerate(actions, 1):
        if action is None:
            recorder.write(Step(index=index, at="", actor="agent"))
            continue
        error = "covered" if index == failing else ""
        url = "http://s/start" if error else f"http://s/{index}"
        by: Actor = "human" if actor == "human" else "agent"
        recorder.write(Step(index=index, at="", actor=by, action=action, ok=not error, error=error, url=url))
    recorder.finish(None, "the actor stopped")
    return store.load(recorder.folder.name)


def test_who_opened_the_pages_with_the_answer_is_told(tmp_path: Path) -> None:
    gold: JsonObject = {"solution": {"pages": ["http://s/2"], "explanation": "Read the second page."}}
    store = Store(tmp_path)
    one = recorded(store, "human", click("a"), click("b"), Stop(answer="1"), gold=gold)
    other = recorded(store, "agent", click("a"), Stop(answer="2"), gold=gold)
    told = details(compare(store, [one, other]))
    assert "How it is solved: Read the second page." in told
    assert "human opened 1 of 1 page where the answer can be verified." in told
    assert "agent opened 1 of 1 page where the answer can be verified." in told


def test_a_human_comes_first_and_the_rows_name_recorded_steps(tmp_path: Path) -> None:
    store = Store(tmp_path)
    agent = recorded(store, "agent", click("a"), click("b"), Stop(answer="1"))
    human = recorded(store, "human", click("a"), Stop(answer="2"))

    found = compare(store, [agent, human])

    assert [attempt.actor for attempt in found.attempts] == ["human", "agent"]
    assert [attempt.steps for attempt in found.attempts] == [(1, 2), (1, 2, 3)]
    assert found.alignment.rows[0].same
    assert [mark.kind for mark in found.marks] == ["same", "parts", "differs"]
    assert [extra_rows(found.alignment, actor) for actor in (0, 1)] == [(), (1,)]
    assert summary(found) == (
        "They part in row 2 of 3 and never do the same again. "
        'There, human: step 2, stop with the answer "2"; agent: step 2, click link "b".'
    )
    store.close()


@pytest.mark.parametrize(
    "sent", ["", 'type({"entries": [{"mark_id": 9, "content": "tea", "press_enter": true}]})']
)
def test_typing_that_ends_with_enter_is_worded_as_two_acts(tmp_path: Path, sent: str) -> None:
    """Whatever the agent wrote: the row is read by a person."""
    store = Store(tmp_path)
    box = ElementRef(role="textbox", name="Search")
    attempts = []
    for actor in ("human", "agent"):
        recorder = store.recorder(store.start_run("b", actor, 1), header_of(actor))
        recorder.write(Step(index=0, at="", url="http://s/start"))
        typed = Type(target=box, text="tea", enter=True)
        recorder.write(Step(index=1, at="", actor="agent", text=sent, action=typed, url="http://s/1"))
        recorder.finish(None, "the actor stopped")
        attempts.append(store.load(recorder.folder.name))

    found = compare(store, attempts)

    assert [one.words for one in found.attempts[0].done] == [
        'type "tea" into textbox "Search"',
        "and press Enter",
    ]


def test_equal_names_are_numbered_and_steps_without_effect_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded(store, "agent", click("a"), Stop(answer="1"))
    other = recorded(store, "agent", click("a"), Stop(answer="1"), failing=1)

    found = compare(store, [one, other])

    assert [attempt.name for attempt in found.attempts] == ["agent 1", "agent 2"]
    assert found.attempts[1].done[0] == Done(words='click link "a"', error="covered", effect="failed")
    assert (found.marks[0].kind, found.marks[0].unequal, found.marks[0].stop) == ("parts", True, True)
    assert found.marks[0].flags == ((), ("invalid",))
    assert summary(found) == (
        "They part in row 1 of 2 and do the same again in row 2. "
        'There, the same act has not the same effect. agent 1: step 1, click link "a": the page changed; '
        'agent 2: step 1, click link "a": it could not be done (covered).'
    )
    assert details(found)[0] == 'Row 1: click link "a" had an effect for agent 1 and none for agent 2.'
    store.close()


def test_steps_of_which_nothing_is_recorded_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded(store, "agent", click("a"), Stop(answer="1"))
    other = recorded(store, "model", None, click("a"), None, Stop(answer="1"))

    found = compare(store, [one, other])

    assert [attempt.unrecorded for attempt in found.attempts] == [(), (1, 3)]
    assert "model: nothing is recorded of steps 1 and 3, so no row stands for them." in details(found)
    store.close()


def test_like_steps_of_unequal_effect_are_told_in_their_own_words(tmp_path: Path) -> None:
    store = Store(tmp_path)
    heading, image = (Click(target=ElementRef(role=role, name="a")) for role in ("heading", "image"))
    found = compare(store, [recorded(store, "one", heading), recorded(store, "two", image, failing=1)])

    told = 'Row 1: click heading "a" had an effect for one, click image "a" had none for two.'
    assert (found.alignment.rows[0].act, found.alignment.rows[0].same) == (True, False)
    assert details(found)[0] == told
    store.close()


def test_other_attempts_at_a_task_are_found(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other, human = (recorded(store, actor, click("a")) for actor in ("agent", "model", "human"))
    recorded(store, "agent", click("a"), task="u")
    episode = next(found for found in store.episodes() if found.episode == one.header.episode)

    found = other_attempts(store, episode)

    assert [attempt.episode for attempt in found] == [human.header.episode, other.header.episode]
    store.close()


def test_only_attempts_at_one_task_can_be_compared(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one = recorded(store, "human", click("a"))
    other = recorded(store, "agent", click("a"), task="u")

    with pytest.raises(UsageError, match="different tasks: b t and b u"):
        compare(store, [one, other])
    with pytest.raises(UsageError, match="named twice"):
        compare(store, [one, one])
    with pytest.raises(UsageError, match="nothing to compare"):
        compare(store, [one])
    store.close()


def test_labels_stand_at_their_steps_once_nobody_can_be_swayed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other = recorded(store, "agent", click("a")), recorded(store, "model", click("a"))
    place = {"run": one.header.run, "episode": one.header.episode, "taxonomy": "own", "annotator": "ann"}
    label = msgspec.convert(
        {
            **place,
            "kind": "label",
            "step": 1,
            "version": 1,
            "question": "mistake",
            "code": "early",
            "note": "too soon",
        },
        Label,
    )

    ledger = Ledger(store.root)
    ledger.add([label])
    hidden = compare(store, [one, other])
    ledger.add([msgspec.convert({**place, "kind": "done"}, LabelsDone)])
    found = compare(store, [one, other])

    assert hidden.attempts[0].labels == ()
    assert [said.code for said in found.attempts[0].labels_of(1)] == ["early"]
    assert "agent, step 1: mistake early, by ann: too soon" in details(found)
    store.close()

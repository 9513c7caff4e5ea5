"""Training rows of recorded episodes: what was seen, who judged it, and why something is no row."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from tests.core.opening import link_id, opened
from tests.core.report.conftest import FIND, HOSTILE, STOP, picture, record, score, seen
from webbench.core.action.action import Action, Click, ElementRef, Scroll
from webbench.core.agent import AgentView, Candidate, Proposal
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.engine.session.copilot import CoPilot
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Exported, Source, find_exporter
from webbench.core.exchange.exporting import counted_losses, export
from webbench.core.exchange.training.seen_prompt import (
    AS_ONE_TEXT,
    BEHIND_AN_EDIT,
    Answer,
    Seen,
    answer_of,
    seen_before,
)
from webbench.core.exchange.training.trusted_verdicts import TrustedVerdicts
from webbench.core.labels.label import Dispute, Done, Label, Ruling
from webbench.core.labels.ledger import ledger_of
from webbench.core.model_call import ModelCall, SentMessage, SentPicture, ToolUse
from webbench.core.observation import Observation
from webbench.core.people.cleaning.cleaned_copy import Proof, cleaning_of, edited_trajectory, write_copy
from webbench.core.people.cleaning.second_validation import validate
from webbench.core.people.cleaning.trajectory_edits import Edits
from webbench.core.score.score import not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Origin, Step

ASKED = (SentMessage(role="system", text="You browse."), SentMessage(role="user", text="Find <image> tea."))
DOWN = "scroll [down]"


def written(
    store: Store, to: str, path: Path, names: Sequence[str] = ()
) -> tuple[Exported, dict[str, list[Any]]]:
    """What the export came to, and the rows of its files; they and the rest are all that there was."""
    folders = [store.find(name) for name in names or sorted(one.episode for one in store.episodes())]
    told = export(store, folders, find_exporter(to), path)
    account = json.loads((path / "account.json").read_text("utf-8"))
    assert account["looked_at"] == account["rows"] + sum(one["count"] for one in account["left_out"])
    assert {one["why"]: one["count"] for one in account["left_out"]} == told.left_out
    files = {
        file.stem: [*map(json.loads, file.read_text("utf-8").splitlines())] for file in path.glob("*.jsonl")
    }
    assert all(len(rows) == told.rows == account["rows"] for rows in files.values())
    return told, files


def judge(store: Store, episode: str, who: str, step: int | None, code: str, **more: Any) -> None:
    """A label of the merged taxonomy; whoever gives it is done."""
    place: dict[str, Any] = {
        "run": store.find(episode).parent.name,
        "episode": episode,
        "taxonomy": "merged",
        "annotator": who,
    }
    question, _, name = code.partition(".")
    label = Label(**place, version=1, step=step, question=question, code=name, **more)
    ledger_of(store).add([label, Done(**place)])


def of_model(store: Store, calls: Sequence[ModelCall], **more: Any) -> str:
    """A solved episode of one step that a model decided on, on a page with a picture."""
    run = store.start_run("shop", "m", 1)
    task = Task(benchmark="shop", name="tea", intent="Find tea.")
    header = EpisodeHeader(run="", episode="", task=task, actor="m", dialect="webarena")
    writer = store.recorder(run, header)
    writer.write(Step(index=0, at=""), observation=seen(0), screenshot=picture(0))
    step = Step(
        index=1, at="", actor="agent", text=DOWN, dialect="webarena", action=Scroll(), calls=tuple(calls)
    )
    writer.write(msgspec.structs.replace(step, **more), observation=seen(1))
    writer.finish(score(1.0), "done")
    writer.close()
    return writer.folder.name


def test_a_row_shows_what_the_model_was_sent_and_what_it_replied(store: Store, tmp_path: Path) -> None:
    sha256 = hashlib.sha256(picture(0).data).hexdigest()
    shown = msgspec.structs.replace(ASKED[1], pictures=(SentPicture(sha256=sha256, step=0, note="smaller"),))
    reply = f"Further down.\n```\n{DOWN}\n```"
    failed = ModelCall(model="m", messages=ASKED, error="timeout")
    plan = ModelCall(model="m", purpose="plan", messages=ASKED, reply=f"first {DOWN}")
    asked = ModelCall(model="m", messages=(ASKED[0], shown), reply=reply, thinking="hm")
    tools = (ToolUse(name="act", arguments="{}"),)
    names = [
        of_model(store, calls)
        for calls in ([plan, failed, asked], [ModelCall(model="m", messages=ASKED, tools=tools)])
    ]

    told, files = written(store, "sft", tmp_path / "out", names)
    first, second = files["messages"]
    file = tmp_path / "out" / first["images"][0]

    assert (told.rows, told.left_out) == (2, {})
    assert first["messages"] == [
        {"role": "system", "content": "You browse."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Find <image> tea."},
                {"type": "image_url", "image_url": {"url": first["images"][0]}},
            ],
        },
        {"role": "assistant", "content": reply, "reasoning_content": "hm"},
    ]
    assert hashlib.sha256(file.read_bytes()).hexdigest() == file.stem
    assert (first["shown"], first["answer"], first["image_notes"]) == (
        "recorded",
        "reply",
        ["sent otherwise: smaller"],
    )
    assert files["conversations"][0]["conversations"] == [
        {"from": "system", "value": "You browse."},
        {"from": "human", "value": "Find < image> tea.\n<image>"},
        {"from": "gpt", "value": reply},
    ]
    assert second["messages"][-1]["tool_calls"][0]["function"] == {"name": "act", "arguments": "{}"}
    assert files["conversations"][1]["conversations"][-1]["from"] == "function_call"
    assert first["judged_by"] == [
        {"who": "shop's evaluator", "role": "evaluator", "rules": "published", "said": "1"}
    ]


def test_what_was_not_asked_of_a_model_is_rendered_by_a_named_prompt(store: Store, tmp_path: Path) -> None:
    of_model(store, [], actor="human")
    (row,) = written(store, "sft", tmp_path / "out")[1]["messages"]

    assert row["shown"] == "rendered by the prompt core/act, the page as webarena writes it"
    system, user, answer = row["messages"]
    assert "- click [id]" in system["content"]
    assert user["content"].startswith("TASK: Find tea.")
    assert "[3] searchbox 'Search'" in user["content"]
    assert (answer["content"], row["actor"], row["images"]) == (DOWN, "human", [])


def pixels(folder: Path, names: list[str]) -> list[bytes]:
    """Of pictures, which a store may pack anew between two exports, without a loss."""
    found = []
    for name in names:
        with Image.open(folder / name) as picture:
            found.append(picture.convert("RGB").tobytes())
    return found


def test_a_cleaned_copy_shows_what_was_seen_and_an_objection_leaves_it_out(
    store: Store, tmp_path: Path
) -> None:
    run = store.start_run("shop", "m", 1)
    task = Task(benchmark="shop", name="tea", intent="Find tea.")
    writer = store.recorder(
        run, EpisodeHeader(run="", episode="", task=task, actor="m", dialect="webarena", started="2026-01-01")
    )
    writer.write(Step(index=0, at=""), observation=seen(0), screenshot=picture(0))
    for index in (1, 2, 3):
        shown = SentPicture(sha256=f"of {index - 1}", step=index - 1)
        asked = SentMessage(role="user", text=f"page {index}", pictures=(shown,))
        call = ModelCall(model="m", messages=(asked,), reply=DOWN)
        step = Step(index=index, at="", actor="agent", text=DOWN, action=Scroll(), calls=(call,))
        writer.write(step, observation=seen(index), screenshot=picture(40 * index))
    writer.finish(score(1.0), "done")
    writer.close()
    original, edits = store.load(writer.folder), Edits(drop=(1,))
    copied = edited_trajectory(original, edits)
    made = write_copy(store, copied, edits, Proof(state="same score"), by="ann", why="")

    _, whole = written(store, "sft", tmp_path / "whole", [writer.folder.name])
    _, cleaned = written(store, "sft", tmp_path / "cleaned", [made.episode])
    shown_in_copy = [pixels(tmp_path / "cleaned", row["images"]) for row in cleaned["messages"]]
    assert shown_in_copy == [pixels(tmp_path / "whole", row["images"]) for row in whole["messages"]][1:]

    header = store.load(store.root / made.run / made.episode).header
    cleaning = cleaning_of(store.load(store.root / made.run / made.episode))
    validate(ledger_of(store), header, cleaning, by="bea", valid=False, note="a step is missing")
    with pytest.raises(BadData, match="2 times: a second person calls the cleaned copy not valid"):
        written(store, "sft", tmp_path / "objected", [made.episode])


def test_a_prompt_of_one_text_says_that_it_is_of_the_original(store: Store, tmp_path: Path) -> None:
    original = store.load(store.find(of_model(store, [], prompt="Find tea.", reply=DOWN)))
    header = msgspec.structs.replace(original.header, settings={"edited": {"first_change": 1}})

    seen_by_copy = seen_before(
        Source(store, [], Exported()), msgspec.structs.replace(original, header=header), 1
    )

    assert isinstance(seen_by_copy, Seen)
    assert seen_by_copy.how == AS_ONE_TEXT + BEHIND_AN_EDIT
    answer = answer_of(original, original.steps[1], seen_by_copy)
    assert isinstance(answer, Answer)
    assert answer.how == "reply"


def test_judgements_that_can_not_be_read_are_told(store: Store, tmp_path: Path) -> None:
    episode = of_model(store, [ModelCall(model="m", messages=ASKED, reply=DOWN)])
    judge(store, episode, "ann", None, "outcome.solved")
    with next(ledger_of(store).folder.glob("*ann*")).open("a", encoding="utf-8") as file:
        file.write('{"torn\n')

    told, _ = written(store, "sft", tmp_path / "out")

    assert [line for line in counted_losses(told) if "what somebody said of episodes can't be read" in line]
    assert json.loads((tmp_path / "out" / "account.json").read_text("utf-8"))["unread_labels"] == 1


def test_hostile_text_stays_data_and_pictures_that_are_not_had_are_no_row(
    store: Store, tmp_path: Path
) -> None:
    record(store, "agent", (FIND, STOP), 1.0)
    of_model(
        store,
        [
            ModelCall(
                model="m",
                messages=(msgspec.structs.replace(ASKED[1], pictures=(SentPicture(sha256="0"),)),),
                reply=DOWN,
            )
        ],
    )
    told, files = written(store, "sft", tmp_path / "out")

    assert told.left_out == {"the action had no effect": 1, "a picture that the actor saw is not kept": 1}
    (row,) = files["messages"]
    assert row["messages"][0]["content"] == HOSTILE
    assert row["shown"] == "recorded as one text"


def test_only_what_somebody_judged_and_nobody_disputes_is_trained_on(
    store: Store, attempts: list[str], dispute: Dispute, tmp_path: Path
) -> None:
    human, agent = attempts
    ledger = ledger_of(store)
    ledger.add([dispute])

    told, _ = written(store, "sft", tmp_path / "open")
    assert told.left_out == {
        "the action had no effect": 1,
        "the episode's score is disputed and nobody has ruled on it": 3,
    }

    ruling = Ruling(run=dispute.run, episode=agent, disputed_by="ann", verdict="accepted", annotator="bea")
    ledger.add([ruling])
    _, files = written(store, "sft", tmp_path / "ruled", [agent])
    roles = [(one["who"], one["role"], one["said"]) for one in files["messages"][0]["judged_by"]]
    assert roles == [
        ("shop's evaluator", "evaluator", "0"),
        ("ann", "disputed", "1"),
        ("bea", "ruled", "accepted"),
    ]

    ledger.add([msgspec.structs.replace(ruling, verdict="rejected")])
    judge(store, human, "ann", None, "outcome.failed")
    with pytest.raises(
        BadData, match=r"3 times: the episode is not solved|labels and the episode's score contradict"
    ):
        written(store, "sft", tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([("ann", "cause.none")], 1.0),
        ([("ann", "cause.navigation")], -1.0),
        ([("ann", "environment.sound")], "say neither"),
        ([("ann", "cause.none"), ("bea", "cause.misread")], "annotators differ"),
        ([("ann", "cause.none"), ("ann", "environment.page-error")], 1.0),
        ([("ann", "cause.none"), ("bea", "environment.page-error")], "annotators differ"),
        ([], "nobody has labelled"),
    ],
)
def test_labels_of_a_step_are_a_reward_or_tell_why_they_are_none(
    store: Store, attempts: list[str], labels: list[tuple[str, str]], found: float | str
) -> None:
    for who, code in labels:
        judge(store, attempts[1], who, 1, code)
    verdict = TrustedVerdicts(store).of_step(store.load(attempts[1]).header, 1)
    if isinstance(found, str):
        assert isinstance(verdict, str)
        assert found in verdict
    else:
        assert not isinstance(verdict, str)
        assert (verdict.value, verdict.rules) == (found, "merged@1")


def test_labels_wait_for_their_annotator_and_for_a_decision(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    agent = attempts[1]
    header = store.load(agent).header
    place = {"run": header.run, "episode": agent, "taxonomy": "merged", "version": 1, "question": "cause"}
    ledger_of(store).add([Label(**place, step=2, code="misread", annotator="ann")])
    assert (
        TrustedVerdicts(store).of_step(header, 2) == "an annotator of the step is not done with the episode"
    )

    for who, code in (("ann", "cause.none"), ("bea", "cause.misread")):
        judge(store, agent, who, 1, code)
    ledger_of(store).add(
        [
            Label(**place, step=1, code="none", annotator="cy", settles=("ann", "bea")),
            Done(run=header.run, episode=agent, taxonomy="merged", annotator="cy"),
        ]
    )
    told, files = written(store, "steps", tmp_path / "out", [agent])
    (row,) = files["steps"]
    assert (row["step"], row["reward"], row["had_effect"]) == (1, 1.0, True)
    assert [(one["who"], one["role"]) for one in row["judged_by"]] == [("cy", "adjudicator")]
    assert told.left_out == {
        "annotators differ on the step and nobody has settled it": 1,
        "nobody has labelled the step": 1,
    }


def fork(store: Store, origin: Origin, action: Action, id: int, value: float | None) -> str:
    """A fork that repeats the start, and goes on with this action; the page has its own ids."""
    run = store.start_run("shop", "m", 1)
    task = Task(benchmark="shop", name="tea", intent="Find tea.")
    header = EpisodeHeader(run="", episode="", task=task, actor="m", dialect="webarena", origin=origin)
    writer = store.recorder(run, header)
    nodes = tuple(msgspec.structs.replace(node, id=node.id + id) for node in seen(0).nodes)
    writer.write(Step(index=0, at=""), observation=Observation(url="http://shop.test/0", nodes=nodes))
    writer.write(Step(index=1, at="", note=f"fork of {origin.run}/{origin.episode} at step 0: 0 steps"))
    writer.write(Step(index=2, at="", actor="agent", action=action, text="as it was"), observation=seen(1))
    writer.finish(score(value) if value is not None else not_scored("nobody looked"), "done")
    writer.close()
    return writer.folder.name


def test_forks_of_a_step_are_pairs_where_their_outcomes_differ(store: Store, tmp_path: Path) -> None:
    first = record(store, "human", (FIND, STOP), 0.0)
    origin = Origin(run=store.find(first).parent.name, episode=first, step=0)
    better = fork(store, origin, Click(target=ElementRef(id=43, role="searchbox", name="Search")), 40, 1.0)
    fork(store, origin, Scroll(), 60, None)

    told, files = written(store, "preferences", tmp_path / "out")
    (row,) = files["preferences"]

    assert (row["kind"], row["episode"], row["outcome"], row["rejected_outcome"]) == (
        "fork",
        f"{store.find(better).parent.name}/{better}",
        1.0,
        0.0,
    )
    assert row["rejected_episode"] == f"{origin.run}/{first}"
    assert row["chosen"][0]["content"] == "click [43]"
    assert row["rejected"][0]["content"] == "click [42]", "the link's id on the page that the prompt shows"
    assert "[42] link" in row["prompt"][-1]["content"]
    assert told.left_out == {"of one of two forks: the episode has no score: not scored": 2}


class Scripted:
    """Gives its proposals in order, each with the call of a model that led to it."""

    name = "scripted"

    def __init__(self, *proposals: tuple[str, ...]) -> None:
        self.proposals = list(proposals)

    async def propose(self, view: AgentView) -> Proposal:
        text, *others = self.proposals.pop(0)
        call = ModelCall(model="m", messages=ASKED, reply=f"So: {text}")
        return Proposal(text=text, calls=(call,), alternatives=tuple(Candidate(text=one) for one in others))

    async def close(self) -> None:
        """Nothing to give back."""


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_what_people_did_instead_is_preferred(environment: BrowserEnvironment, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    options = EpisodeOptions(pictures=False, live_score=False, html=False)
    async with opened(environment, store, options) as (episode, _):
        copilot = CoPilot(episode)
        link = f"click [{link_id(episode, 'Orders')}]"
        copilot.choose(Scripted((DOWN,), (DOWN, "scroll [up]"), (DOWN,), (DOWN,), (link,), ("go_back",)))
        await copilot.propose()
        await copilot.accept()
        await copilot.propose()
        await copilot.accept(1)
        await copilot.propose()
        await copilot.reject("not down")
        await copilot.propose()
        await copilot.act("scroll_by [0] [100]", edited=0)
        await copilot.propose()
        await copilot.act(DOWN)
        await copilot.propose()
        await copilot.reject("stay")
        await episode.finish("done")

    told, files = written(store, "preferences", tmp_path / "out")
    pairs = [
        (row["decision"], row["chosen"][0]["content"], row["rejected"][0]["content"], row["reason"])
        for row in files["preferences"]
    ]

    assert pairs == [
        ("picked", "scroll [up]", DOWN, ""),
        ("rejected", "scroll_by [0] [100]", DOWN, "not down"),
        ("replaced", DOWN, link, ""),
    ]
    assert {row["shown"] for row in files["preferences"]} == {"recorded"}
    assert files["preferences"][0]["prompt"][0] == {"role": "system", "content": "You browse."}
    assert told.left_out == {
        "the same row was written of another episode or step": 1,
        "a proposal was rejected, and no person decided what was done in its place": 1,
    }

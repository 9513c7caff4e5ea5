"""An episode that has something of every kind, with annotators' labels, a dispute and its ruling."""

from __future__ import annotations

import io
from typing import Any

import msgspec
from PIL import Image

from webbench.core.action.action import Action, Click, ElementRef, Stop, Type
from webbench.core.labels.label import Dispute, Done, Entry, Label, Memo, Ruling
from webbench.core.labels.ledger import Ledger
from webbench.core.model_call import ModelCall, SentMessage
from webbench.core.observation import (
    AccessibilityNode,
    Box,
    Observation,
    PageMessage,
    Screenshot,
    Tab,
    Viewport,
    Visitor,
)
from webbench.core.provenance import Provenance
from webbench.core.score.score import Check, Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Origin, Seconds, Step

EVENT = {"method": "GET", "url": "http://shop.test/1", "status": 200, "headers": {"accept": "*/*"}}
ACTIONS: tuple[Action, ...] = (
    Type(target=ElementRef(id=3, role="searchbox", name="Search"), text="green tea", enter=True),
    Click(
        target=ElementRef(id=2, role="link", name="Green tea", box=Box(1.0, 5.0, 60.0, 30.0)), button="right"
    ),
    Stop(answer="it is in the cart"),
)


def picture(shade: int) -> Screenshot:
    encoded = io.BytesIO()
    Image.new("RGB", (32, 20), (shade, 90, 120)).save(encoded, "PNG")
    return Screenshot(encoded.getvalue(), "png", 32, 20, 1.0, origin=(12.5, 40.0))


def seen(at: int) -> Observation:
    nodes = (
        AccessibilityNode(id=1, role="RootWebArea", name="The shop"),
        AccessibilityNode(id=2, role="link", name="Green tea", depth=1, box=Box(10.0, 20.0, 60.0, 30.0)),
        AccessibilityNode(id=3, role="searchbox", name="Search", depth=1, box=Box(100.0, 20.0, 90.0, 30.0)),
        AccessibilityNode(id=4, role="StaticText", name=f"page {at}", depth=1),
    )
    return Observation(url=f"http://shop.test/{at}", title="The shop", nodes=nodes)


def score(value: float) -> Score:
    check = Check(
        name="exact match", target="answer", actual="it", normalised="it", expected=["it"], value=value
    )
    return Score(status=Status.SCORED, value=value, combination="one check", checks=(check,))


EVERY_FIELD_OF_STEP = Step(
    index=1,
    at="",
    actor="human",
    ok=False,
    error="the cart is full",
    output="page 2 of 3",
    matched_by="name",
    prompt="what is to be done?",
    agent_state={"left": [1, 2]},
    proposed="click [4]",
    provenance=Provenance(proposed_by="agent", decision="edited", candidates=("a", "b"), edit_share=0.5),
    condition="no answer",
    dialect="webarena",
    limit_count=3,
)
"""What of a step `record_full` leaves as usual, to be put into its second one."""
EVERY_FIELD_OF_HEADER = EpisodeHeader(
    run="",
    episode="",
    task=Task(
        benchmark="shop",
        name="tea",
        instance=3,
        intent="Put green tea into the cart.",
        site="shop",
        split="test",
        kind="cart",
        template="Put {} into the cart.",
        data={"page": "cart.html"},
        gold={"answer": "it is in the cart"},
    ),
    actor="agent + human",
    actors=("agent", "human"),
    dialect="webarena",
    rules="paper",
    seed=7,
    repeat=1,
    attempt=1,
    started="2026-01-01T00:00:00.000+00:00",
    resumed_from="0000_tea_abcd",
    caught_up=True,
    origin=Origin(run="first", episode="0000_tea_abcd", step=1),
    elapsed_before=2.5,
    versions={"webbench-tui": "1.0", "browser": "chromium/156"},
    driver="playwright",
    visitor=Visitor(locale="de-DE"),
    settings={"agent": {"temperature": 0.5}},
    concurrent=2,
    warnings=("the shop was changed by an earlier episode",),
    agent_reach="nothing of the reference answers",
)


def record_full(
    store: Store,
    name: str = "tea",
    actor: str = "agent",
    *,
    annotated: bool = True,
    every_field: bool = False,
) -> str:
    """Record it; its name.

    Args:
        every_field: no field of the header and of a step is as usual.
    """
    task = Task(benchmark="shop", name=name, intent="Put green tea into the cart.", site="shop")
    run = store.start_run("shop", actor, 1)
    header = EpisodeHeader(
        run="",
        episode="",
        task=task,
        actor=actor,
        dialect="webarena",
        started="2026-01-01T00:00:00.000+00:00",
    )
    writer = store.recorder(run, _named(EVERY_FIELD_OF_HEADER, header) if every_field else header)
    writer.write(
        Step(
            index=0,
            at="2026-01-01T00:00:00.000+00:00",
            url="http://shop.test/0",
            seconds=Seconds(environment=0.5),
        ),
        observation=seen(0),
        screenshot=picture(0),
        html="<p>page 0",
    )
    for index, action in enumerate(ACTIONS, 1):
        call = ModelCall(
            model="m-1",
            messages=(SentMessage(role="user", text=f"What is step {index}?"),),
            reply=f"I answer step {index}.",
            thinking=f"Step {index} needs thought.",
            prompt_tokens=1200,
            completion_tokens=30,
            cost=0.25,
        )
        step = Step(
            index=index,
            at=f"2026-01-01T00:00:0{index}.000+00:00",
            actor="agent",
            text=f"step {index}",
            action=action,
            reasoning=f"because of {index}",
            reply=f"reply {index}",
            calls=(call,),
            usage={"prompt_tokens": 1200, "completion_tokens": 30, "cost": 0.25},
            note=f"note {index}",
            url=f"http://shop.test/{index}",
            title="The shop",
            evidence={"har_events": [EVENT] * index},
            messages=(PageMessage("console", "error", f"oh {index}", "http://shop.test/app.js", 1.5),),
            seconds=Seconds(agent=1.5, environment=0.25),
            score=score(0.0),
        )
        if every_field and index == 2:
            step = _filled_up(step)
        page = seen(index)
        if every_field:
            tabs = (Tab(0, "The shop", page.url, active=True), Tab(1, "Help", "http://shop.test/help"))
            page = msgspec.structs.replace(page, tabs=tabs, viewport=Viewport(width=1024, scroll_y=40.0))
        shot = picture(40 * index)
        if every_field:
            shot = msgspec.structs.replace(shot, scale=2.0, full_page=index == 2, origin=(3.0, 40.0))
        writer.write(step, observation=page, screenshot=shot, html=f"<p>page {index}")
    writer.keep_data("receipt.txt", b"1 tea")
    writer.finish(score(1.0), "the actor stopped", ended="2026-01-01T00:00:09.000+00:00")
    writer.close()
    if annotated:
        _annotate(store, run, writer.folder.name)
    return writer.folder.name


def _named(header: EpisodeHeader, other: EpisodeHeader) -> EpisodeHeader:
    """In the run of another."""
    return msgspec.structs.replace(header, run=other.run, episode=other.episode)


def _filled_up(step: Step) -> Step:
    """With what of `EVERY_FIELD_OF_STEP` isn't as usual."""
    usual = Step(index=1, at="")
    given = {
        name: getattr(EVERY_FIELD_OF_STEP, name)
        for name in Step.__struct_fields__
        if getattr(EVERY_FIELD_OF_STEP, name) != getattr(usual, name)
    }
    return msgspec.structs.replace(step, **given, actor="human")


def _annotate(store: Store, run: str, episode: str) -> None:
    at = "2026-01-02T00:00:00.000+00:00"
    where: dict[str, Any] = {"run": run, "episode": episode}
    label = Label(**where, step=1, taxonomy="t", version=1, question="q", code="loop", annotator="ann", at=at)
    wrong = Dispute(
        **where, status=Status.SCORED, scored=1.0, corrected=0.0, reason="no", annotator="ann", at=at
    )
    ruled = Ruling(**where, disputed_by="ann", verdict="accepted", note="so it is", annotator="bea", at=at)
    memo = Memo(**where, step=2, text="look again", annotator="ann", at=at)
    done = Done(**where, taxonomy="t", annotator="ann", at=at, seconds=5.0)
    entries: list[Entry] = [label, memo, done, wrong]
    Ledger(store.root).add(entries)
    Ledger(store.root).add([ruled])

"""An episode that has something of every kind, with annotators' labels, a dispute and its ruling."""

from __future__ import annotations

import io

from PIL import Image

from webbench.core.action.action import Action, Click, ElementRef, Stop, Type
from webbench.core.labels.label import Dispute, Done, Entry, Label, Memo, Ruling
from webbench.core.labels.ledger import Ledger
from webbench.core.model_call import ModelCall, SentMessage
from webbench.core.observation import AccessibilityNode, Box, Observation, PageMessage, Screenshot
from webbench.core.score.score import Check, Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Seconds, Step

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


def record_full(store: Store, name: str = "tea", actor: str = "agent", *, annotated: bool = True) -> str:
    """Record it; its name."""
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
    writer = store.recorder(run, header)
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
        writer.write(step, observation=seen(index), screenshot=picture(40 * index), html=f"<p>page {index}")
    writer.keep_data("receipt.txt", b"1 tea")
    writer.finish(score(1.0), "the actor stopped", ended="2026-01-01T00:00:09.000+00:00")
    writer.close()
    if annotated:
        _annotate(store, run, writer.folder.name)
    return writer.folder.name


def _annotate(store: Store, run: str, episode: str) -> None:
    at = "2026-01-02T00:00:00.000+00:00"
    where = {"run": run, "episode": episode}
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

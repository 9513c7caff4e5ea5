"""Two attempts at one task, with hostile text wherever text can be."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from PIL import Image

from webbench.core.action.action import Action, Click, ElementRef, Stop, Type
from webbench.core.labels.label import Dispute
from webbench.core.observation import AccessibilityNode, Box, Observation, PageMessage, Screenshot
from webbench.core.score.score import Check, Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Seconds, Step

HOSTILE = (
    "</script><script>window.broken=1</script><img src=x onerror='window.broken=2'>"
    '<svg onload="window.broken=3"></svg>\'"`{{7*7}}{% x %}&amp; data:text/html,<b>\u202e\x1b\x00\ud800'
    " <link rel=stylesheet href=//evil.example/a.css><meta http-equiv=refresh content='0;url=//evil.example'>"
)
FIND = Click(target=ElementRef(id=2, role="link", name=HOSTILE, box=Box(1.0, 150.0, 60.0, 30.0)))
"""The page was scrolled to it before it was clicked, so that its box then is another one."""
SEARCH = Type(target=ElementRef(id=3, role="searchbox", name="Search"), text=HOSTILE, enter=True)
STOP = Stop(answer=HOSTILE)


def picture(shade: int) -> Screenshot:
    encoded = io.BytesIO()
    Image.new("RGB", (320, 200), (shade, 90, 120)).save(encoded, "PNG")
    return Screenshot(encoded.getvalue(), "png", 320, 200, 1.0)


def seen(at: int) -> Observation:
    nodes = (
        AccessibilityNode(id=1, role="RootWebArea", name=HOSTILE),
        AccessibilityNode(id=2, role="link", name=HOSTILE, depth=1, box=Box(10.0, 20.0, 60.0, 30.0)),
        AccessibilityNode(id=3, role="searchbox", name="Search", depth=1, box=Box(100.0, 20.0, 90.0, 30.0)),
        AccessibilityNode(id=4, role="StaticText", name=f"page {at}", depth=1),
    )
    return Observation(url=f"http://shop.test/{at}", title=HOSTILE, nodes=nodes)


def score(value: float) -> Score:
    check = Check(
        name="exact match", target=HOSTILE, actual=HOSTILE, normalised="it", expected=[HOSTILE], value=value
    )
    return Score(status=Status.SCORED, value=value, combination="one check", checks=(check,))


def record(store: Store, actor: str, actions: Sequence[Action], value: float, *, reply: str = HOSTILE) -> str:
    """An episode of these actions; its name."""
    task = Task(benchmark="shop", name="tea", intent=HOSTILE)
    run = store.start_run("shop", actor, 1)
    header = EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="webarena")
    writer = store.recorder(run, header)
    writer.write(
        Step(index=0, at="2026-01-01T00:00:00.000+00:00"), observation=seen(0), screenshot=picture(0)
    )
    for index, action in enumerate(actions, 1):
        step = Step(
            index=index,
            at=f"2026-01-01T00:00:0{index}.000+00:00",
            actor="agent",
            text=HOSTILE,
            action=action,
            ok=index != 2,
            error="" if index != 2 else HOSTILE,
            reasoning=HOSTILE,
            prompt=HOSTILE if reply else "",
            reply=reply,
            usage={"input_tokens": 1200, "cost": 0.25},
            url=f"http://shop.test/{index}",
            title=HOSTILE,
            messages=(PageMessage("console", "error", HOSTILE, "http://shop.test/app.js", 1.5),),
            seconds=Seconds(agent=1.5, environment=0.25),
            score=score(0.0),
        )
        writer.write(step, observation=seen(index), screenshot=picture(40 * index))
    writer.finish(score(value), HOSTILE)
    writer.close()
    return writer.folder.name


@pytest.fixture
def attempts(store: Store) -> list[str]:
    """The second goes the longer way and gets no point."""
    return [record(store, "human", (FIND, STOP), 1.0), record(store, "agent", (SEARCH, FIND, STOP), 0.0)]


@pytest.fixture
def dispute(store: Store, attempts: list[str]) -> Dispute:
    """Somebody holds that the second came as far as the first; not in the ledger yet."""
    header = store.load(attempts[1]).header
    return Dispute(
        run=header.run,
        episode=header.episode,
        status=Status.SCORED,
        scored=0.0,
        corrected=1.0,
        reason="it is in the cart",
        annotator="ann",
    )

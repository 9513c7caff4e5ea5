"""Comparing a recorded way with the way it takes now, without a browser; and the report on it."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from PIL import Image

from webbench.benchmarks.webcanvas.recording import RecordedStep, Recording
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome
from webbench.benchmarks.webcanvas.upkeep.check import (
    Change,
    Checked,
    CheckReport,
    CheckResult,
    Pictures,
    Place,
)
from webbench.benchmarks.webcanvas.upkeep.findings import findings
from webbench.benchmarks.webcanvas.upkeep.report import report_html
from webbench.benchmarks.webcanvas.upkeep.walk import Footing, Walk
from webbench.core.action.action import Click, ElementRef

SITE = "https://www.shop.example"
PLACE = ElementRef(role="link", name="Cart", path="html[0]/body[0]/nav[0]/a[2]", selector="#cart")
STEP = RecordedStep(
    number=1,
    index=1,
    text="click [7]",
    action=Click(target=PLACE),
    before=f"{SITE}/",
    after=f"{SITE}/cart",
    title="Cart",
)
SAME = Footing(step=STEP, ok=True, found=PLACE, url=STEP.after, title="Cart", status=200)
REACHED = Outcome(
    node=KeyNode(match_function="url_included_match", reference_answer="/cart"), value=1, step=1
)
UNMET = msgspec.structs.replace(REACHED, value=0, step=0)


def found(now: Outcome = REACHED, **changes: Any) -> list[tuple[str, str, tuple[int, ...]]]:
    """Kind, change and nodes of what is found where the only step fares like this."""
    footing = msgspec.structs.replace(SAME, **changes)
    recording = Recording(episode="e", start=STEP.before, steps=(STEP,))
    gone = Walk(recording=recording, footings=(footing,), evidence={})
    return [(one.kind, one.change, one.nodes) for one in findings(gone, [REACHED], [now])]


def test_what_is_as_it_was_gives_nothing() -> None:
    assert found() == []


def test_a_place_among_siblings_and_a_number_in_an_address_may_vary() -> None:
    assert found(found=msgspec.structs.replace(PLACE, path="html[0]/body[0]/nav[0]/a[1]")) == []
    order = msgspec.structs.replace(STEP, after=f"{SITE}/order/HP-2031")
    assert found(step=order, url=f"{SITE}/order/HP-2032") == []


@pytest.mark.parametrize(
    ("changes", "kind", "change"),
    [
        (
            {"found": msgspec.structs.replace(PLACE, path="html[0]/body[0]/footer[0]/a[0]")},
            "element moved",
            "link “Cart” on www.shop.example/ moved",
        ),
        ({"url": f"{SITE}/basket"}, "address changed", "on www.shop.example /cart became /basket"),
        (
            {"url": "https://other.example/cart"},
            "address changed",
            "on www.shop.example /cart became https://other.example/cart",
        ),
        ({"status": 404}, "page gone", "www.shop.example/cart is gone (status 404)"),
        (
            {"ok": False, "found": None, "direct": True, "status": 410},
            "page gone",
            "www.shop.example/cart is gone (status 410)",
        ),
        (
            {"ok": False, "found": None},
            "element gone",
            "link “Cart” on www.shop.example/ can't be acted on",
        ),
        ({"unsure": True}, "element unsure", "link “Cart” on www.shop.example/ is not to be told"),
        ({"wall": "captcha: …"}, "blocked", "www.shop.example is blocked: captcha: …"),
    ],
)
def test_a_change_is_named_and_takes_the_node_of_its_step(
    changes: dict[str, Any], kind: str, change: str
) -> None:
    assert found(UNMET, **changes) == [(kind, change, (1,))]


def test_a_node_that_is_lost_without_a_change_is_a_finding_by_itself() -> None:
    assert found(UNMET) == [("key node", "url_included_match of “/cart” is not met any more", (1,))]


def test_the_report_holds_pictures_and_runs_nothing_that_a_site_wrote() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (1280, 720), "teal").save(picture, "PNG")
    evil = "<script>alert(1)</script>\x1b[31m\u202e"
    place = Place(task=evil, step=1, told=evil, nodes=(1,))
    report = CheckReport(
        workflows=(Checked(task=evil, intent=evil, source=evil, steps=1, error=evil),),
        changes=(Change(kind="page gone", change=evil, places=(place,)),),
    )
    page = report_html(CheckResult(report, {evil: Pictures(b"", picture.getvalue())}), evil)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert page.count("data:image/webp;base64,") == 1

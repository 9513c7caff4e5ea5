"""Which pages are walls, and which only look like one."""

from __future__ import annotations

from typing import Any

import pytest

from webbench.benchmarks.webcanvas.blocked import LITTLE_TEXT, PageSigns, blocked

LONG = "An article about robots. " * 100


@pytest.mark.parametrize(
    ("signs", "wall"),
    [
        ({"status": 200, "title": "Shoes", "text": "Red shoes"}, ""),
        ({"status": 404, "title": "Not found"}, ""),
        ({"status": 403}, "refused"),
        ({"status": 429}, "too many requests"),
        ({"title": "Just a moment..."}, "captcha"),
        ({"text": "Please VERIFY you are human to go on."}, "captcha"),
        ({"text": LONG + "verify you are human"}, ""),
        ({"text": "Sign in", "selectors": ("#px-captcha",)}, "captcha"),
        ({"text": LONG, "selectors": ("#px-captcha",)}, ""),
        ({"title": "Access Denied"}, "access denied"),
        ({"text": LONG, "walls": ("#onetrust-consent-sdk",)}, "consent wall"),
        ({"title": "Before you continue to Search"}, "consent wall"),
    ],
)
def test_a_wall_is_told_by_status_title_or_little_else(signs: dict[str, Any], wall: str) -> None:
    assert len(LONG) > LITTLE_TEXT
    assert blocked(PageSigns(url="https://shop.example/", **signs)).partition(":")[0] == wall

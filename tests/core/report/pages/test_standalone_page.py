"""A page holds all it needs, and nothing foreign becomes part of it."""

import base64
import hashlib
import re

from markupsafe import Markup

from webbench.core.report.pages.standalone_page import fill, picture_url, self_contained
from webbench.core.text.escaped_html import escaped

HOSTILE = "</script><script>alert(1)</script>\"'&\u202e\x1b\ud800"


def test_foreign_text_is_escaped_and_made_harmless() -> None:
    page = self_contained(HOSTILE, escaped(HOSTILE))

    assert page.count("<script>") == 1
    assert page.count("</script>") == 1
    assert not set(page) & {"\u202e", "\x1b", "\ud800"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;\ufffd\ufffd\ufffd" in page
    page.encode()


def test_only_this_style_and_this_script_are_allowed() -> None:
    page = self_contained("t", Markup("<p>x</p>"), style="p{color:red}", script="console.log(1 < 2 && 3);")

    script = re.findall(r"<script>(.*)</script>", page, re.DOTALL)[0]
    assert script.endswith("console.log(1 < 2 && 3);")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0].replace("&#39;", "'")
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_a_page_names_no_address() -> None:
    assert not re.search(r"(src|href|url)\s*[=(]\s*['\"]?(http|//|file)", self_contained("t", Markup("")))


def test_text_in_a_template_is_escaped() -> None:
    filled = fill("page.html.jinja", title=HOSTILE, body="<b>", policy="", style="", script="")

    assert "&lt;b&gt;" in filled
    assert "<b>" not in filled


def test_a_picture_is_its_own_address() -> None:
    assert picture_url(b"\x89PNG", "png") == "data:image/png;base64,iVBORw=="

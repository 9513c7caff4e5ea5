"""Our nodes against Chromium's own accessibility tree on the pages that observations are measured on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.performance.chromium import tab
from tests.performance.pages import required_page, synthetic
from tests.performance.tree_comparison import REASONS, compare
from tests.performance.verdict import Verdict

pytestmark = pytest.mark.browser


async def verdict_on(path: Path) -> Verdict:
    async with tab() as page:
        await page.page.goto(path.as_uri(), wait_until="domcontentloaded")
        await asyncio.sleep(0.5)
        return await compare(page)


@pytest.mark.parametrize("name", ["small", "medium", "large", "functions"])
async def test_nodes_are_those_of_the_tree(name: str, tmp_path: Path) -> None:
    verdict = await verdict_on(required_page(name, tmp_path))
    assert verdict.total >= 40
    assert verdict.share >= 99.5, verdict.differences
    assert verdict.ours <= verdict.total * 1.01, verdict.differences


async def test_nodes_of_a_large_page_are_those_of_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "rows.html"
    path.write_text(synthetic(300), encoding="utf-8")
    verdict = await verdict_on(path)
    assert verdict.share == 100, verdict.differences
    assert verdict.ours == verdict.total


HARD = """<title>hard</title><style>.fold::after { content: "+"; float: right } .two { columns: 2 }
.dot::before { content: "*" } .end::after { content: "y" }
.plate { content: url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7) }
</style>
<div contenteditable>one<br>two <img alt=x width=9 height=9><a href=/x>l</a><input type=checkbox><hr></div>
<ul role=button><li>x</li></ul><div role=listitem>q</div><ol><em><li>a<li>b</em></ol>
<div style="display: list-item">item</div><p class=two>columns</p><p id=place></p>
<details>text <a href=/>q</a></details><details open>text</details>
<div aria-disabled=true><a href=/x>l</a><b role=button>g</b><select><option>a</select></div>
<label onclick=0><input type=checkbox> a</label><label title=k><input type=checkbox> b</label>
<div role=tablist><div role=tab>a</div></div><div role=alertdialog>q</div><a href=/ aria-haspopup=true>m</a>
<button class=fold>f</button><p><span class=plate></span> between <span aria-hidden=true>*</span> hidden</p>
<p><b>one</b> <i> two</i></p>
<p id=a><i id=b>b</i> <b id>c</b></p><i id=d><p>d</p></i><table><tbody id=e><tr><td>e</table>
<div id=host></div>
<p><b>f</b> <i class=dot></i> <i>g</i></p><p class=dot> <b>h</b></p><p class=end><b>i</b> </p>
<p class=fold>j <b><i></i></b></p><p>k&#8203;
l
&#8203;m
<b>&#8203;n</b></p><p>o <i>&#8203;p</i></p><p><b>q</b><br role=presentation> r</p><textarea>a

</textarea><select><option disabled>q</select><input type=range list=l><meter value=.3>v</meter>
<script>host.attachShadow({ mode: "open" }).innerHTML = "<div id=s><p>s</p></div><a id=t>t</a>"</script>
<label><button>b</button></label><label for=named>n</label><button id=named>m</button><button id=k>k</button>
<label for=elsewhere><button>e</button></label>
<div inert><canvas width=9 height=9><button>c</button></canvas></div>
<ol start=4><li>d<li value=9>e<li>f<ol reversed><li>g<li>h</ol></ol>
<ol><div><li>i</div><li>j<li value=x>k</ol><ol reversed><li>l<li value=5>m<li>n</ol>"""

SHADY = """<title>shady</title><div id=host><button>slotted</button></div><button>free</button>
<script>host.attachShadow({ mode: "open" }).innerHTML =
  "<div aria-disabled=true><button>inside</button></div><button>beside</button><slot></slot>"</script>
<div id=wrapper><button>wrapped</button><p><a href=/x>deep</a></p>
  <i aria-disabled=false><button>own</button></i></div>
<div aria-disabled=true><div id=lets><button>let</button><a href=/y slot=shut>kept</a></div></div>
<script>wrapper.attachShadow({ mode: "open" }).innerHTML = "<b aria-disabled=true><slot></slot></b>";
lets.attachShadow({ mode: "open" }).innerHTML =
  "<u aria-disabled=false><slot></slot></u><slot name=shut></slot>"</script>"""


@pytest.mark.parametrize(
    ("page", "nodes"), [(HARD, 80), (SHADY, 20)], ids=["hard", "disabled by shadow roots"]
)
async def test_what_the_tree_does_with_hard_pages_is_done_alike(
    tmp_path: Path, page: str, nodes: int
) -> None:
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    verdict = await verdict_on(path)
    assert verdict.total > nodes
    assert verdict.unexplained(REASONS) == [], verdict.examples


async def test_the_referee_sees_a_difference() -> None:
    async with tab() as page:
        await page.page.set_content("<p>one</p><video controls></video>")
        verdict = await compare(page)
    assert verdict.alike < verdict.total
    assert any("only in the tree" in kind for kind in verdict.differences)

"""The report on a check as one self-contained HTML file: no script, nothing fetched, everything escaped."""

from __future__ import annotations

import base64
import io
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from webbench.benchmarks.webcanvas.upkeep.check import CheckResult, Pictures
from webbench.core.text.plain_text import plain_text

if TYPE_CHECKING:
    from jinja2 import Template

WIDEST_PICTURE = 900
QUALITY = 70


def report_html(result: CheckResult, title: str) -> str:
    """The page; pictures are scaled down and lie inside."""
    changes = [
        (change, _labelled_pictures(result.pictures.get(change.change))) for change in result.report.changes
    ]
    return _template().render(title=title, report=result.report, changes=changes)


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    source = resources.files("webbench.benchmarks.webcanvas.upkeep").joinpath("report.html.jinja")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["plain"] = lambda text: plain_text(str(text), limit=2_000)
    return environment.from_string(source.read_text("utf-8"))


def _labelled_pictures(pictures: Pictures | None) -> tuple[tuple[str, str], ...]:
    """Label and data URL of each picture that there is."""
    if pictures is None:
        return ()
    labelled = (("when it was recorded", pictures.then), ("now", pictures.now))
    return tuple((label, _data_url(data)) for label, data in labelled if data)


def _data_url(data: bytes) -> str:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        picture = opened.convert("RGB")
    picture.thumbnail((WIDEST_PICTURE, WIDEST_PICTURE * 4))
    coded = io.BytesIO()
    picture.save(coded, "WEBP", quality=QUALITY)
    return "data:image/webp;base64," + base64.b64encode(coded.getvalue()).decode("ascii")

"""The figures of a sitting in words, as rows below a score and as one line; and a score as tables show it."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.engine.wire.messages import FiguresCounted
from webbench.core.json_types import Json
from webbench.core.score.explanation import value_words
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.score.check_rows import ScoreRow


def figure_rows(counted_figures: FiguresCounted) -> Iterator[ScoreRow]:
    """A heading, then a row for each figure."""
    yield ScoreRow(())
    yield ScoreRow(((f"  this sitting, {counted(counted_figures.episodes, 'episode')}", "name"),))
    for name, value in counted_figures.figures.items():
        yield ScoreRow(((f"  {_figure_name(name)}", "muted"),), (_figure_text(value), "value"))


def figure_line(counted_figures: FiguresCounted) -> str:
    """Rates and means that are defined: "accuracy 0.750 · answer rate 1.000 · over 4 episodes"."""
    told = [
        f"{_figure_name(name)} {_figure_text(value)}"
        for name, value in counted_figures.figures.items()
        if isinstance(value, float)
    ]
    return " · ".join([*told, f"over {counted(counted_figures.episodes, 'episode')}"])


def _figure_name(name: str) -> str:
    return plain_text(name.replace("_", " "), limit=60)


def _figure_text(value: Json) -> str:
    if value is None or isinstance(value, float):
        return value_words(value)
    return plain_text(str(value), limit=40)

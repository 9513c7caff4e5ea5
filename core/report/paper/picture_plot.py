"""A screenshot drawn with targets on it, each with a number, a colour and a line of its own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from webbench.core.analysis.paper.paper_figure import MarkedPicture
from webbench.core.errors import BadData
from webbench.core.report.paper.plot_style import DASHES, WIDTH, colour, new_figure, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RADIUS = 14.0
"""Of a mark around a point, in pixels of the picture."""


def picture_plot(plot: MarkedPicture) -> Figure:
    """Raises `BadData` for a picture that can't be read."""
    from matplotlib.patches import Circle, Rectangle
    from PIL import Image

    try:
        with Image.open(io.BytesIO(plot.picture.data), formats=("PNG", "JPEG", "WEBP")) as opened:
            picture = opened.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise BadData(f"The screenshot can't be read: {error}") from error
    lines = 0.17 * len(plot.targets)
    figure = new_figure(min(8.0, WIDTH * picture.height / picture.width) + lines + 0.1)
    axes, key = figure.subplots(2, 1, height_ratios=[WIDTH * picture.height / picture.width, lines])
    axes.imshow(picture, interpolation="none")
    axes.set_axis_off()
    key.set_axis_off()
    for at, target in enumerate(plot.targets):
        look = {
            "fill": False,
            "edgecolor": colour(at),
            "linestyle": DASHES[at % len(DASHES)],
            "linewidth": 1.8,
        }
        under: dict[str, Any] = look | {"edgecolor": "white", "linestyle": "-", "linewidth": 3.4}
        grown = 2.0 * at
        for drawn in (under, look):
            if target.width and target.height:
                corner = (target.x - grown, target.y - grown)
                axes.add_patch(
                    Rectangle(corner, target.width + 2 * grown, target.height + 2 * grown, **drawn)
                )
            else:
                axes.add_patch(Circle((target.x, target.y), RADIUS + grown, **drawn))
        axes.annotate(
            str(at + 1),
            (target.x + target.width + grown, target.y - grown),
            xytext=(3 + 11 * _before(plot, at), 3),
            textcoords="offset points",
            fontsize=8,
            fontweight="bold",
            color="white",
            bbox={"facecolor": colour(at), "edgecolor": "white", "boxstyle": "circle,pad=0.15"},
        )
        told = f"{at + 1}  {shown(target.actor, 34)}: {shown(target.words, 70)}"
        key.text(
            0.0, 1 - (at + 0.5) / len(plot.targets), told, va="center", fontsize=7, transform=key.transAxes
        )
    return figure


def _before(plot: MarkedPicture, at: int) -> int:
    """How many earlier targets end at nearly the same corner: their numbers stand side by side."""
    one = plot.targets[at]
    return sum(
        abs(other.x + other.width - one.x - one.width) < 24 and abs(other.y - one.y) < 24
        for other in plot.targets[:at]
    )

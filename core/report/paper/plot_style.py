"""The look of plots: colours, markers and hatches that differ for everybody and in grey, and safe text.

matplotlib is imported where it is used: the package `matplotlib` comes with the extra `figures`.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from webbench.core.errors import UsageError
from webbench.core.text.plain_text import plain_clip

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INSTALL = "pip install 'webbench-tui[figures]'"
WIDTH = 7.0
"""Inches: the text of a page in one column, or two columns of it."""
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
"""Okabe and Ito's, whose lightness differs too; markers, dashes and hatches do without them."""
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "++++")
SOFT = "#555555"
LABEL = 46
"""Cells of the longest name on an axis."""

_SETTINGS: Any = {
    "font.size": 8,
    "font.family": ["DejaVu Sans"],
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "text.parse_math": False,
    "text.usetex": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "webbench",
    "svg.fonttype": "path",
    "savefig.dpi": 300,
    "hatch.linewidth": 0.5,
}


@contextlib.contextmanager
def plotting() -> Iterator[None]:
    """In it matplotlib draws with our settings and says nothing of characters that no font has.

    Raises as `require_matplotlib`.
    """
    require_matplotlib()
    import matplotlib as mpl

    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def require_matplotlib() -> None:
    """Raises `UsageError` where it isn't installed."""
    if find_spec("matplotlib") is None:
        raise UsageError("The package matplotlib, which draws figures, isn't installed", INSTALL)


def new_figure(height: float, *, width: float = WIDTH) -> Figure:
    """An empty figure, in inches; what is put on it finds its room."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def shown(text: str, width: int = LABEL) -> str:
    """Foreign text on one line; that it is no formula is a setting of `plotting`."""
    return plain_clip(text, width)


def colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]


def marker(at: int) -> str:
    """Shifted after each round of the colours, so that the pair of both comes back late."""
    return MARKERS[(at + at // len(COLOURS)) % len(MARKERS)]

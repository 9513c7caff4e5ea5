"""The look of plots: colours, markers and hatches that differ for everybody and in grey, and safe text.

matplotlib is imported where it is used: the package `matplotlib` comes with the extra `figures`.
"""

from __future__ import annotations

import contextlib
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Set
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

FONT = "DejaVu Sans"
"""Comes with matplotlib, so that figures look alike everywhere."""

_BOXES = "Last Resort"
"""A font that has a box for every sign."""
_REGULAR = (400, "normal", "regular", "book")
_GLYPH = re.compile(r"Glyph (\d+) .* missing from font")
_SETTINGS: Any = {
    "font.size": 8,
    "font.family": [FONT],
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
    """In it matplotlib draws with our settings, and logs nothing less than an error.

    Raises as `require_matplotlib`.
    """
    require_matplotlib()
    import matplotlib as mpl

    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def saved_with_fonts(figure: Figure, save: Callable[[], None]) -> str:
    """Save a figure, where its font lacks signs a second time with other fonts; the signs that none has."""
    from matplotlib.text import Text

    missing = _missing(save)
    found = _fonts_with(missing)
    if not found:
        return "".join(sorted(missing))
    for text in figure.findobj(Text):
        if isinstance(text, Text) and not missing.isdisjoint(text.get_text()):
            text.set_fontfamily([FONT, *found])
    return "".join(sorted(_missing(save)))


def _missing(save: Callable[[], None]) -> set[str]:
    """The signs of which matplotlib says that no font of theirs has them."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        save()
    matches = (_GLYPH.match(str(one.message)) for one in told)
    return {chr(int(match[1])) for match in matches if match is not None}


def _fonts_with(signs: Set[str]) -> list[str]:
    """Installed fonts that have as many of the signs as any do, the one with the most first."""
    if not signs:
        return []
    from matplotlib.font_manager import fontManager, get_font

    has: dict[str, set[str]] = {}
    for entry in fontManager.ttflist:
        if entry.style != "normal" or entry.weight not in _REGULAR or entry.name.startswith(_BOXES):
            continue
        with contextlib.suppress(OSError, RuntimeError, ValueError):  # a font that can't be read has none
            font = get_font(entry.fname)
            known = font.get_charmap() if font.scalable else {}
            has.setdefault(entry.name, set()).update(one for one in signs if ord(one) in known)
    found: list[str] = []
    left = set(signs)
    while left and has:
        best = min(has, key=lambda name: (-len(has[name] & left), name))
        if left.isdisjoint(has[best]):
            break
        found.append(best)
        left -= has.pop(best)
    return found


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

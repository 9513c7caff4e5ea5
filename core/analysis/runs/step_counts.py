"""Step count against success, with the standard error (as in AssistantBench, figure 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webbench.core.analysis.recorded.run_records import Recorded, RecordedRun
from webbench.core.statistics.estimates import standard_error
from webbench.core.statistics.figures import Bar, Bars, Section

MOST_BINS = 8
WIDTHS = (1, 2, 3, 5, 10, 20, 25, 50, 100, 250, 500, 1000)

ABOUT = (
    "Scored episodes by how many steps they took. Whiskers are one standard error (n - 1), episodes taken as "
    "independent; a group of one, or in which all did alike, has none."
)


def steps_section(runs: Mapping[str, RecordedRun]) -> Section:
    """Success, and where scores between 0 and 1 occur the mean score, by number of steps."""
    scored = {letter: run.scored for letter, run in runs.items()}
    values = {one.value for found in scored.values() for one in found}
    figures = [_bars("Success by number of steps", scored, lambda one: float(one.value == 1))]
    if not values <= {0, 1}:
        figures.append(_bars("Mean score by number of steps", scored, lambda one: one.value or 0.0))
    return Section(name="steps", title="Steps and success", about=ABOUT, figures=tuple(figures))


def _bars(
    title: str, scored: Mapping[str, tuple[Recorded, ...]], measure: Callable[[Recorded], float]
) -> Bars:
    width = bin_width(max((one.steps for found in scored.values() for one in found), default=0))
    bins = sorted({_bin(one.steps, width) for found in scored.values() for one in found})
    bars = []
    for place in bins:
        for letter, found in scored.items():
            inside = [one for one in found if _bin(one.steps, width) == place]
            if inside:
                bars.append(_bar(_named(place, width), letter, inside, measure))
    return Bars(title=title, unit="share", bars=tuple(bars), over="steps")


def _bar(group: str, letter: str, inside: list[Recorded], measure: Callable[[Recorded], float]) -> Bar:
    values = [measure(one) for one in inside]
    mean = sum(values) / len(values)
    error = standard_error(values)
    return Bar(
        group=group,
        actor=letter,
        value=mean,
        low=None if error is None else mean - error,
        high=None if error is None else mean + error,
        n=len(values),
        episodes=tuple(one.name for one in inside),
    )


def bin_width(most: int) -> int:
    """The narrowest of the usual widths with which so many steps fall into at most `MOST_BINS` groups."""
    return next((width for width in WIDTHS if most <= width * MOST_BINS), -(-most // MOST_BINS))


def _bin(steps: int, width: int) -> int:
    """Group 0 is no step at all, group 1 steps 1 to `width`."""
    return -(-steps // width)


def _named(place: int, width: int) -> str:
    first, last = (place - 1) * width + 1, place * width
    if not place:
        return "0"
    return str(last) if width == 1 else f"{first}-{last}"

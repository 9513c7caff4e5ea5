"""Which step decided a failure: rankings against the 42 runs whose decisive step people named.

Only the half to tune on is shown; `--held` shows the half that is held back, and both, once all is decided.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.performance.decisive_steps.baselines import baselines
from tests.performance.decisive_steps.failure import Failure, failures
from tests.performance.decisive_steps.measure import HEADINGS, chance, line
from tests.performance.suggestions import imported
from tests.shared import shared_folder

PUBLISHED = "published for models over all 184 runs (Zhang et al. 2025): agent 53.5 %, step 14.2 %"


def main() -> list[str]:
    """Nothing is missed: the figures are what they are."""
    shared = shared_folder()
    if shared is None:
        print("no shared data: nothing is compared")
        return []
    with imported([shared / "data" / "trajectories" / "who-and-when"]) as store:
        found = failures(store)
        named = sum(
            any((turn.step, turn.agent) == (one.step, one.agent) for turn in one.turns) for one in found
        )
        print(f"{len(found)} runs; the agent that is named is who took the named step in {named}")
        for half in ("dev", "held", "all") if "--held" in sys.argv else ("dev",):
            _table(half, [one for one in found if half in (one.half, "all")], found)
    print(f"\n{PUBLISHED}")
    return []


def _table(half: str, chosen: Sequence[Failure], everything: Sequence[Failure]) -> None:
    print(f"\n{half}: {len(chosen)} runs\n{HEADINGS}")
    for name, guess in baselines([one for one in everything if one.half == "dev"]).items():
        print(line(name, chosen, [guess(one) for one in chosen]))
    print(chance(chosen))

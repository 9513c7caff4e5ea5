"""WebArena's action language: `click [12]`, `type [5] [text] [1]`, `stop [answer]`.

The verbs of WebArena's id-based actions, and in the same style those that it lacks, `click [12] at 40% 60%`
among them (`core.dialects.notations.bracketed` also says where they depart from the published code).
"""

from __future__ import annotations

from webbench.core.action.action import Say
from webbench.core.dialects.forms import Forms, needed
from webbench.core.dialects.notations.bracketed import ELEMENTS, PAGES, POINTS, Bracketed
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.observation import Observation

_SAY = says(
    "say",
    Say,
    "say something to the other party",
    "say [Which size?]",
    aliases=("note",),
    text=needed("text", "text"),
)


def _render(observation: Observation) -> str:
    from webbench.core.renderings.webarena import webarena_text

    return webarena_text(observation)


def create() -> TextDialect:
    """The entry point."""
    return TextDialect("webarena", Forms((*ELEMENTS, *POINTS, *PAGES, _SAY)), Bracketed(), _render)

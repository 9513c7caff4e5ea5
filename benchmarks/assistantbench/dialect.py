"""The action language of open-web questions: WebArena's style, a search engine and a memory.

`search [query]` asks the task's search engine. `remember [text]` keeps a note, the memory buffer that
the paper's agent SeePlanAct hands on from step to step. Several sites stand in several tabs.
An answer is text, a number or JSON: `stop [45]`, `stop [["Artist Point", "Lone Star Geyser"]]`.
"""

from __future__ import annotations

from webbench.core.action.action import Remember, Say, Search
from webbench.core.dialects.forms import Forms, needed
from webbench.core.dialects.notations.bracketed import ELEMENTS, PAGES, POINTS, Bracketed
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.observation import Observation

_TEXT = needed("text", "text")
_OPEN_WEB = (
    says("search", Search, "ask the search engine", "search [ferry fares]", query=needed("query", "text")),
    says(
        "remember",
        Remember,
        "keep a note in the memory",
        "remember [adult day ticket: 12.50]",
        aliases=("note",),
        text=_TEXT,
    ),
)
_SAY = says("say", Say, "say something to the other party", "say [Which year?]", text=_TEXT)


def _render(observation: Observation) -> str:
    from webbench.core.renderings.webarena import webarena_text

    return webarena_text(observation)


def create() -> TextDialect:
    """The entry point."""
    forms = Forms((*_OPEN_WEB, *ELEMENTS, *POINTS, *PAGES, _SAY))
    return TextDialect("assistantbench", forms, Bracketed(), _render)

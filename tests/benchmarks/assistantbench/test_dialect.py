"""The language of open-web questions: WebArena's style, with a search engine and a memory."""

from __future__ import annotations

import pytest

from webbench.benchmarks.assistantbench.dialect import create
from webbench.core.action.action import Action, Click, ElementRef, Remember, Say, Search, Stop

DIALECT = create()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("search [ferry fares [2025]]", Search(query="ferry fares [2025]")),
        ("remember [adult: 12.50]", Remember(text="adult: 12.50")),
        ("note [adult: 12.50]", Remember(text="adult: 12.50")),
        ("say [note]", Say(text="note")),
        ("click [12]", Click(target=ElementRef(id=12))),
        ('stop [["Artist Point", "Lone Star Geyser"]]', Stop(answer='["Artist Point", "Lone Star Geyser"]')),
        ('stop [{"to": "a"}\n{"to": "b"}]', Stop(answer='{"to": "a"}\n{"to": "b"}')),
    ],
)
def test_a_text_is_read_as_its_action(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action
    assert DIALECT.parse(DIALECT.format(action)) == action


def test_what_is_peculiar_to_the_language_is_offered_first() -> None:
    assert [verb.form for verb in DIALECT.verbs()][:2] == ["search [query]", "remember [text]"]

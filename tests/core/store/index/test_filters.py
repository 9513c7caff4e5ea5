"""Which episodes a filter lets through."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core.errors import UsageError
from webbench.core.observation import Visitor
from webbench.core.score.score import Score, Status
from webbench.core.store.index.filters import EpisodeFilter, parse_filter
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def test_a_line_is_read_into_fields_and_words() -> None:
    wanted = parse_filter('benchmark:webarena Actor:"GPT 4" status:not-scored "best selling" time:12')

    assert wanted == EpisodeFilter(
        benchmark="webarena", actor="GPT 4", status="not_scored", words=("best selling", "time:12")
    )
    assert not parse_filter("  ")


@pytest.mark.parametrize(("text", "hint"), [("status:scord", "scored"), ('say "it', "close it")])
def test_a_mistake_says_what_to_do(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_filter(text)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["lamp", "tea", "torte"]),
        ("benchmark:other", ["torte"]),
        ("actor:HUMAN", ["tea"]),
        ("status:scored", ["lamp", "torte"]),
        ("status:solved", ["lamp"]),
        ("status:failed", ["torte"]),
        ("status:interrupted", ["tea"]),
        ("süsse TORTE", ["torte"]),
        ("task:lamp find", ["lamp"]),
        ("100%", []),
        ("actor:human status:scored", []),
        ("locale:de-DE", ["lamp", "torte"]),
        ("system:linux region:berlin browser:FIREFOX timezone:asia driver:playwright", ["torte"]),
    ],
)
def test_every_condition_has_to_hold(store: Store, text: str, found: list[str]) -> None:
    for benchmark, name, intent, actor in (
        ("shop", "lamp", "Find a lamp", "gpt-4"),
        ("shop", "tea", "Find some tea", "human"),
        ("other", "torte", "Find SÜSSE Torte", "gpt-4o"),
    ):
        task = Task(benchmark=benchmark, name=name, intent=intent)
        header = EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="json")
        if name != "tea":
            where = "Europe/Berlin" if name == "torte" else ""
            header = msgspec.structs.replace(
                header,
                driver="playwright",
                visitor=Visitor(
                    locale="de-DE", timezone="Asia/Tokyo", region=where, system="Linux", browser="Firefox"
                ),
            )
        recorder = store.recorder(store.start_run(benchmark, actor, 1), header)
        if name != "tea":
            recorder.finish(Score(status=Status.SCORED, value=float(name == "lamp")), "done")
        recorder.close()

    assert sorted(one.name for one in store.select(parse_filter(text))) == found

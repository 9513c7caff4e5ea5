"""`score RUN`: every episode from its record, by a judge behind a real socket, and the figures of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.models.endpoint import Answer, Request, running_endpoint, said
from tests.shared import need_shared
from tests.tui.cli.program import Here
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store


def answer(request: Request) -> Answer:
    """Only the question about abstracts was answered."""
    verdict = "SUCCESS" if "multi-language abstract" in request.prompt else "NOT SUCCESS"
    return said(f"I see.\nVERDICT: {verdict}")


def test_a_run_is_judged_episode_by_episode(here: Here, tmp_path: Path) -> None:
    source = need_shared("data", "trajectories", "webvoyager-gpt4v")
    store = Store(tmp_path / "store")
    list(bring_in(source, known_formats(), store))
    (run,) = store.run_names() - {"blobs", "tmp"}
    place, home = ("--store", str(store.root)), tmp_path / "home"
    with running_endpoint() as endpoint:
        endpoint.answers = answer
        judge = ("--judge", f"m url={endpoint.url}")
        refused = here(home, "score", run, *judge, *place)
        done = here(home, "score", run, *judge, "--yes", "--json", *place)
        asked = len(endpoint.requests)
    assert refused.code == 2
    assert "9 episodes" in refused.err
    assert (done.code, asked) == (1, 3), "six have no screenshots, and so no score"
    figures = done.json["figures"]["published"]
    assert (figures["n"], figures["not_scored"]) == (3, 6)
    (kept,) = store.runs()
    assert (kept.scored, kept.later) == (3, 3), "imported without a score, they have one now"
    again = here(home, "score", run, "--json", *place)
    assert again.json["figures"] == done.json["figures"], "what the judge said is kept with the records"
    table = here(home, "judge", "table", run, *place)
    assert "judge.m." in table.out
    assert figures["success_rate"] == pytest.approx(1 / 3)

"""`label clusters`: alike failures come together, the same way each time, and a cluster becomes a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.models.endpoint import Answer, Endpoint, Request, refused
from tests.tui.cli.program import Here
from webbench.core.analysis.clusters.episode_words import EpisodeWords
from webbench.core.analysis.clusters.failure_clusters import failure_clusters
from webbench.core.errors import UsageError
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

LOGIN = "The login form refuses my password, the session has expired."
TIMEOUT = "The checkout times out, the network seems slow, waiting longer."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three that can't log in, three that time out, one that did nothing, one solved, one without a score."""
    store = Store(tmp_path / "store")
    run = store.start_run("demo", "agent", 9)
    for order, thought in enumerate([LOGIN, TIMEOUT, LOGIN, TIMEOUT, LOGIN, TIMEOUT, "", LOGIN, LOGIN]):
        task = Task(benchmark="demo", name=f"t{order}", intent="Buy a kettle")
        header = EpisodeHeader(run="", episode="", task=task, actor="agent", dialect="", order=order)
        recorder = store.recorder(run, header)
        recorder.write(Step(index=0, at=""))
        if thought:
            own = "kettle " * order
            recorder.write(Step(index=1, at="", actor="agent", text="click", reasoning=f"{thought} {own}"))
        scored = Score(status=Status.SCORED, value=float(order == 7))
        recorder.finish(not_scored("nobody looked") if order == 8 else scored, "stopped")
    return store


def test_alike_failures_are_one_cluster_and_what_was_left_out_is_told(store: Store, here: Here) -> None:
    done = here(store.root.parent, "label", "clusters", "--store", str(store.root), "--json").json
    first, second = done["clusters"]
    orders = [sorted(name.partition("/")[2][:4] for name in one["episodes"]) for one in (first, second)]
    assert sorted(orders) == [["0000", "0002", "0004"], ["0001", "0003", "0005"]]
    words = {"login", "password", "session", "expired", "form", "refuses"}
    assert words & set(first["words"] if "0000" in orders[0] else second["words"])
    assert "kettle" not in first["words"] + second["words"]
    assert [name.partition("/")[2][:4] for name in done["wordless"]] == ["0006"]
    assert done["silhouette"] > 0.9
    assert done["unscored"] == 1

    every = here(store.root.parent, "label", "clusters", "--all", "--store", str(store.root), "--json").json
    assert sorted(len(one["episodes"]) for one in every["clusters"]) == [3, 5]


def test_a_record_that_cant_be_read_is_told(store: Store, here: Here) -> None:
    (next(store.root.glob("*/0006*")) / "episode.json").write_text("{")
    done = here(store.root.parent, "label", "clusters", "--store", str(store.root), "--json")
    assert "1 episode left out: the record can't be read" in done.err
    assert done.json["wordless"] == []


def test_a_model_of_embeddings_tells_what_is_alike(store: Store, here: Here, endpoint: Endpoint) -> None:
    def vectors(request: Request) -> Answer:
        data = [
            {"index": at, "embedding": [1.0, 0.1] if "login" in text else [0.1, 1.0]}
            for at, text in enumerate(request.body["input"])
        ]
        return Answer(body=json.dumps({"data": data[::-1]}).encode())

    endpoint.answers = vectors
    words = ("label", "clusters", "--embeddings", f"e url={endpoint.url}", "--store", str(store.root))
    done = here(store.root.parent, *words, "--json")
    assert [(one.path, one.body["model"]) for one in endpoint.requests] == [("/v1/embeddings", "e")]
    assert done.json["by"] == "e at 127.0.0.1"
    assert [len(one["episodes"]) for one in done.json["clusters"]] == [3, 3]
    assert done.json["silhouette"] > 0.9

    endpoint.answers = lambda request: Answer(body=b'{"data": [{"embedding": [1.0]}]}')
    short = here(store.root.parent, *words)
    assert short.code == 3
    assert "1 embeddings for 6 texts" in short.err
    endpoint.answers = lambda request: refused(501)
    assert "answered 501" in here(store.root.parent, *words).err
    assert len(endpoint.requests) == 3  # what a server can't do it can't do the next time


def test_a_cluster_becomes_a_code_that_waits_to_be_confirmed(store: Store, here: Here) -> None:
    home, place = store.root.parent, ("--store", str(store.root), "--json")
    assert here(home, "label", "clusters", "--name", "kinds", *place).json["verdicts"] == 6
    verdicts = here(home, "judge", "verdicts", "--taxonomy", "kinds", *place).json["verdicts"]
    assert len({one["code"] for one in verdicts}) == 2
    assert all(one["citations"][0]["step"] == 1 for one in verdicts)
    label = here(home, "judge", "confirm", "0000", "--taxonomy", "kinds", "--as", "ann", *place).json["label"]
    assert label["code"] == verdicts[0]["code"]
    assert here(home, "label", "clusters", "--cluster", "1", *place).code == 2
    given = ("--cluster", "1", "--code", "merged.cause.stopping")
    assert here(home, "label", "clusters", *given, *place).json["verdicts"] == 3


def test_the_order_of_episodes_changes_nothing() -> None:
    texts = ["red apple", "red apple pie", "blue sea", "blue sea wave", "green", "blue red"]
    episodes = [
        EpisodeWords(run="r", episode=f"e{at}", counts=dict.fromkeys(text.split(), 1), steps={})
        for at, text in enumerate(texts)
    ]
    assert failure_clusters(episodes) == failure_clusters(episodes[::-1])
    assert failure_clusters(episodes, 3).clusters[0].number == 1
    with pytest.raises(UsageError, match="can't be 6 clusters"):
        failure_clusters(episodes, 6)
    with pytest.raises(UsageError, match="need 3 to 2,000 failed episodes with words, and here are 2"):
        failure_clusters(episodes[:2])

"""`judge ask` against a real endpoint: citations are looked up, nothing is asked twice, costs are told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.core.models.endpoint import Answer, Endpoint, Request, refused, said
from tests.tui.cli.program import Done, Here
from webbench.core.analysis.rubrics.asking_judges import RubricSearch
from webbench.core.analysis.rubrics.rubric import rubric_of, taxonomy_of_words
from webbench.core.errors import UsageError
from webbench.core.models.model_client import Endpoint as Address
from webbench.core.models.prices import Price
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

QUESTION = "Did it give up although the page had the answer?"
TAXONOMY = "did-it-give-up-although-the-page-had-the"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three episodes of three steps, the last one solved."""
    store = Store(tmp_path / "store")
    run = store.start_run("demo", "agent", 3)
    for order in range(3):
        task = Task(benchmark="demo", name=f"t{order}", intent="What does the kettle cost?")
        header = EpisodeHeader(run="", episode="", task=task, actor="agent", dialect="", order=order)
        recorder = store.recorder(run, header)
        recorder.write(Step(index=0, at="", title="Shop"))
        recorder.write(Step(index=1, at="", actor="agent", text="click", output="Kettle \x1b[31m $19.99"))
        recorder.write(Step(index=2, at="", actor="agent", text="stop", reasoning=f"I give up on t{order}."))
        recorder.finish(Score(status=Status.SCORED, value=float(order == 2)), "stopped")
    return store


def ask(
    here: Here, store: Store, endpoint: Endpoint, *more: str, question: str = QUESTION, **variables: str
) -> Done:
    judge = ("--judge", f"m url={endpoint.url}")
    words = ("judge", "ask", "--question", question, *judge, "--store", str(store.root), "--json", *more)
    return here(store.root.parent, *words, WEBBENCH_JUDGE_RETRIES="0", COLUMNS="200", **variables)


def answer(request: Request) -> Answer:
    """The first episode is found, the second one's citation is made up, the third one's answer is no."""
    if "t0." in request.prompt:
        return said('CITE: 1 "kettle ␛[31m $19.99"\nCITE: 9 "give up"\nREASON: It saw it.\nVERDICT: yes')
    if "t1." in request.prompt:
        return said('CITE: 2 "I am done"\nREASON: It says so.\nVERDICT: yes')
    return said("REASON: Nothing speaks for it.\nVERDICT: no")


def test_citations_are_looked_up_and_what_is_made_up_is_refused(
    store: Store, here: Here, endpoint: Endpoint
) -> None:
    endpoint.answers = answer
    done = ask(here, store, endpoint, "--yes")
    assert done.code == 1, done.err
    (judge,) = done.json["judges"]
    first, second, third = judge["verdicts"]
    assert first["code"] == "yes"
    assert [one["step"] for one in first["citations"]] == [1]
    assert first["refused"] == ["step 9 “give up”: there is no such step"]
    assert second.get("code", "") == ""
    assert second["problem"] == "the verdict yes is refused: none of its citations holds"
    assert second["refused"] == ["step 2 “I am done”: the step doesn't say that"]
    assert third["code"] == "no"
    assert "no such step" in done.err
    assert "3 calls" in done.err
    assert "price not known" in done.err
    assert (store.root.parent / "config" / "webbench" / "taxonomies" / f"{TAXONOMY}.toml").is_file()
    prompt = endpoint.requests[0].prompt
    assert prompt.count("<<<RECORD ") == 1
    assert "\x1b" not in prompt


def test_what_was_answered_is_not_asked_again_and_a_failure_is(
    store: Store, here: Here, endpoint: Endpoint
) -> None:
    """As after a kill: two replies were kept, the third never came."""
    endpoint.answers = lambda request: refused(400) if "t2." in request.prompt else answer(request)
    first = ask(here, store, endpoint, "--yes")
    assert first.code == 1
    assert len(endpoint.requests) == 3
    endpoint.answers = answer
    plan = ask(here, store, endpoint, "--dry-run").json["plans"][0]
    assert (plan["episodes"], plan["known"], plan["calls"]) == (3, 2, 1)
    again = ask(here, store, endpoint, "--yes").json["judges"][0]
    assert len(endpoint.requests) == 4
    assert [one.get("code", "") for one in again["verdicts"]] == ["yes", "", "no"]
    assert ask(here, store, endpoint).code == 1  # nothing is left to be asked, so nobody has to agree
    assert len(endpoint.requests) == 4
    ask(here, store, endpoint, "--yes", "--prompt", "doubt")
    assert len(endpoint.requests) == 7


def test_a_judge_that_is_away_is_not_asked_about_every_episode(
    store: Store, here: Here, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.core.analysis.rubrics.judged_once.MOST_IN_VAIN", 2)
    endpoint.script = [refused(401)]
    done = ask(here, store, endpoint, "--yes")
    assert done.code == 3
    assert "gave no reply 2 times in a row" in done.err


def test_nothing_is_spent_without_consent_or_above_the_limit(
    store: Store, here: Here, endpoint: Endpoint
) -> None:
    endpoint.answers = answer
    refusing = ask(here, store, endpoint)
    assert refusing.code == 2
    assert "add --yes" in refusing.err
    limited = ask(here, store, endpoint, "--yes", "--max-cost", "1")
    assert limited.code == 2
    assert "No price of this model is known" in limited.err
    assert "kept as the taxonomy" not in limited.err
    dear = {"WEBBENCH_JUDGE_INPUT_PRICE": "1000000", "WEBBENCH_JUDGE_OUTPUT_PRICE": "0"}
    over = ask(here, store, endpoint, "--yes", "--max-cost", "1", **dear)
    assert over.code == 2
    assert "It may cost up to $" in over.err
    assert endpoint.requests == []

    free = {"WEBBENCH_JUDGE_INPUT_PRICE": "0", "WEBBENCH_JUDGE_OUTPUT_PRICE": "0"}
    done = ask(here, store, endpoint, "--yes", "--max-cost", "0", **free)
    assert "at most $0.0000" in done.err
    assert len(endpoint.requests) == 3
    assert done.json["judges"][0]["usage"]["cost"] == 0


def test_a_limit_holds_where_the_server_tells_no_tokens(store: Store, endpoint: Endpoint) -> None:
    """What its replies may have cost counts as spent, and is told."""

    def untold(request: Request) -> Answer:
        told = json.loads(said("REASON: Nothing.\nVERDICT: no").body)
        return Answer(body=json.dumps({**told, "usage": None}).encode())

    async def asked() -> tuple[int, str]:
        address = Address(model="m", url=endpoint.url, price=Price(input=1.0, output=1.0))
        judge = ModelJudge(address, at_a_time=1)
        places = [(one.run, one.episode) for one in store.episodes()]
        search = RubricSearch(store, rubric_of(taxonomy_of_words(QUESTION)), judge, places)
        try:
            outcome = await search.ask(most_cost=0.5 * (search.estimate().cost or 0))
        finally:
            await judge.close()
        return outcome.unasked, judge.usage_text

    endpoint.answers = untold
    unasked, words = asyncio.run(asked())
    assert (unasked, len(endpoint.requests)) == (2, 1)
    assert "for replies without a number of tokens" in words


def test_without_a_model_the_words_are_looked_for(store: Store, here: Here, endpoint: Endpoint) -> None:
    words = ("judge", "ask", "--question", "give up on", "--judge", "none", "--store", str(store.root))
    done = here(store.root.parent, *words, "--json", "--failed")
    assert done.code == 0
    assert [(one["step"], one["where"]) for one in done.json["matches"]] == [(2, "reasoning")] * 2
    with pytest.raises(UsageError, match="ask in 1 to"):
        taxonomy_of_words("x" * 401)


def test_a_verdict_is_confirmed_without_a_screen(store: Store, here: Here, endpoint: Endpoint) -> None:
    endpoint.answers = answer
    ask(here, store, endpoint, "--yes")
    place = ("--taxonomy", TAXONOMY, "--as", "ann", "--store", str(store.root), "--json")
    label = here(store.root.parent, "judge", "confirm", "0000", *place).json["label"]
    assert (label["code"], label["evidence"]) == ("yes", 1)
    assert label["in_sight"][0].startswith("judge.m.")
    assert (
        here(store.root.parent, "judge", "confirm", "0002", "--reject", *place).json["label"]["code"] == "yes"
    )
    none = here(store.root.parent, "judge", "confirm", "0001", *place).err
    assert "The judge's answer is no verdict: the verdict yes is refused" in none
    other = (*place[:1], "merged", *place[2:])
    assert "No judge has answered" in here(store.root.parent, "judge", "confirm", "0001", *other).err
    listed = here(store.root.parent, "judge", "verdicts", "--store", str(store.root), "--json").json[
        "verdicts"
    ]
    assert [one.get("code", "") for one in listed] == ["yes", "", "no"]


def test_judges_are_measured_and_what_they_differ_on_is_queued(
    store: Store, here: Here, endpoint: Endpoint
) -> None:
    endpoint.answers = answer
    home, place = store.root.parent, ("--store", str(store.root), "--json")
    assert here(home, "judge", "table", *place).code == 1
    ask(here, store, endpoint, "--yes", "--means", "cause.stopping")
    for episode, code in (("0000", "no"), ("0002", "no")):
        given = ("--as", "ann", "--taxonomy", TAXONOMY, "--code", code, "--done", *place)
        assert here(home, "label", episode, *given).code == 0
    (question,) = here(home, "judge", "table", *place).json["questions"]
    kinds = [(one["kind"], one["given"], one["episodes"]) for one in question["readers"]]
    assert kinds == [("rule", 0, 3), ("judge", 1, 2), ("person", 0, 2)]
    assert question["labelled"] == 2
    (queue,) = here(home, "judge", "queue", *place).json["queues"]
    assert [name.partition("/")[2][:4] for name in queue["episodes"]] == ["0000"]
    printed = here(home, "judge", "table", "--store", str(store.root))
    assert "JUDGES BESIDE PEOPLE" in printed.out

    given = ("--taxonomy", TAXONOMY, "--as", "ann", *place)
    assert here(home, "judge", "confirm", "0000", *given).json["label"]["unseen"] == "no"
    (again,) = here(home, "judge", "table", *place).json["questions"]
    assert again["labelled"] == 2, "what she held unseen still measures the judge"
    assert again["readers"][1]["differing"] == question["readers"][1]["differing"] != []
    assert again["queue"] == []

"""WebJudge over a real socket: what each stage is shown, which screenshots are kept, what comes of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.judged_pictures import GRADED, KEY_POINTS, kept_pictures, shown, webjudge
from tests.core.models.endpoint import refused, running_endpoint
from tests.core.opening import link_id, opened
from tests.shared import need_shared
from webbench.benchmarks.online_mind2web.benchmark import create
from webbench.benchmarks.online_mind2web.scoring.evaluate import HUMAN, OnlineMind2WebEvaluator
from webbench.benchmarks.online_mind2web.scoring.webjudge import MOST_KEPT
from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.analysis.rubrics.rule_readers import measured_questions
from webbench.core.api.rescoring import rescored
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.episode.options import EpisodeOptions
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.json_types import JsonObject
from webbench.core.judge import REPLIES
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.label import Done, Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.models.model_client import Endpoint as ModelEndpoint
from webbench.core.score.score import Score, Status
from webbench.core.scoring.judges.human import HumanJudge, HumanVerdict
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.open_questions import answered
from webbench.core.scoring.judges.stored_pictures import pictures_of
from webbench.core.store.records import codec
from webbench.core.store.records.later_scores import FILE, LaterScore
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import now

TASK = Task(benchmark="online-mind2web", name="mug", intent="Put a red mug into the cart")
ACTIONS = ['click link "Mugs"', 'click button "Add to cart"']
EVALUATOR = OnlineMind2WebEvaluator()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


async def judged(url: str, store: Store, evidence: JsonObject) -> tuple[JsonObject, Score]:
    judge = ModelJudge(ModelEndpoint(model="m", url=url, retries=0), pictures=pictures_of(store))
    try:
        found = await answered(EVALUATOR, TASK, evidence, judge)
    finally:
        await judge.close()
    return found, EVALUATOR.score(TASK, found)


async def test_stages_are_shown_what_the_procedure_gives_them(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    pictures = kept_pictures(store, 4)
    names = [str(name) for _, name in pictures]
    grades = dict(zip(names, ("3", "2", "5", "it is a 4"), strict=True))
    evidence: JsonObject = {"answer": "I made this up", "actions": ACTIONS, "screenshots": pictures}
    assert EVALUATOR.score(TASK, evidence).status is Status.PENDING
    with webjudge(grades.__getitem__) as endpoint:
        found, score = await judged(endpoint.url, store, evidence)
        first, *graded, last = endpoint.requests
    assert (score.status, score.value, score.evaluator) == (Status.SCORED, 1.0, "online-mind2web 1")
    assert TASK.intent in first.prompt
    assert first.pictures == []
    assert sorted(shown(one)[0] for one in graded) == sorted(names)
    assert all(GRADED in one.prompt and KEY_POINTS in one.prompt for one in graded)
    assert shown(last) == [names[0], names[2]]  # 3 and 5, in their order; no readable grade is none
    for part in (
        TASK.intent,
        KEY_POINTS,
        f"1. {ACTIONS[0]}\n2. {ACTIONS[1]}",
        "1. I see something.\n2. I see",
    ):
        assert part in last.prompt
    assert not any("made this up" in one.prompt for one in endpoint.requests)

    (check,) = score.checks
    assert (check.actual, check.expected) == ("success", KEY_POINTS)
    assert "2 of 4 screenshots shown" in check.why
    assert [(one.target, one.actual, one.counted) for one in check.checks] == [
        ("step 0", 3, False),
        ("step 1", 2, False),
        ("step 2", 5, False),
        ("step 3", None, False),
    ]
    assert EVALUATOR.questions(TASK, found) == ()
    assert EVALUATOR.score(TASK, json.loads(json.dumps(found))) == score  # scored again, nobody is asked


async def test_the_first_fifty_key_screenshots_are_shown(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    pictures = kept_pictures(store, MOST_KEPT + 3)
    with webjudge(lambda _: "4", "failure") as endpoint:
        _, score = await judged(
            endpoint.url, store, {"answer": "", "actions": ACTIONS, "screenshots": pictures}
        )
        last = endpoint.requests[-1]
    assert shown(last) == [name for _, name in pictures[:MOST_KEPT]]
    assert score.value == 0.0
    assert "3 further key screenshots not" in score.checks[0].why


async def test_trouble_is_no_verdict_and_is_asked_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    evidence: JsonObject = {"answer": "", "actions": ACTIONS, "screenshots": kept_pictures(store, 1)}
    with running_endpoint() as endpoint:
        endpoint.script = [refused(401)]
        tried, score = await judged(endpoint.url, store, evidence)
    assert (score.status, score.value) == (Status.ERROR, None)
    lost: JsonObject = evidence | {"screenshots": [[0, "0" * 64]]}
    with webjudge(lambda _: "5") as endpoint:
        _, missing = await judged(endpoint.url, store, lost)
        _, again = await judged(endpoint.url, store, tried)
    assert missing.status is Status.ERROR
    assert "missing" in missing.reason
    assert again.value == 1.0
    empty: JsonObject = {"answer": "done", "actions": [], "screenshots": []}
    assert EVALUATOR.score(TASK, empty).status is Status.NOT_SCORED
    assert EVALUATOR.score(TASK, {"screenshots": 3}).status is Status.ERROR
    assert tried[REPLIES]


@pytest.mark.parametrize(
    ("verdict", "status", "value"),
    [
        ("success", Status.SCORED, 1.0),
        ("failure", Status.SCORED, 0.0),
        ("not executable", Status.NOT_SCORED, None),
    ],
)
async def test_a_person_is_asked_by_rules_of_its_own(
    verdict: str, status: Status, value: float | None
) -> None:
    async def ask(_question: object) -> HumanVerdict:
        return HumanVerdict(verdict, "looked at it")

    evidence: JsonObject = {"answer": "", "actions": ACTIONS, "screenshots": []}
    by_person = HumanJudge(ask)
    assert await answered(EVALUATOR, TASK, evidence, by_person) == evidence
    found = await answered(EVALUATOR, TASK, evidence, by_person, HUMAN)
    score = EVALUATOR.score(TASK, found, HUMAN)
    assert (score.status, score.value) == (status, value)
    assert EVALUATOR.score(TASK, found).status is Status.PENDING


async def test_a_stepped_task_is_judged_from_its_record(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    playing = opened(environment, store, EpisodeOptions(), name="newest-jazz-album", of="online-mind2web")
    async with playing as (episode, _):
        await episode.act(f"click [{link_id(episode, 'Catalogue')}]")
        await episode.act("stop [done]")
        assert episode.score.status is Status.PENDING
    record = store.load(episode.header.episode)
    assert not any(step.evidence.get("replies") for step in record.steps)
    with webjudge(lambda _: "3") as endpoint:
        score = rescored(record, store, judge=f"m url={endpoint.url}").score
        last = endpoint.requests[-1]
    assert score is not None
    assert score.value == 1.0
    before_the_end = [[step.index, step.screenshot] for step in record.steps[:2]]
    assert record.steps[-1].evidence["screenshots"] == before_the_end
    assert len(last.pictures) == 2
    asked = len(endpoint.requests)
    assert rescored(record, store, judge=f"m url={endpoint.url}").score == score
    assert rescored(record, store).score == score  # nobody is asked, the endpoint is gone
    assert asked == 4, "key points, two pictures, verdict"
    kept = store.load(episode.header.episode)
    assert kept.steps == record.steps
    assert kept.header.score is not None
    assert kept.header.score.later is not None
    assert (kept.header.score.value, kept.header.score.later.recorded) == (1.0, record.header.score)
    (verdict,) = kept_verdicts(store).of("merged", "outcome")
    assert (verdict.code, verdict.judge, verdict.place) == (
        "solved",
        "m at 127.0.0.1",
        (record.header.run, record.header.episode),
    )
    said = Label(
        run=record.header.run,
        episode=record.header.episode,
        taxonomy="merged",
        version=verdict.version,
        question="outcome",
        code="failed",
        annotator="rater-1",
        at=now(),
    )
    place: dict[str, Any] = {
        "run": said.run,
        "episode": said.episode,
        "taxonomy": "merged",
        "annotator": "rater-1",
    }
    ledger_of(store).add([said, Done(**place)])
    (measured,) = measured_questions(
        store, kept_verdicts(store), ledger_of(store).book(), load_codebook(), [verdict.place]
    )
    judge = next(one for one in measured.readers if one.kind == "judge" and one.code == "solved")
    assert (judge.given, judge.dev.n + judge.test.n) == (1, 1)
    assert measured.queue == (verdict.place,)  # judge and person differ
    rule = next(one for one in measured.readers if one.kind == "rule" and one.code == "solved")
    assert (rule.reader, rule.episodes, rule.without) == ("evaluator", 0, 1)  # the score is the judge's own
    final = store.load(episode.header.episode).header.score
    assert final is not None
    by_person = LaterScore(score=final, at="2999-01-01T00:00:00.000+00:00", judge="human")
    with (store.root / said.run / said.episode / FILE).open("ab") as file:
        file.write(codec.encode(by_person) + b"\n")
    (measured,) = measured_questions(
        store, kept_verdicts(store), ledger_of(store).book(), load_codebook(), [verdict.place]
    )
    rule = next(one for one in measured.readers if one.kind == "rule" and one.code == "solved")
    assert (rule.episodes, rule.without) == (1, 0)  # a person decided
    assert '1. click link "Catalogue"' in last.prompt


async def test_an_imported_run_is_an_attempt_at_the_published_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = need_shared("data", "trajectories", "online-mind2web")
    pictures = need_shared("data", "trajectories", "webvoyager-gpt4v", "taskArXiv--11")
    monkeypatch.setenv("WEBBENCH_DATA_ONLINE_MIND2WEB", str(data / "Online_Mind2Web.json"))
    (task,) = create().tasks(names=["005be9dd91c95669d6ddde9ae667125c"])
    source = data / "abp-claude-opus-4.6" / task.name
    run = tmp_path / "run" / task.name  # what is published of its pictures are pointers
    shutil.copytree(source, run, ignore=shutil.ignore_patterns("trajectory"))
    (run / "trajectory").mkdir()
    for number in range(3):
        shutil.copy(
            pictures / f"screenshot{number + 1}.png", run / f"trajectory/{number}_full_screenshot.png"
        )
    store = Store(tmp_path / "store")
    list(bring_in(run.parent, known_formats(), store))
    (kept,) = store.episodes()
    record = store.load(kept.episode)
    assert (record.header.task.site, record.header.task.kind) == (task.site, task.kind)
    with webjudge(lambda _: "5") as endpoint:
        score = rescored(record, store, judge=f"m url={endpoint.url}").score
        last = endpoint.requests[-1]
    assert score is not None
    assert score.value == 1.0
    history = json.loads((run / "result.json").read_text())["action_history"]
    assert "\n".join(f"{number}. {words}" for number, words in enumerate(history, 1)) in last.prompt
    assert shown(last) == [step.screenshot for step in record.steps[:3]]

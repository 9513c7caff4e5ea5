"""A judge's verdict is a question on the labelling screen: one key confirms it, one rejects it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.core.models.endpoint import running_endpoint, said
from tests.tui.screens.labelling.test_labelling import labels, ready, recorded, settled
from tests.tui.waiting import until
from webbench.core.analysis.rubrics.citations import Citation
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep
from webbench.core.analysis.rubrics.rubric import taxonomy_of_words
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.written_taxonomy import write_taxonomy
from webbench.core.people.labelling.worksheet import LabellingOrder
from webbench.core.settings.locations import taxonomies_folder
from webbench.core.store.store import Store
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.labelling.labelled_steps import LabelledSteps
from webbench.tui.screens.labelling.labelling import LabellingScreen
from webbench.tui.widgets.lists.text_rows import TextRows

RATER = "judge.m.1a2b.episode.3c4d"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[str, str], ...]:
    """Two episodes on which one judge says yes and cites step 2."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write_taxonomy(taxonomy_of_words("Did it click in vain?", "in-vain"), taxonomies_folder())
    found = recorded(tmp_path / "store")
    verdicts = [
        JudgedEpisode(
            run=run,
            episode=episode,
            taxonomy="in-vain",
            version=1,
            question="answer",
            code="yes",
            citations=(Citation(step=2, quote="click [1]"),),
            refused=("step 9 “x”: there is no such step",),
            reason="The same click again.",
            rater=RATER,
            judge="m at host",
            prompt="episode",
            prompt_version="3c4d",
            asked="0",
        )
        for run, episode in found
    ]
    away = msgspec.structs.replace(
        verdicts[0], code="", citations=(), rater="judge.away.1.e.2", failed=True, problem="away"
    )
    keep(Store(tmp_path / "store"), [*verdicts, away, *(decisive(*place, step=2) for place in found)])
    return found


def decisive(run: str, episode: str, step: int) -> JudgedEpisode:
    """A judge names the step that decided it."""
    return JudgedEpisode(
        run=run,
        episode=episode,
        taxonomy="decisive-step",
        version=1,
        question="step",
        code=str(step),
        citations=(Citation(step=step, quote="click [1]"),),
        reason="In vain",
        rater="judge.m.1a2b.step.5e6f",
        judge="m at host",
        prompt="step",
        prompt_version="5e6f",
        asked="1",
    )


async def test_a_verdict_is_confirmed_or_rejected_with_one_key(
    tmp_path: Path, places: tuple[tuple[str, str], ...]
) -> None:
    root = tmp_path / "store"
    order = LabellingOrder(places=places, annotator="ann", taxonomy="in-vain")
    app = WorkbenchApp(Opening(store=root, labelling=order))
    async with app.run_test(size=(110, 30)) as pilot:
        await ready(pilot)
        screen = app.screen
        assert isinstance(screen, LabellingScreen)
        shown = [entry.text for entry in screen.query_one(TextRows).entries]
        told = "answer.yes? The same click again. · step 2 “click [1]” · 1 citation refused"
        assert told in shown
        assert not any("away" in one for one in shown)
        asked = "Did step 2 decide it? m at host says so, all at once: In vain (step 2 “click [1]”)"
        assert asked in shown
        await settled(pilot, "n", "n")
        assert screen.query_one(LabelledSteps).step in (2, 3)  # the cited step, or the suggested one
        await settled(pilot, "y")
        label = labels(root)["ann", None]
        assert (label.episode, label.code, label.evidence) == (places[0][1], "yes", 2)
        assert label.in_sight == (RATER,)
        assert screen.sheet is not None
        assert screen.sheet.place.episode == places[1][1]
        await settled(pilot, "r")
        book = ledger_of(Store(root)).book()
        assert {one.episode: one.code for one in book.labels} == {places[0][1]: "yes", places[1][1]: "no"}
        assert len(book.done) == 2


async def test_who_labels_blind_sees_no_verdict_and_is_not_swayed(
    tmp_path: Path, places: tuple[tuple[str, str], ...]
) -> None:
    root = tmp_path / "store"
    order = LabellingOrder(places=places, annotator="ann", taxonomy="in-vain", blind=True)
    app = WorkbenchApp(Opening(store=root, labelling=order))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        assert isinstance(app.screen, LabellingScreen)
        shown = [entry.text for entry in app.screen.query_one(TextRows).entries]
        assert not any("answer.yes" in text or "m at host" in text for text in shown)
        await settled(pilot, "y")
        assert labels(root) == {}
        await settled(pilot, "1")
        assert labels(root)["ann", None].in_sight == ()


async def test_a_judge_is_asked_from_the_screen_and_its_verdicts_wait_there(
    tmp_path: Path, places: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_endpoint() as endpoint:
        endpoint.script = [said('CITE: 3 "click [1]"\nREASON: Again.\nVERDICT: yes')]
        monkeypatch.setenv("WEBBENCH_JUDGE_URL", endpoint.url)
        monkeypatch.setenv("WEBBENCH_JUDGE_MODEL", "small")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        order = LabellingOrder(places=places, annotator="ann", taxonomy="merged")
        app = WorkbenchApp(Opening(store=tmp_path / "store", labelling=order))
        async with app.run_test(size=(100, 30)) as pilot:
            await ready(pilot)
            screen = app.screen
            assert isinstance(screen, LabellingScreen)
            await pilot.press("m")
            await ready(pilot, TextPrompt)
            await pilot.press(*"Did it click thrice", "question_mark", "enter")
            await ready(pilot, ChoicePrompt)
            assert endpoint.requests == []
            assert isinstance(app.screen, ChoicePrompt)
            assert "2 episodes; 1 call," in app.screen.question
            await pilot.press("2")  # no price is known, so no limit stands before another judge
            await ready(pilot, TextPrompt)
            await pilot.press(*"tiny", "enter")
            await ready(pilot, ChoicePrompt)
            assert isinstance(app.screen, ChoicePrompt)
            assert app.screen.question.startswith("tiny at ")
            await pilot.press("1")
            await until(pilot, lambda: bool(endpoint.requests))
            for worker in [one for one in app.workers if one.group == "judge"]:
                await worker.wait()
            await ready(pilot)
            await settled(pilot, "g")
            assert len(endpoint.requests) == 1  # both records say the same
            assert screen.sheet is not None
            (verdict,) = screen.sheet.verdicts
            assert (verdict.taxonomy, verdict.code) == ("did-it-click-thrice", "yes")
            assert verdict.judge.startswith("tiny at ")
            await settled(pilot, "y")
        assert labels(tmp_path / "store")["ann", None].evidence == 3

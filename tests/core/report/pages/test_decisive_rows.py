"""Reports ask which step decided a failure, with the evidence, and say what isn't measured."""

from webbench.core.analysis.rubrics.citations import Citation
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep
from webbench.core.report.pages.comparison_page import comparison_page
from webbench.core.report.pages.decisive_rows import NOT_ASKED, decisive_questions
from webbench.core.report.pages.episode_page import episode_page
from webbench.core.store.store import Store

HEADING = "Which step decided it?"


def test_a_failure_is_asked_about_with_its_evidence_and_a_success_is_not(
    store: Store, attempts: list[str]
) -> None:
    solved, failed = (store.load(name) for name in attempts)
    header = failed.header
    assert decisive_questions(store, solved) is None
    before = decisive_questions(store, failed, anchor={1: 1, 2: 2, 3: 3}.get)
    assert before is not None
    assert [one.rank for one in before.rows] == ["1", "2", "3"]
    assert before.how_sure[0].startswith("Not measured")
    assert before.how_sure[1] == NOT_ASKED
    assert all(one.anchor == one.step and one.evidence for one in before.rows)

    verdict = JudgedEpisode(
        run=header.run,
        episode=header.episode,
        taxonomy="decisive-step",
        version=1,
        question="step",
        code="2",
        citations=(Citation(step=2, quote="<b>Buy</b>"),),
        reason="It buys <i>the wrong one</i>",
        rater="judge.m.1f3a.step.9c04",
        judge="m at host",
        prompt="step",
        prompt_version="9c04",
        asked="1",
    )
    keep(store, [verdict])
    page, _ = episode_page(store, failed, pictures=False)
    assert HEADING in page
    assert "m at host says so, all at once: It buys &lt;i&gt;the wrong one&lt;/i&gt;" in page
    assert "step 2 “&lt;b&gt;Buy&lt;/b&gt;”" in page
    assert HEADING not in episode_page(store, solved, pictures=False)[0]

    beside, _ = comparison_page(store, [solved, failed], pictures=False)
    assert beside.count(HEADING) == 1
    assert "parts from an attempt that succeeded" in beside

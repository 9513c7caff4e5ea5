"""Reports tell what people said, both scores, and nothing that annotators may not see yet."""

from webbench.core.labels.label import Dispute, Done, Label
from webbench.core.labels.ledger import Ledger
from webbench.core.report.pages.comparison_page import comparison_page
from webbench.core.report.pages.labels_and_disputes import what_people_said
from webbench.core.store.store import Store


def label(run: str, episode: str, annotator: str) -> Label:
    return Label(
        run=run,
        episode=episode,
        step=1,
        taxonomy="t",
        version=1,
        question="q",
        code="loop",
        annotator=annotator,
    )


def test_labels_are_shown_once_everybody_is_done(store: Store, attempts: list[str]) -> None:
    header = store.load(attempts[1]).header
    ledger = Ledger(store.root)
    place = (header.run, header.episode)

    ledger.add([label(*place, "ann"), label(*place, "bob")])
    ledger.add([Done(run=header.run, episode=header.episode, taxonomy="t", annotator="ann")])
    before = what_people_said(store, header)
    ledger.add([Done(run=header.run, episode=header.episode, taxonomy="t", annotator="bob")])
    after = what_people_said(store, header)

    assert (len(before.labels), before.hidden) == (0, 2)
    assert ([one.by for one in after.labels], after.hidden) == (["ann", "bob"], 0)


def test_a_disputed_score_stands_beside_the_recorded_one(
    store: Store, attempts: list[str], dispute: Dispute
) -> None:
    header = store.load(attempts[1]).header
    undisputed = what_people_said(store, header)
    Ledger(store.root).add([dispute])
    said = what_people_said(store, header)

    page, _ = comparison_page(store, [store.load(name) for name in attempts], pictures=False)
    assert "as corrected: disputed by ann, not confirmed" in page
    assert undisputed.corrected is None
    assert said.corrected is not None
    assert said.corrected.text == "1.000"
    assert [(one.scored, one.corrected, one.state) for one in said.disputes] == [("0.000", "1.000", "open")]

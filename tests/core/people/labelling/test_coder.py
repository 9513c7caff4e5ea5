"""A codebook grows while one reads; its labels follow what becomes of their codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep, kept_verdicts
from webbench.core.errors import BadData, UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import Ledger, ledger_of
from webbench.core.labels.saturation import saturation, saturation_bars
from webbench.core.labels.taxonomy import read_taxonomy
from webbench.core.labels.written_taxonomy import taxonomy_toml
from webbench.core.people.labelling.codebook_listing import codebook_listing, listing_text
from webbench.core.people.labelling.coder import Coder
from webbench.core.people.labelling.labelled_episode import Subject, last_steps
from webbench.core.people.labelling.rater import Rater, Remark
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """One run with two episodes of three steps."""
    store = Store(tmp_path / "store")
    run = store.start_run("webarena", "agent", 2)
    for order in range(2):
        task = Task(benchmark="webarena", name=str(order), intent="Find it")
        header = EpisodeHeader(run="", episode="", task=task, actor="agent", dialect="", order=order)
        recorder = store.recorder(run, header)
        for index in range(4):
            recorder.write(Step(index=index, at="", actor="agent", text="click [1]" if index else ""))
        recorder.finish(Score(status=Status.SCORED, value=0.0), "stopped")
    return store


def places(store: Store) -> list[Subject]:
    return [
        Subject(
            run=one.run,
            episode=one.episode,
            benchmark="webarena",
            last=3,
            status=Status.SCORED,
            scored=0,
            rules="",
        )
        for one in store.episodes()
    ]


def given(store: Store) -> list[str]:
    """Codes of all labels as they read now, by step."""
    labels = Ledger(store.root).book().labels
    return [f"{one.step} {one.code}" for one in sorted(labels, key=lambda one: (one.step or 0, one.code))]


def test_labels_follow_merges_and_renames_and_nothing_recorded_is_lost(store: Store) -> None:
    """Also back again: what is undone is as if it had never been."""
    ann = Coder(store, load_codebook(), "ann", why="same thing")
    first, second = places(store)
    ann.add("Ignores the filter", place=(first, 2), quote="Any price")
    ann.add("Skips sorting", place=(first, 2))
    ann.add("Skips sorting", place=(second, 3))  # the same again is no second code
    recorded = (store.root / "labels" / "ann.jsonl").read_bytes()
    assert given(store) == ["2 ignores-the-filter", "2 skips-sorting", "3 skips-sorting"]
    ann.merge(["skips-sorting"], "ignores-the-filter")
    assert given(store) == ["2 ignores-the-filter", "3 ignores-the-filter"]  # one of each place and person
    ann.rename("ignores-the-filter", "Narrowing skipped")
    ann.group(["narrowing-skipped"], "Searching")
    latest = ann.versions.latest
    (code,) = latest.questions[0].codes
    assert (code.name, code.title, code.group) == ("narrowing-skipped", "Narrowing skipped", "Searching")
    assert [one.place for one in code.examples] == [
        f"{first.run}/{first.episode} step 2",
        f"{second.run}/{second.episode} step 3",
    ]
    assert code.examples[0].quote == "Any price"
    assert given(store) == ["2 narrowing-skipped", "3 narrowing-skipped"]
    assert [one.change.what for one in ann.versions.versions if one.change] == [
        *("begun", "added", "defined", "merged", "renamed", "grouped")
    ]
    assert all(one.change and one.change.by == "ann" and one.change.at for one in ann.versions.versions)
    ann.undo()
    ann.undo()
    assert given(store) == ["2 ignores-the-filter", "3 ignores-the-filter"]
    ann.undo()
    assert given(store) == ["2 ignores-the-filter", "2 skips-sorting", "3 skips-sorting"]
    assert (store.root / "labels" / "ann.jsonl").read_bytes() == recorded
    assert ann.versions.version(6).questions[0].codes == (code,)


def test_a_label_given_by_a_name_that_was_taken_back_is_led_back(store: Store) -> None:
    ann = Coder(store, load_codebook(), "ann")
    first, second = places(store)
    ann.add("Lost", place=(first, 1))
    ann.rename("lost", "astray")
    ann.add("astray", place=(second, 1))
    ann.undo()  # the example, then the name
    ann.undo()
    assert given(store) == ["1 lost", "1 lost"]
    ann.add("Odd", place=(first, 2))
    with pytest.raises(UsageError, match="1 label has the code"):
        ann.undo()


def test_a_split_code_waits_to_be_read_again(store: Store) -> None:
    ann = Coder(store, load_codebook(), "ann")
    first, _ = places(store)
    ann.add("Wrong page", place=(first, 1))
    ann.split("wrong-page", ["Wrong site", "Wrong result"])
    listing = codebook_listing(
        ann.versions.latest, ledger_of(store).book(), last_steps(store), annotator="ann"
    )
    assert [(one.code.name, one.to_recode) for one in listing.codes] == [
        *(("wrong-page", 1), ("wrong-site", 0), ("wrong-result", 0))
    ]
    with pytest.raises(UsageError, match="wrong-page was split"):
        ann.merge(["wrong-site"], "wrong-page")
    latest = ann.versions.latest
    with pytest.raises(UsageError, match="give wrong-site or wrong-result"):
        Rater(ledger_of(store), latest, "ann").give(
            first.run, first.episode, 2, *latest.find("wrong-page", 2), Remark(), last=3
        )
    codebook = load_codebook(written=ledger_of(store).codebooks)
    (waiting,) = ledger_of(store).book().labels
    assert codebook.is_split(waiting)
    Rater(ledger_of(store), latest, "ann").give(
        first.run, first.episode, 1, *latest.find("wrong-site", 1), Remark(), last=3
    )
    assert given(store) == ["1 wrong-site"]


def test_a_text_is_emptied_a_group_keeps_its_spelling_and_a_meaning_is_one_of_the_merged(
    store: Store,
) -> None:
    ann = Coder(store, load_codebook(), "ann")
    ann.add("Clicks again", definition="Twice or more", means=["repetition"])
    ann.add("Asks nobody")
    ann.group(["clicks-again"], "Course")
    book = ann.group(["asks-nobody"], " course")
    assert [code.group for _, code in book.codes()] == ["Course", "Course"]
    first, _ = (code for _, code in ann.define("clicks-again", use_when="at once").codes())
    assert (first.definition, first.use_when, first.means) == (
        "Twice or more",
        "at once",
        ("cause.repetition",),
    )
    first, _ = (code for _, code in ann.define("clicks-again", means=["-"], definition="-").codes())
    assert (first.definition, first.use_when, first.means) == ("", "at once", ())
    with pytest.raises(UsageError, match="repetitoin"):
        ann.define("clicks-again", means=["cause.repetitoin"])


def test_a_listing_has_definitions_memos_and_counts_in_every_form(store: Store) -> None:
    ann = Coder(store, load_codebook(), "ann")
    first, _ = places(store)
    ann.add("50 % <b>off</b> & more_", place=(first, 2), quote="=1+1", definition="It *takes* the price_tag.")
    ann.add("Other")
    ann.memo("compare with [sorting]", code="other")
    ann.memo("look again", (first, 2))
    listing = codebook_listing(
        ann.versions.latest, ledger_of(store).book(), last_steps(store), annotator="ann"
    )
    assert [(one.labels, one.episodes, one.annotators) for one in listing.codes] == [(1, 1, 1), (0, 0, 0)]
    assert [memo.text for memo in listing.codes[1].memos] == ["compare with [sorting]"]
    assert "definition: not defined yet" in listing_text(listing, "text")
    page = listing_text(listing, "markdown")
    assert "&lt;b\\>off" in page
    assert "compare with \\[sorting\\]" in page
    off = r"50 \% \textless{}b\textgreater{}off\textless{}/b\textgreater{} \& more\_"
    assert off in listing_text(listing, "latex")
    assert "50-b-off-b-more,50 % <b>off</b> & more_" in listing_text(listing, "csv")
    latest = ann.versions.latest
    assert read_taxonomy(taxonomy_toml(latest).encode(), "again") == latest
    hidden = codebook_listing(ann.versions.latest, ledger_of(store).book(), last_steps(store))
    assert (hidden.hidden, hidden.codes[0].labels) == (1, 0)  # nobody is done yet


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "is torn"),
        (b'{"name":"other","version":9,"title":"x","questions":[]}\n', "questions"),
        (b'{"schema_version":99}\n', "newer release"),
        (
            b'{"name":"open","version":1,"title":"x","questions":[{"name":"q","text":"t","places":["step"],'
            b'"codes":[{"name":"a","title":"a"}]}]}\n',
            "version 1 after 1 was skipped",
        ),
    ],
)
def test_what_is_wrong_with_a_codebooks_file_is_told(store: Store, line: bytes, told: str) -> None:
    ann = Coder(store, load_codebook(), "ann")
    ann.add("Lost")
    path = store.root / "labels" / "codebooks" / "open.jsonl"
    with path.open("ab") as file:
        file.write(line)
    if told == "newer release":
        with pytest.raises(BadData, match=told):
            Ledger(store.root).book()
        return
    assert told in Ledger(store.root).book().problems[0]
    assert told in load_codebook(written=Ledger(store.root).codebooks).problems[0]
    ann.add("Found again")  # goes on behind it
    assert [one.version for one in ann.versions.versions] == [1, 2]


def test_shipped_taxonomies_are_begun_with_and_not_changed(store: Store) -> None:
    with pytest.raises(UsageError, match="webarena is a taxonomy"):
        Coder(store, load_codebook(), "ann", "webarena")
    mine = Coder(store, load_codebook(), "ann", "mine")
    mine.begin(load_codebook().taxonomy("webarena"))
    mine.define("repetition", use_when="twice or more")
    assert load_codebook(written=Ledger(store.root).codebooks).taxonomy("mine").version == 2


def test_saturation_counts_what_no_earlier_episode_has(store: Store) -> None:
    ann = Coder(store, load_codebook(), "ann")
    first, second = places(store)
    ann.add("Lost", place=(second, 1))  # the second one was read first
    ann.add("Odd", place=(second, 2))
    ann.add("Lost", place=(first, 1))
    points = saturation(ledger_of(store).book(), ann.versions.latest, "ann")
    assert [(one.episode, one.new, one.total) for one in points] == [
        (f"{second.run}/{second.episode}", ("code.lost", "code.odd"), 2),
        (f"{first.run}/{first.episode}", (), 2),
    ]
    assert [bar.value for bar in saturation_bars(points).bars] == [2, 2, 0, 2]

    for step, title in ((1, "Lost"), (2, "Odd")):
        ann.add(title, place=(second, step))  # labelled anew, later than all others
    assert saturation(ledger_of(store).book(), ann.versions.latest, "ann") == points


def test_verdicts_of_judges_follow_a_codebook_that_changes(store: Store) -> None:
    coder = Coder(store, load_codebook(), "ann")
    coder.add("No filter")
    coder.add("Haste")
    (place, _) = places(store)
    judged = JudgedEpisode(
        run=place.run,
        episode=place.episode,
        taxonomy="open",
        version=coder.versions.latest.version,
        question="code",
        code="no-filter",
        rater="judge.m.1a2b.episode.3c4d",
        judge="m at host",
        prompt="episode",
        prompt_version="3c4d",
        asked="0",
    )
    keep(store, [judged])
    codebook = load_codebook(written=ledger_of(store).codebooks)
    order = LabellingOrder(places=((place.run, place.episode),), annotator="ann", taxonomy="open")
    sheets = Worksheet(store, codebook, order)
    assert [one.code for one in sheets.sheet().verdicts] == ["no-filter"]
    coder.define("haste", definition="Stops too early")
    coder.rename("no-filter", "ignores-the-filter")
    sheets.choose("open")
    (verdict,) = sheets.sheet().verdicts
    assert (verdict.code, verdict.version) == ("ignores-the-filter", coder.versions.latest.version)
    sheets.confirm("code")
    assert given(store) == ["None ignores-the-filter"]
    coder.split("ignores-the-filter", ["Not seen", "Not set"])
    sheets.choose("open")
    with pytest.raises(UsageError, match=r"ignores-the-filter was split \(give not-seen or not-set"):
        sheets.confirm("code")
    (kept,) = kept_verdicts(store, as_asked=True).verdicts
    assert (kept.code, kept.version) == ("no-filter", judged.version)

"""Agreement counts what somebody labelled, whoever comes first, and once."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from webbench.core.analysis.agreement.agreement_section import agreement_section
from webbench.core.analysis.agreement.annotator_agreement import (
    Agreement,
    CodeAgreement,
    agreement,
    confusions,
)
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.statistics.figures import Table

CODES = tuple(Code(name=name, title=name, definition=name) for name in ("low", "middle", "high"))
UNSURE = Code(name="unsure", title="unsure", definition="unsure", off_scale=True)
TAXONOMY = Taxonomy(
    name="mine",
    version=1,
    title="Mine",
    questions=(
        Question(name="grade", text="How?", places=("episode",), codes=(*CODES, UNSURE), ordered=True),
        Question(name="error", text="What?", places=("step",), codes=CODES),
    ),
)


def label(who: str, episode: int, code: str, step: int | None = None, settles: tuple[str, ...] = ()) -> Label:
    return Label(
        run="run",
        episode=f"{episode}",
        step=step,
        taxonomy="mine",
        version=1,
        question="grade" if step is None else "error",
        code=code,
        annotator=who,
        settles=settles,
    )


def agreed(
    labels: list[Label],
    raters: str,
    *,
    last: int = 9,
    episodes: int = 0,
    tolerance: int = 1,
    taxonomy: Taxonomy = TAXONOMY,
) -> Agreement:
    """All raters are done with all episodes."""
    named = {one.episode for one in labels} | {f"{at}" for at in range(episodes)}
    done = frozenset(("run", episode, "mine", who) for episode in named for who in raters)
    places = {("run", episode): last for episode in named}
    return agreement(Book(labels=tuple(labels), done=done), taxonomy, places, tolerance=tolerance)


def row(found: Agreement, question: str, code: str = "", unit: str = "step") -> CodeAgreement:
    return next(one for one in found.codes if (one.question, one.code, one.unit) == (question, code, unit))


def test_what_nobody_labelled_changes_no_figure() -> None:
    """Six steps labelled, alike in three: 0.5, however many steps lie around them."""
    labels = [label("a", 0, "low", at) for at in (0, 1, 2, 3)]
    labels += [label("b", 0, "low", at) for at in (0, 1)] + [label("b", 0, "high", at) for at in (2, 4)]
    labels += [label("a", 1, "high", 0), label("b", 1, "high", 0)]
    short, long = agreed(labels, "ab", last=4), agreed(labels, "ab", last=400, episodes=9)
    for found, unlabelled in ((short, 4), (long, 9 * 401 - 6)):
        whole = row(found, "error")
        assert (whole.items, whole.unlabelled) == (6, unlabelled)
        assert whole.percent.value == pytest.approx(0.5)
    for one, other in zip(short.codes, long.codes, strict=True):
        assert (one.percent, one.kappa, one.alpha) == (other.percent, other.kappa, other.alpha)
        assert one.pairs == other.pairs
    assert row(long, "error", unit="any step").unlabelled == 7


def test_an_ordered_question_gets_ordinal_alpha_and_leaves_out_what_has_no_rank() -> None:
    said = [("low", "middle"), ("middle", "middle"), ("high", "middle"), ("high", "high"), ("low", "unsure")]
    labels = [
        label(who, at, code) for at, codes in enumerate(said) for who, code in zip("ab", codes, strict=True)
    ]
    labels.append(label("a", 5, "high"))
    found = row(agreed(labels, "ab"), "grade", unit="episode")
    assert (found.level, found.items, found.unranked) == ("ordinal", 4, 2)
    assert found.alpha.value == pytest.approx(ordinal([(0, 1), (1, 1), (2, 1), (2, 2)]), abs=1e-15)
    (pair,) = found.pairs
    assert pair.codes == ("low", "middle", "high", "unsure", "no code")
    assert pair.counts == ((0, 1, 0, 1, 0), (0, 1, 0, 0, 0), (0, 1, 1, 0, 1), (0,) * 5, (0,) * 5)
    assert (pair.n, pair.kappa.n) == (6, 4)
    nominal = msgspec.structs.replace(TAXONOMY.questions[0], ordered=False)
    assert nominal.scale == ()


def test_parts_of_a_code_count_as_the_whole_where_somebody_has_not_read_again() -> None:
    """a labelled before the split, b after it: they agree as far as a has said it."""
    whole = msgspec.structs.replace(CODES[0], split_into=("cold", "dark"))
    parts = tuple(Code(name=name, title=name) for name in whole.split_into)
    question = msgspec.structs.replace(TAXONOMY.questions[1], codes=(whole, *parts, *CODES[1:]))
    split = msgspec.structs.replace(TAXONOMY, questions=(question,))
    labels = [label("a", 0, "low", 1), label("b", 0, "cold", 1)]
    labels += [label("a", 0, "high", 2), label("b", 0, "high", 2)]
    labels += [label("a", 1, "cold", 1), label("b", 1, "dark", 1)]
    found = agreed(labels, "ab", taxonomy=split)
    which, low, cold = (row(found, "error", code) for code in ("", "low", "cold"))
    assert (which.items, which.percent.value) == (3, pytest.approx(2 / 3))
    assert (low.items, low.unread, low.percent.value, low.given) == (3, 0, 1.0, {"a": 2, "b": 2})
    assert (cold.items, cold.unread, cold.percent.value) == (2, 1, 0.5)
    assert row(found, "error", "low", "any step").percent.value == 1.0
    section = agreement_section([found])
    assert section is not None
    table = section.figures[0]
    assert isinstance(table, Table)
    assert "to be read again" in [column.title for column in table.columns]


def ordinal(pairs: list[tuple[int, int]]) -> float:
    import krippendorff

    return float(krippendorff.alpha(list(zip(*pairs, strict=True)), level_of_measurement="ordinal"))


def test_who_comes_first_changes_nothing() -> None:
    """Three raters in every order: all figures are those of the same people."""
    said = {"a": "llmhhml", "b": "lmmhlml", "c": "mlmhhhl"}
    names = {"l": "low", "m": "middle", "h": "high"}
    expected: dict[tuple[str, ...], Agreement] = {}
    for order in permutations("abc"):
        renamed = dict(zip("abc", order, strict=True))
        labels = [
            label(renamed[who], at, names[code])
            for who, codes in said.items()
            for at, code in enumerate(codes)
        ]
        labels += [
            label(renamed[who], 0, "low", at)
            for who, steps in (("a", (1, 5)), ("b", (2,)), ("c", (5, 7)))
            for at in steps
        ]
        expected[order] = agreed(labels, "abc")
    first = expected["a", "b", "c"]
    for found in expected.values():
        for one, other in zip(first.codes, found.codes, strict=True):
            assert (one.items, one.percent, one.alpha) == (other.items, other.percent, other.alpha)
            assert sorted((pair.kappa.value or 0) for pair in one.pairs) == pytest.approx(
                sorted((pair.kappa.value or 0) for pair in other.pairs), abs=1e-15
            )
        for here, there in zip(first.located, found.located, strict=True):
            assert (here.exact, here.near, here.segments) == (there.exact, there.near, there.segments)


def test_pairs_of_three_raters_are_what_the_two_alone_would_be() -> None:
    labels = [
        label(who, at, code)
        for who, codes in (("a", ["low", "high"]), ("b", ["low", "low"]))
        for at, code in enumerate(codes)
    ]
    labels += [label("c", at, "high") for at in range(4)]
    whole = row(agreed(labels, "abc"), "grade", unit="episode")
    assert [(pair.first, pair.second, pair.n) for pair in whole.pairs] == [
        ("a", "b", 2),
        ("a", "c", 4),
        ("b", "c", 4),
    ]
    assert whole.kappa.value is None
    book = Book(
        labels=tuple(labels),
        done=frozenset(("run", f"{at}", "mine", who) for at in range(4) for who in "abc"),
    )
    places = {("run", f"{at}"): 3 for at in range(4)}
    alone = confusions(book, TAXONOMY, "grade", places, annotators=("a", "b"))
    assert alone == whole.pairs[:1]


def test_near_misses_and_segments_count_beside_the_same_step() -> None:
    """Of two labels each one is at the same step and one a step beside: 1/2, then all of them."""
    labels = [
        label("a", 0, "low", 2),
        label("a", 0, "low", 6),
        label("b", 0, "low", 2),
        label("b", 0, "low", 7),
    ]
    found = agreed(labels, "ab").located[0]
    assert (found.exact.value, found.near.value, found.tolerance) == (0.5, 1.0, 1)
    assert found.segments.value == pytest.approx(3 / 5), (
        "boundaries 2 3 6 7 and 2 3 7 8: three alike, two are edits"
    )
    assert agreed(labels, "ab", tolerance=0).located[0].near.value == 0.5


def test_of_a_question_with_several_answers_codes_are_counted_one_by_one() -> None:
    """One rater gives two codes and the other one of them: the shared code agrees, the sets don't."""
    labels = [label("a", 0, "low", 2), label("a", 0, "high", 2), label("b", 0, "low", 2)]
    found = agreed(labels, "ab")
    assert row(found, "error").percent.value == 0.0
    assert (row(found, "error", "low").percent.value, row(found, "error", "high").percent.value) == (1.0, 0.0)
    (pair,) = row(found, "error").pairs
    assert (pair.codes[-1], pair.counts[-1]) == ("high + low", (1, 0, 0, 0, 0))
    assert found.located[0].exact.value == pytest.approx(2 / 3)


def test_what_was_settled_is_no_raters_answer() -> None:
    labels = [
        label("a", 0, "low", 2),
        label("b", 0, "high", 2),
        label("a", 0, "low", 4),
        label("b", 0, "low", 4),
    ]
    before = agreed(labels, "ab")
    after = agreed([*labels, label("a", 0, "high", 2, settles=("a", "b"))], "ab")
    assert before == after


def test_every_figure_stands_in_the_tables() -> None:
    labels = [label(who, at, "low" if at % 2 else "high", at) for at in range(6) for who in "ab"]
    section = agreement_section([agreed([*labels, label("a", 7, "low", 1)], "ab")])
    assert section is not None
    titles = [figure.title for figure in section.figures]
    assert [title.partition(" ")[0] for title in titles] == [
        "Agreement",
        "Steps",
        "Pairs",
        "Confusion",
        "Confusion",
    ]
    first = section.figures[0]
    assert isinstance(first, Table)
    assert first.rows[0].episodes == ("run/7",), "where they differ"

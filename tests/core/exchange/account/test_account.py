"""The account of an import: nothing that a source holds is missing from the record without a word."""

from collections.abc import Iterator
from pathlib import Path

from webbench.core.exchange.account.balance import balance, unexplained
from webbench.core.exchange.account.source_shape import Again, Both, Figures, Frame, Left, Shape, Whole
from webbench.core.exchange.account.tally import Tally
from webbench.core.exchange.account.told_losses import FURTHER
from webbench.core.exchange.episode_building import foreign_header, numbered
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Step

SHAPE = Shape(
    {"": "episodes", "steps": "steps", "steps.thought": "reasoning", "page": Left("html", "no page")}
)


class Forgetful:
    """A format that takes the thoughts of a source, and of everything else what it is told to."""

    name = title = looks_like = "forgetful"

    def __init__(self, source: JsonObject, kept: str = "", steps: int = 1) -> None:
        self.source, self.kept, self.steps = source, kept, steps

    def claim(self, place: Place) -> Claim | None:
        return None if place.is_folder else Claim()

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        place.tally.read(self.source, SHAPE)
        header = foreign_header(Task(benchmark="b", name=self.kept), "somebody")
        steps = [Step(index=0, at="", reasoning="because") for _ in range(self.steps)]
        start = Step(index=0, at="")
        yield ImportedEpisode(header, numbered(map(ImportedStep, [start, *steps])), place.tally.losses())


def imported(tmp_path: Path, format: Forgetful) -> Imported:
    (tmp_path / "source").write_bytes(b"x")
    (told,) = bring_in(tmp_path / "source", [format], None)
    return told


def test_what_comes_out_even_is_whole(tmp_path: Path) -> None:
    told = imported(tmp_path, Forgetful({"steps": [{"thought": "because"}], "who": "me"}, kept="me"))

    assert (told.state, told.lost) == ("imported", [])
    assert [(row.kind, row.source, row.recorded) for row in told.account] == [
        ("episodes", 1, 1),
        ("steps", 1, 1),
        ("reasoning", 1, 1),
        ("values", 1, 1),
    ]


def test_a_value_that_the_record_has_not_is_unexplained(tmp_path: Path) -> None:
    told = imported(tmp_path, Forgetful({"steps": [{"thought": "because"}], "who": "me"}, kept="you"))

    assert told.state == "partial"
    assert told.lost == ["unexplained: values: these stand nowhere in the record: who (1)"]


def test_a_step_that_is_dropped_is_unexplained(tmp_path: Path) -> None:
    told = imported(tmp_path, Forgetful({"steps": [{"thought": "a"}, {"thought": "b"}]}))

    assert told.lost == [
        "unexplained: steps: 1 of the source are not in the record",
        "unexplained: reasoning: 1 of the source are not in the record",
    ]


def test_a_step_too_many_is_unexplained(tmp_path: Path) -> None:
    told = imported(tmp_path, Forgetful({"steps": [{"thought": "a"}]}, steps=2))

    assert told.lost[0] == "unexplained: steps: the record has 1 more than the source"


def test_what_a_format_leaves_out_is_told_with_its_reason(tmp_path: Path) -> None:
    told = imported(tmp_path, Forgetful({"steps": [{"thought": "because"}], "page": "<p>"}))

    assert (told.state, told.lost) == ("partial", ["html: no page"])


def test_values_are_found_word_for_word_and_numbers_as_numbers() -> None:
    tally = Tally()
    tally.read({"a": "né\n", "b": 12, "c": 3, "d": True, "e": {"f": ["x", None, ""]}}, Shape({}))

    tally.settle('{"text":"a né b","n":[12],"m":113,"t":true}'.encode())

    (row,) = balance(tally, {})
    assert (row.source, row.recorded) == (5, 3)
    assert unexplained([row]) == ["unexplained: values: these stand nowhere in the record: c (1), e.f (1)"]


def test_rules_count_by_path_through_lists() -> None:
    tally = Tally()
    shape = Shape(
        {
            "list": Both(("steps", "actions")),
            "list.type": Frame(),
            "list.page": Whole("trees"),
            "use": Figures(),
            "copy": Again("trees", "as text too"),
        }
    )

    tally.read(
        {"list": [{"type": "t", "page": {"a": 1}}, {}], "use": {"tokens": 3, "usd": 1.5}, "copy": [1]}, shape
    )

    assert dict(tally.source) == {"steps": 1, "actions": 1, "trees": 2, "tokens": 1, "cost": 1}
    assert tally.reasons == {("trees", "again", "as text too"): 1}


def test_a_concealed_secret_explains_one_missing_value_and_no_other() -> None:
    tally = Tally()
    tally.read({"password": "hunter22", "who": "me"}, Shape({}))
    tally.settle(b'{"password":"(hidden)"}')
    tally.concealed = 1

    (row,) = balance(tally, {})

    assert [(one.sort, one.count) for one in row.reasons] == [("left", 1), ("unexplained", 1)]


def test_losses_beyond_those_that_are_told_are_counted() -> None:
    told = Imported(path="p")
    for number in range(60):
        told.lose(f"loss {number}")
    told.lose("loss 3")
    told.lose("loss 59", times=4)

    assert (len(told.lost), told.lost[-1], told.again[FURTHER]) == (51, FURTHER, 13)
    assert len(told.lost) + sum(told.again.values()) == 65

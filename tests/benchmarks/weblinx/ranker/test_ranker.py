"""Training a ranker: what it learns from, what it learns, and what is told of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors import SafetensorError
from safetensors.numpy import save_file

from tests.benchmarks.weblinx.folders import write_demonstration
from tests.shared import need_shared
from webbench.benchmarks.weblinx.benchmark import create
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.candidates.ranking import ranking_named
from webbench.benchmarks.weblinx.paper import rankings
from webbench.benchmarks.weblinx.ranker import trained_ranker
from webbench.benchmarks.weblinx.ranker.labelled_elements import LabelledTurn, labelled_turns
from webbench.benchmarks.weblinx.ranker.recall import LEARNED, by_cosine, rank_of_used, recalls, scores_of
from webbench.benchmarks.weblinx.relevance import hashed_words, sentence_encoder
from webbench.benchmarks.weblinx.relevance.encoders import Recipe
from webbench.benchmarks.weblinx.relevance.hashed_words import HashedWords, features
from webbench.benchmarks.weblinx.relevance.opened_encoder import opened_encoder
from webbench.benchmarks.weblinx.relevance.sentence_encoder import require_safe
from webbench.core.analysis.printed.filled_table import Evidence
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.observation import DialogueTurn, Viewport

THINGS = ("lamp", "chair", "table", "mug", "tent", "book", "shoe", "hat", "bag", "pen", "cup", "bed")


def turn(name: str, wanted: int, splits: tuple[str, ...] = ("train",)) -> LabelledTurn:
    """Whoever asks for a thing uses the button called by a word that has nothing in common with it."""
    elements = [
        CandidateText(uid=str(at), tag="button", text=f"slot{at}", bbox=f"x={at} y=0 width=9 height=9")
        for at in range(len(THINGS))
    ]
    said = f"please fetch the {THINGS[wanted]}"
    return LabelledTurn(
        demonstration=name, turn=wanted, splits=splits, query=said, words=said, elements=elements, used=wanted
    )


def test_an_encoder_learns_what_words_alone_dont_tell_and_is_kept(tmp_path: Path) -> None:
    turns = [turn(f"demo{times}", wanted) for times in range(3) for wanted in range(len(THINGS))]
    unseen = turns[24:]
    encoder = HashedWords()
    before = [rank_of_used(one, by_cosine(encoder)(one) or ()) for one in unseen]
    losses: list[tuple[int, float]] = []
    training = trained_ranker.train(
        encoder,
        turns,
        Recipe(epochs=12, batch=16),
        lambda *told: losses.append(told),
        kept_back=("demo2",),
    )
    assert (training.turns, training.pairs) == (24, 240)
    assert training.demonstrations == ("demo0", "demo1")
    assert [epoch for epoch, _ in losses] == list(range(1, 13))
    assert training.losses[-1] < training.losses[0] / 2
    after = [rank_of_used(one, by_cosine(encoder)(one) or ()) for one in unseen]
    assert sum(after) < sum(before)
    assert sum(rank == 1 for rank in after) >= 10

    folder = tmp_path / "ranker"
    trained_ranker.save(encoder, training, folder)
    assert sorted(file.name for file in folder.iterdir()) == ["hashed.safetensors", "training.json"]
    assert trained_ranker.training_of(folder) == training
    again = opened_encoder(str(folder))
    texts = [unseen[0].query, "", "[[tag]] button"]
    assert np.array_equal(again.vectors(texts), encoder.vectors(texts))
    assert np.linalg.norm(again.vectors(texts), axis=1) == pytest.approx([1, 0, 1], abs=1e-5)

    dense = ranking_named("dense", str(folder))
    assert dense is not None
    state = StateText(Viewport(), (DialogueTurn(index=0, speaker="instructor", text="please fetch the mug"),))
    scores = dense.scores(state, unseen[0].elements)
    assert scores.index(max(scores)) == THINGS.index("mug")


def test_the_same_seed_gives_the_same_ranker() -> None:
    turns = [turn("demo", wanted) for wanted in range(4)]
    found = []
    for seed in (1, 1, 2):
        encoder = HashedWords()
        trained_ranker.train(encoder, turns, Recipe(epochs=1, seed=seed, negatives=3), lambda *_: None)
        found.append(encoder.matrix)
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_words_of_where_an_element_stands_are_not_those_of_what_it_says() -> None:
    text = CandidateText(
        uid="a", tag="a", xpath="/html/a", text="Go home", bbox="x=1 y=2 width=3 height=4", children="b"
    ).document
    assert list(features(text)) == ["tag:a", "xpath:html", "xpath:a", "go", "home", "children:b"]


def test_the_learning_rate_rises_and_falls_on_lines() -> None:
    recipe = Recipe()
    assert recipe.rate(0, 100_000, 1.0) == pytest.approx(1 / 500)
    assert recipe.rate(500, 100_000, 1.0) == 1.0
    assert recipe.rate(0, 20, 1.0) == 0.5
    assert recipe.rate(20, 20, 1.0) == 0.0


def test_recall_is_told_by_split_with_ties_against_it_and_the_mean_of_four_splits() -> None:
    vis, web = turn("a", 0, ("test_vis",)), turn("b", 11, ("test_web", "dev"))
    others = [turn(name, 0, (name,)) for name in ("test_geo", "test_cat")]
    places = [float(-at) for at in range(12)]
    found = {one.split: one for one in recalls("places", lambda _: places, [vis, web, *others])}
    assert [found[split].at_ten for split in ("test_vis", "test_web", "dev", "test_geo")] == [1, 0, 0, 1]
    assert found["test_web"].reciprocal == pytest.approx(1 / 12)
    assert (found["test_ood"].at_ten, found["test_ood"].turns) == (0.75, 4)
    (flat,) = recalls("flat", lambda _: [0.0] * 12, [vis])
    assert (flat.at_ten, flat.reciprocal) == (0, pytest.approx(1 / 12))
    (nothing,) = recalls("published", scores_of("published"), [vis])
    assert (nothing.turns, nothing.unranked, nothing.at_ten) == (0, 1, None)


def test_scores_that_are_no_finite_numbers_are_no_rank() -> None:
    for wrong in (float("nan"), float("inf")):
        scores = [0.0] * 11 + [wrong]
        with pytest.raises(BadData, match=r"mine: a, turn 11: an element's score is no finite number"):
            recalls("mine", lambda _, scores=scores: scores, [turn("a", 11)])
        with pytest.raises(BadData, match="no finite number"):
            rank_of_used(turn("a", 0), scores)


def test_a_training_that_diverges_keeps_nothing() -> None:
    turns = [turn("demo", wanted) for wanted in range(4)]
    with np.errstate(all="ignore"):
        with pytest.raises(BadData, match="diverged in epoch 1"):
            trained_ranker.train(
                HashedWords(), turns, Recipe(batch=8, learning_rate=float("inf")), lambda *_: None
            )
        with pytest.raises(BadData, match="diverged in its last step"):
            trained_ranker.train(
                HashedWords(),
                turns,
                Recipe(epochs=1, batch=512, learning_rate=float("inf")),
                lambda *_: None,
            )


def test_a_share_is_held_back_by_whole_demonstrations() -> None:
    names = [f"demo{number}" for number in range(10)]
    back = trained_ranker.held_back(names, 0.3, 1)
    assert len(back) == 3
    assert trained_ranker.held_back([*reversed(names)], 0.3, 1) == back
    assert trained_ranker.held_back(names, 0.0, 1) == ()
    assert len(trained_ranker.held_back(names[:2], 0.1, 1)) == 1
    assert trained_ranker.held_back(names[:1], 0.9, 1) == ()
    with pytest.raises(UsageError, match="no turn to learn from"):
        trained_ranker.train(HashedWords(), [turn("demo0", 0)], Recipe(), lambda *_: None, kept_back=names)


def test_a_recorded_page_gives_the_element_that_was_used(tmp_path: Path) -> None:
    write_demonstration(tmp_path / "lamps")
    found = labelled_turns(create(tmp_path), names=("lamps",))
    assert [(one.turn, one.elements[one.used].uid) for one in found.turns] == [
        (3, "field"),
        (5, "button"),
        (7, "menu"),
    ]
    assert "Find me a desk lamp" in found.turns[0].query
    assert sum(found.left_out.values()) == 5


def test_a_file_of_candidates_gives_turns_and_the_scores_that_came_with_it() -> None:
    found = labelled_turns(create(need_shared("data", "weblinx")), names=("aaabtsd",))
    assert sorted(one.turn for one in found.turns) == [7, 9, 12, 13, 17, 23, 26, 29, 32, 34]
    assert all(one.splits == ["test_geo"] for one in found.turns)
    (recall,) = recalls("published", scores_of("published"), found.turns)
    assert (recall.turns, recall.at_ten) == (10, 0.6)


def test_a_folder_is_never_overwritten_unasked_nor_one_that_is_no_ranker(tmp_path: Path) -> None:
    encoder = HashedWords()
    training = trained_ranker.train(encoder, [turn("demo", 0)], Recipe(epochs=1), lambda *_: None)
    trained_ranker.save(encoder, training, tmp_path / "ranker")
    with pytest.raises(UsageError, match="holds a ranker"):
        trained_ranker.save(encoder, training, tmp_path / "ranker")
    trained_ranker.save(encoder, training, tmp_path / "ranker", force=True)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.tex").write_text("years")
    with pytest.raises(UsageError, match="no ranker"):
        trained_ranker.save(encoder, training, tmp_path / "work", force=True)
    assert (tmp_path / "work" / "thesis.tex").read_text() == "years"

    note = tmp_path / "ranker" / "notes.txt"
    note.write_text("the one of the thesis")
    with pytest.raises(UsageError, match=r"holds notes\.txt, which would be lost"):
        trained_ranker.try_to_save(encoder, tmp_path / "ranker", force=True)
    with pytest.raises(UsageError, match=r"holds notes\.txt, which would be lost"):
        trained_ranker.save(encoder, training, tmp_path / "ranker", force=True)
    assert note.read_text() == "the one of the thesis"
    note.unlink()
    trained_ranker.try_to_save(encoder, tmp_path / "ranker", force=True)
    trained_ranker.try_to_save(encoder, tmp_path / "new")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["ranker", "work"]
    (tmp_path / "link").symlink_to(tmp_path / "ranker")
    trained_ranker.save(encoder, training, tmp_path / "link", force=True)
    assert trained_ranker.training_of(tmp_path / "link") == training


class Unwritable(HashedWords):
    """Its file can't be written."""

    def save(self, folder: Path) -> None:
        (folder / hashed_words.WEIGHTS).mkdir()
        super().save(folder)


def test_a_ranker_that_cant_be_written_leaves_the_one_that_was_there(tmp_path: Path) -> None:
    training = trained_ranker.train(HashedWords(), [turn("demo", 0)], Recipe(epochs=1), lambda *_: None)
    folder = tmp_path / "ranker"
    trained_ranker.save(HashedWords(), training, folder)
    with pytest.raises(EnvironmentDown):
        trained_ranker.try_to_save(Unwritable(), folder, force=True)
    with pytest.raises(EnvironmentDown):
        trained_ranker.save(Unwritable(), training, folder, force=True)
    assert trained_ranker.training_of(folder) == training
    assert isinstance(opened_encoder(str(folder)), HashedWords)
    (tmp_path / "file").write_text("")
    with pytest.raises((EnvironmentDown, UsageError)):
        trained_ranker.try_to_save(HashedWords(), tmp_path / "file" / "ranker")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "ranker"]


def test_damaged_and_unsafe_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / hashed_words.WEIGHTS).write_bytes(b"\xff" * 40)
    with pytest.raises(BadData, match="can't be read"):
        opened_encoder(str(tmp_path))
    save_file({"matrix": np.zeros((2, 2), dtype=np.float32)}, tmp_path / hashed_words.WEIGHTS)
    with pytest.raises(BadData, match="no matrix of"):
        opened_encoder(str(tmp_path))
    matrix = np.zeros((hashed_words.ROWS, hashed_words.WIDTH), dtype=np.float32)
    matrix[7, 7] = np.nan
    save_file({"matrix": matrix}, tmp_path / hashed_words.WEIGHTS)
    with pytest.raises(BadData, match="is not finite"):
        opened_encoder(str(tmp_path))

    model = tmp_path / "model"
    model.mkdir()
    with pytest.raises(BadData, match=r"modules\.json is missing"):
        opened_encoder(str(model))
    modules = model / "modules.json"
    modules.write_text(json.dumps([{"type": "sentence_transformers.models.Transformer"}]))
    require_safe(model)
    modules.write_text(json.dumps([{"type": "os.path"}]))
    with pytest.raises(BadData, match="no part of sentence-transformers"):
        require_safe(model)
    modules.write_text("[]")
    (model / "2_Dense").symlink_to(tmp_path)
    with pytest.raises(BadData, match="2_Dense: a link to a folder"):
        require_safe(model)
    (model / "2_Dense").unlink()
    (model / "pytorch_model.bin").write_bytes(b"\x80")
    with pytest.raises(BadData, match="pickled weights"):
        require_safe(model)


def test_only_so_many_files_of_a_model_are_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_encoder, "MOST_FILES", 3)
    for name in ("modules.json", "a", "b"):
        (tmp_path / name).write_text("[]")
    require_safe(tmp_path)
    (tmp_path / "c").write_text("")
    with pytest.raises(BadData, match="more than the 3 files"):
        require_safe(tmp_path)
    with pytest.raises(BadData, match=r"modules\.json is missing"):
        require_safe(Path("/"))


@pytest.mark.parametrize(
    "kind", [ImportError, AttributeError, TypeError, OSError, SafetensorError, Exception]
)
def test_whatever_a_damaged_model_raises_is_told(
    kind: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library is no dependency, so that it is stood in for."""

    def load(*_: object, **__: object) -> object:
        raise kind("header too small")

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=load))
    (tmp_path / "modules.json").write_text("[]")
    with pytest.raises(BadData, match=rf"can't be loaded: {kind.__name__}: header too small"):
        opened_encoder(str(tmp_path))


def test_a_model_of_the_cache_is_checked_as_a_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries are no dependencies, so that they are stood in for."""
    opened: list[str] = []
    asked: list[str] = []

    def load(where: str, **_: object) -> object:
        opened.append(where)
        return object()

    def look(name: str, file: str, cache_dir: str | None) -> str | None:
        asked.append(name)
        if " " in name:
            raise ValueError("no name of a model")
        return str(tmp_path / file) if name == "sentence-transformers/small" else None

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=load))
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(try_to_load_from_cache=look))
    modules = tmp_path / "modules.json"
    modules.write_text(json.dumps([{"type": "sentence_transformers.models.Transformer"}]))
    assert opened_encoder("small").name == "small"
    assert opened == [str(tmp_path)]
    assert asked == ["small", "sentence-transformers/small"]
    modules.write_text(json.dumps([{"type": "os.path"}]))
    with pytest.raises(BadData, match="no part of sentence-transformers"):
        opened_encoder("small")
    monkeypatch.chdir(tmp_path)
    hashed = tmp_path / "another"
    hashed.mkdir()
    HashedWords().save(hashed)
    assert isinstance(opened_encoder("./another"), HashedWords)
    for unknown in ("another", "not a name"):
        with pytest.raises(UsageError, match="there is no encoder"):
            opened_encoder(unknown)


def test_table_13_leaves_out_what_the_ranker_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, folder = tmp_path / "data", tmp_path / "ranker"
    for name in ("lamps", "chairs"):
        write_demonstration(data / "demonstrations" / name)
    (data / "splits.json").write_text(json.dumps({"test_web": ["lamps", "chairs"]}))
    encoder = HashedWords()
    turns = labelled_turns(create(data), names=("lamps",)).turns
    trained_ranker.save(
        encoder, trained_ranker.train(encoder, turns, Recipe(epochs=1), lambda *_: None), folder
    )
    monkeypatch.setenv("WEBBENCH_RANKING", "dense")
    monkeypatch.setenv("WEBBENCH_RANKER", str(folder))
    filled = rankings(Evidence(data=data))
    assert filled.left_out[LEARNED] == 3
    assert [row.labels for row in filled.rows] == [("bm25",), ("ranker",)]
    assert {value.n for row in filled.rows for value in row.values if value is not None} == {3}

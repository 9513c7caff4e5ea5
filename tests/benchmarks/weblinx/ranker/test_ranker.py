"""Training a ranker: what it learns from, what it learns, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from tests.benchmarks.weblinx.folders import write_demonstration
from tests.shared import need_shared
from webbench.benchmarks.weblinx.benchmark import create
from webbench.benchmarks.weblinx.candidates.encoder_text import CandidateText, StateText
from webbench.benchmarks.weblinx.candidates.ranking import ranking_named
from webbench.benchmarks.weblinx.ranker import hashed_words, trained_ranker
from webbench.benchmarks.weblinx.ranker.encoders import Recipe
from webbench.benchmarks.weblinx.ranker.hashed_words import HashedWords, features
from webbench.benchmarks.weblinx.ranker.labelled_elements import LabelledTurn, labelled_turns
from webbench.benchmarks.weblinx.ranker.opened_encoder import opened_encoder
from webbench.benchmarks.weblinx.ranker.recall import by_cosine, rank_of_used, recalls, scores_of
from webbench.benchmarks.weblinx.ranker.sentence_encoder import require_safe
from webbench.core.errors import BadData, UsageError
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


def test_damaged_and_unsafe_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / hashed_words.WEIGHTS).write_bytes(b"\xff" * 40)
    with pytest.raises(BadData, match="can't be read"):
        opened_encoder(str(tmp_path))
    save_file({"matrix": np.zeros((2, 2), dtype=np.float32)}, tmp_path / hashed_words.WEIGHTS)
    with pytest.raises(BadData, match="no matrix of"):
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
    (model / "pytorch_model.bin").write_bytes(b"\x80")
    with pytest.raises(BadData, match="pickled weights"):
        require_safe(model)

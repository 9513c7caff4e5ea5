"""`weblinx train-ranker` and `weblinx rank`: train what ranks elements, and measure it (table 13)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from webbench.core.errors import UsageError
from webbench.core.text.no_value import NO_VALUE, or_dash
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, Data, Force, finite
from webbench.tui.cli.output import print_json, print_line, print_table, say

if TYPE_CHECKING:
    from webbench.benchmarks.weblinx.ranker.labelled_elements import Labelled, LabelledTurn
    from webbench.benchmarks.weblinx.ranker.recall import Recall
    from webbench.benchmarks.weblinx.ranker.trained_ranker import Training

SCHEMA_VERSION = 1
HELD_BACK = "held back"

OnlyDemonstrations = Annotated[
    list[str] | None, typer.Option("--task", help="Only this demonstration; may be repeated.")
]


def weblinx_train_ranker_command(
    out: Annotated[Path, typer.Option("--out", help="Folder of the trained ranker.")],
    encoder: Annotated[
        str,
        typer.Option(
            help="What is trained: minilm (extra `ranking`), hashed (words, needs nothing), a folder or a "
            "name in the cache of sentence-transformers."
        ),
    ] = "minilm",
    split: Annotated[str, typer.Option(help="Demonstrations to learn from; all: of any split.")] = "train",
    task: OnlyDemonstrations = None,
    hold_back: Annotated[
        float,
        typer.Option(
            min=0, max=0.9, help="Share of the demonstrations that it never sees, to be measured on."
        ),
    ] = 0.0,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="Times that all pairs are gone through.")] = 10,
    batch: Annotated[int, typer.Option(min=1, max=4096, help="Pairs of state and element at a time.")] = 64,
    negatives: Annotated[
        int, typer.Option(min=1, max=1000, help="Elements of each turn that were not used, at most.")
    ] = 9,
    learning_rate: Annotated[
        float,
        typer.Option(min=0, callback=finite, help="0: 0.00003, as in the paper's code; 0.01 for hashed."),
    ] = 0.0,
    warm_up: Annotated[int, typer.Option(min=0, help="Steps of it; a tenth of all steps at most.")] = 500,
    longest: Annotated[
        int, typer.Option(min=16, max=8192, help="Tokens of a text, for a transformer.")
    ] = 512,
    seed: Annotated[int, typer.Option(help="Of the elements drawn, their order, what is held back.")] = 123,
    force: Force = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Train a dual encoder that ranks a page's elements, as in WebLINX' appendix B.4.

    The cosine of state and element is brought to 1 for the element that was used and to 0 for others of the
    same page. The folder has weights (safetensors) and how they came about; the setting `ranker` takes it.
    With --hold-back, recall@10 on what was held back follows, before and after, with BM25 beside.
    """
    from webbench.benchmarks.weblinx.ranker import trained_ranker
    from webbench.benchmarks.weblinx.ranker.recall import BM25, PUBLISHED, by_cosine, recalls, scores_of
    from webbench.benchmarks.weblinx.relevance.encoders import Recipe
    from webbench.benchmarks.weblinx.relevance.opened_encoder import opened_encoder

    out, encoder = out.expanduser(), _folder_or_name(encoder)
    recipe = Recipe(
        epochs=epochs,
        batch=batch,
        negatives=negatives,
        learning_rate=learning_rate or None,
        warm_up=warm_up,
        longest=longest,
        seed=seed,
    )
    opened = opened_encoder(encoder)
    trained_ranker.try_to_save(opened, out, force=force)
    found = _labelled(data, "" if split == "all" else split, task or ())
    earlier = trained_ranker.learned_from(encoder)
    unknown = [turn.demonstration for turn in found.turns if turn.demonstration not in earlier]
    kept_back = trained_ranker.held_back(unknown, hold_back, seed)
    unseen = _as_held_back(found.turns, kept_back)
    measured: list[Recall] = []
    for name in (BM25, PUBLISHED) if unseen else ():
        measured += recalls(name, scores_of(name), unseen)
    if unseen:
        measured += recalls(f"{opened.name}, untrained", by_cosine(opened), unseen)
    training = trained_ranker.train(
        opened,
        found.turns,
        recipe,
        lambda epoch, loss: say(f"epoch {epoch} of {epochs}: mean squared error {loss:.4f}"),
        split=split,
        kept_back=kept_back,
        earlier=earlier,
    )
    trained_ranker.save(opened, training, out, force=force)
    if unseen:
        measured += recalls(f"{opened.name}, trained", by_cosine(opened), unseen)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "folder": str(out),
                "training": training,
                "left_out": found.left_out,
                "unread": found.unread,
                "recall": measured,
            }
        )
        return
    _print_trained(out, training, measured)
    _say_left_out(found)


def weblinx_rank_command(
    rankings: Annotated[
        list[str] | None,
        typer.Argument(
            help="bm25, published (scores that came with the data), minilm, hashed, or the folder of a "
            "trained ranker; bm25 and published if not given."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Only demonstrations of this split.")] = "",
    task: OnlyDemonstrations = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Measure rankings of a page's elements: recall@10, mean reciprocal rank, milliseconds a turn, by split.

    Demonstrations that one of the rankers was trained on are left out for all of them, and counted. Exit 1
    where there is no turn to measure.
    """
    from webbench.benchmarks.weblinx.ranker.recall import BM25, PUBLISHED, recalls, scores_of, unlearned

    asked = [_folder_or_name(word) for word in rankings or (BM25, PUBLISHED)]
    scores = {name: scores_of(name) for name in dict.fromkeys(asked)}
    found = unlearned(_labelled(data, split, task or ()), asked)
    measured = [one for name, scored in scores.items() for one in recalls(name, scored, found.turns)]
    if as_json:
        left_out = {"left_out": found.left_out, "unread": found.unread}
        print_json({"schema_version": SCHEMA_VERSION, "recall": measured, **left_out})
    else:
        _print_recalls(measured)
        _say_left_out(found)
    raise typer.Exit(0 if found.turns else 1)


def _folder_or_name(word: str) -> str:
    """A word of the command line: a folder from here, as for any program, or a name."""
    from webbench.benchmarks.weblinx.ranker.recall import BM25, PUBLISHED
    from webbench.benchmarks.weblinx.relevance.encoders import HASHED, MINILM

    names = (HASHED, MINILM, BM25, PUBLISHED)
    return str(Path(word).absolute()) if word not in names and Path(word).is_dir() else word


def _labelled(data: Path | None, split: str, names: Sequence[str]) -> Labelled:
    """Raises `UsageError` for a split or a demonstration that is not there."""
    from webbench.benchmarks.weblinx.benchmark import create
    from webbench.benchmarks.weblinx.ranker.labelled_elements import labelled_turns

    benchmark = create(data)
    if split and split not in benchmark.splits():
        there = ", ".join(benchmark.splits())
        hint = f"there are {there}; all means any" if there else benchmark.status().detail
        raise UsageError(f"no demonstration at hand is of the split {split}", hint)
    return labelled_turns(benchmark, split, names)


def _as_held_back(turns: Sequence[LabelledTurn], kept_back: Sequence[str]) -> list[LabelledTurn]:
    return [
        msgspec.structs.replace(turn, splits=(HELD_BACK,))
        for turn in turns
        if turn.demonstration in kept_back
    ]


def _print_trained(out: Path, training: Training, measured: Sequence[Recall]) -> None:
    print_line(
        f"{out}: {training.encoder} on {counted(training.turns, 'turn')} of "
        f"{counted(len(training.demonstrations), 'demonstration')} ({counted(training.pairs, 'pair')}), "
        f"mean squared error {training.losses[0]:.4f} → {training.losses[-1]:.4f}"
    )
    if training.earlier:
        many = counted(len(training.earlier), "demonstration")
        print_line(f"it began with a ranker that had learned from {many}")
    if measured:
        print_line(f"held back: {counted(len(training.held_back), 'demonstration')}")
        _print_recalls(measured)


def _print_recalls(measured: Sequence[Recall]) -> None:
    rows = [
        (
            one.ranking,
            one.split,
            str(one.turns),
            str(one.unranked),
            NO_VALUE if one.at_ten is None else f"{100 * one.at_ten:.1f}",
            or_dash(one.reciprocal),
            or_dash(one.milliseconds, ".1f"),
        )
        for one in measured
    ]
    headers = ("ranking", "split", "turns", "unranked", "recall@10, %", "MRR", "ms a turn")
    print_table(headers, rows, numbers=(2, 3, 4, 5, 6), flexible=(0,))
    if any(one.unranked for one in measured):
        say("unranked: turns of the split that the ranking knows nothing of")
    if measured:
        say("turns of one demonstration are not independent, and times are this machine's")


def _say_left_out(found: Labelled) -> None:
    for reason, many in found.left_out.items():
        if many:
            say(f"left out: {counted(many, 'turn')}: {reason}")
    for name, why in found.unread.items():
        say(f"left out: demonstration {name}: {why}")

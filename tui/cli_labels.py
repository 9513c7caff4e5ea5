"""`label`: giving labels, agreement, disputed scores. Thin: parse, call, exit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from webbench.tui.cli_options import AsJson, ResamplingSeed, StorePath

Annotator = Annotated[
    str, typer.Option("--as", help="Who labels: a pseudonym; the setting `annotator` if not given.")
]
TaxonomyName = Annotated[
    str,
    typer.Option("--taxonomy", help="Which codes; the benchmark's own if not given, else the merged one."),
]
Runs = Annotated[list[str] | None, typer.Argument(help="Runs or episodes; all of the store if not given.")]
Everything = Annotated[
    bool, typer.Option("--all", help="Also what is still hidden: for analysis, not for annotators.")
]


class _GivingByDefault(TyperGroup):
    """`label EPISODE …` is `label give EPISODE …`: no episode is called like a command."""

    default = "give"

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


label_commands = typer.Typer(
    cls=_GivingByDefault,
    no_args_is_help=False,
    rich_markup_mode=None,
    help="Label episodes and steps by a taxonomy of errors, measure agreement, dispute scores. "
    "`label EPISODE --as NAME` opens the labelling screen; with --code it labels at once.",
)


@label_commands.command()
def give(
    episodes: Annotated[
        list[str] | None,
        typer.Argument(help="Episodes or runs (the newest run if not given); with --code or --done one."),
    ] = None,
    annotator: Annotator = "",
    taxonomy: TaxonomyName = "",
    code: Annotated[
        str, typer.Option("--code", help="Code, or question.code; `label taxonomies` lists them.")
    ] = "",
    step: Annotated[int | None, typer.Option("--step", help="Label this step, not the episode.")] = None,
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
    evidence: Annotated[int | None, typer.Option("--evidence", help="The step that shows it.")] = None,
    confidence: Annotated[int | None, typer.Option("--confidence", help="1, a guess, to 5, certain.")] = None,
    done: Annotated[
        bool, typer.Option("--done", help="Be done with the episode: others' labels show.")
    ] = False,
    reopen: Annotated[bool, typer.Option("--reopen", help="Label the episode again.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the label of --code back.")] = False,
    blind: Annotated[
        bool, typer.Option("--blind", help="On the screen: hide scores, and suggestions that rest on them.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Label an episode or a step; without --code, --done or --reopen on the screen.

    A later label of the same place and question supersedes the earlier one; both stay on disk. Labels of
    others are hidden until both are done with the episode.
    """
    if not (code or done or reopen):
        from webbench.tui.headless.screens import open_labelling

        open_labelling(episodes or [], annotator=annotator, taxonomy=taxonomy, blind=blind, store=store)
        return
    from webbench.tui.headless.labelling import LabelRequest, label_episode

    request = LabelRequest(
        episodes=tuple(episodes or ()),
        annotator=annotator,
        taxonomy=taxonomy,
        code=code,
        step=step,
        note=note,
        evidence=evidence,
        confidence=confidence,
        done=done,
        reopen=reopen,
        withdraw=withdraw,
        store=store,
    )
    raise typer.Exit(label_episode(request, as_json=as_json))


@label_commands.command(name="list")
def list_command(
    runs: Runs = None,
    annotator: Annotator = "",
    taxonomy: TaxonomyName = "",
    everything: Everything = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Labels that may be shown: one's own, and others' where both are done. Exit 4 for damaged lines."""
    from webbench.tui.headless.labelling import list_labels

    code = list_labels(
        runs or [],
        annotator=annotator,
        taxonomy=taxonomy,
        everything=everything,
        store=store,
        as_json=as_json,
    )
    raise typer.Exit(code)


@label_commands.command()
def agreement(
    runs: Runs = None,
    taxonomy: TaxonomyName = "",
    between: Annotated[
        list[str] | None, typer.Option("--between", help="Compare only these annotators; repeatable.")
    ] = None,
    seed: ResamplingSeed = 0,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Percent, Cohen's kappa and Krippendorff's alpha per code, each with a 95 % interval.

    Only episodes that two annotators or more are done with count. Exit 1 where there are none.
    """
    from webbench.tui.headless.label_figures import print_agreement

    code = print_agreement(
        runs or [], taxonomy=taxonomy, between=between or [], seed=seed, store=store, as_json=as_json
    )
    raise typer.Exit(code)


@label_commands.command()
def export(
    runs: Runs = None,
    annotator: Annotator = "",
    taxonomy: TaxonomyName = "",
    disputes: Annotated[
        bool, typer.Option("--disputes", help="The queue of disputed scores instead.")
    ] = False,
    everything: Everything = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV in place of JSON lines.")] = False,
    output: Annotated[Path | None, typer.Option("--output", help="Write into this file.")] = None,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Labels, or disputed scores, as JSON lines, CSV, or one JSON document."""
    from webbench.tui.headless.label_export import ExportRequest, export_labels

    request = ExportRequest(
        runs=tuple(runs or ()),
        annotator=annotator,
        taxonomy=taxonomy,
        disputes=disputes,
        everything=everything,
        as_csv=as_csv,
        output=output,
        store=store,
    )
    raise typer.Exit(export_labels(request, as_json=as_json))


@label_commands.command()
def taxonomies(
    name: Annotated[str, typer.Argument(help="One taxonomy, with its codes; all if not given.")] = "",
    as_json: AsJson = False,
) -> None:
    """The taxonomies there are, or one with definitions. Exit 4 where a file can't be used."""
    from webbench.tui.headless.label_figures import print_taxonomies

    raise typer.Exit(print_taxonomies(name, as_json=as_json))


@label_commands.command()
def suggest(
    episodes: Annotated[list[str], typer.Argument(help="Episodes or runs.")],
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave out what rests on the score or the reference answer.")
    ] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """What may have gone wrong, with the step that shows it: guesses of a program, no labels.

    Exit 4 where an episode could not be read.
    """
    from webbench.tui.headless.suggesting import print_suggestions

    raise typer.Exit(print_suggestions(episodes, blind=blind, store=store, as_json=as_json))


@label_commands.command()
def settle(
    episode: Annotated[str, typer.Argument(help="An episode that annotators differ on.")],
    annotator: Annotator = "",
    taxonomy: TaxonomyName = "",
    code: Annotated[
        str,
        typer.Option("--code", help="What it shall be, - for no label; without it the cases are listed."),
    ] = "",
    step: Annotated[int | None, typer.Option("--step", help="Of this step, not the episode.")] = None,
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Decide between labels: kept as an adjudicated label, the originals stay."""
    from webbench.tui.headless.labelling import LabelRequest, settle_labels

    request = LabelRequest(
        episodes=(episode,),
        annotator=annotator,
        taxonomy=taxonomy,
        code=code,
        step=step,
        note=note,
        store=store,
    )
    raise typer.Exit(settle_labels(request, as_json=as_json))


@label_commands.command()
def dispute(
    episode: Annotated[str, typer.Argument(help="An episode whose score is wrong.")],
    annotator: Annotator = "",
    score: Annotated[float | None, typer.Option("--score", help="What it should be, 0 to 1.")] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why the verdict is wrong.")] = "",
    step: Annotated[int | None, typer.Option("--step", help="The step that shows it.")] = None,
    quote: Annotated[str, typer.Option("--quote", help="What is to be read there.")] = "",
    check: Annotated[str, typer.Option("--check", help="Target of the check that is wrong.")] = "",
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take one's dispute back.")] = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Flag an evaluator's verdict as wrong; both numbers are shown from then on, none is replaced."""
    from webbench.tui.headless.disputing import DisputeRequest, dispute_score

    request = DisputeRequest(
        episode=episode,
        annotator=annotator,
        score=score,
        reason=reason,
        step=step,
        quote=quote,
        check=check,
        withdraw=withdraw,
        store=store,
    )
    raise typer.Exit(dispute_score(request, as_json=as_json))


@label_commands.command()
def disputes(runs: Runs = None, store: StorePath = None, as_json: AsJson = False) -> None:
    """The queue of disputed scores, those nobody ruled on first."""
    from webbench.tui.headless.disputing import list_disputes

    raise typer.Exit(list_disputes(runs or [], store=store, as_json=as_json))


@label_commands.command()
def rule(
    episode: Annotated[str, typer.Argument(help="An episode with a disputed score.")],
    verdict: Annotated[str, typer.Argument(help="accepted, rejected, or open again.")],
    annotator: Annotator = "",
    disputed_by: Annotated[
        str, typer.Option("--disputed-by", help="Whose dispute, where there are several.")
    ] = "",
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Say what becomes of a dispute."""
    from webbench.tui.headless.disputing import RulingRequest, rule_on

    request = RulingRequest(
        episode=episode, verdict=verdict, annotator=annotator, disputed_by=disputed_by, note=note, store=store
    )
    raise typer.Exit(rule_on(request, as_json=as_json))

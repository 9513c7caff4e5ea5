"""`judge verdicts` and `judge confirm`: what judges said, and a person's answer to it."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.people.labelling.worksheet import LabellingOrder, Worksheet
from webbench.core.runner.plan.declared_options import Option
from webbench.core.text.plural import counted
from webbench.tui.cli.judges.ask import HEADERS, verdict_row
from webbench.tui.cli.options import Annotator, AsJson, EpisodeName, LabelledRuns, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.people.label import chosen_episodes, told_codebook
from webbench.tui.cli.place import chosen_annotator, find_episode, open_store

SCHEMA_VERSION = 1


class ConfirmRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `judge confirm` asks for."""

    episode: EpisodeName
    taxonomy: Annotated[str, Option(help="The taxonomy whose question was put to judges.")]
    question: Annotated[str, Option(help="Which of its questions, where judges answered several.")] = ""
    annotator: Annotator = ""
    reject: Annotated[bool, Option(help="Give the other one of two answers.")] = False
    store: StorePath = None


@asking(ConfirmRequest)
def judge_confirm_command(request: ConfirmRequest, as_json: AsJson = False) -> None:
    """Give a judge's verdict on an episode as your own label, or with --reject the other answer.

    The label keeps the judge's name: it was not given unseen. Where the taxonomy asks nothing else of an
    episode, you are done with it. Exit 2 where no judge answered, or judges differ.
    """
    store = open_store(request.store)
    folder = find_episode(store, request.episode)
    place = (folder.parent.name, folder.name)
    order = LabellingOrder(
        places=(place,), annotator=chosen_annotator(request.annotator), taxonomy=request.taxonomy
    )
    worksheet = Worksheet(store, told_codebook(store), order)
    judged = worksheet.sheet().verdicts
    answered_first = sorted(judged, key=lambda one: not one.code)
    question = request.question or next((one.question for one in answered_first), "")
    if request.reject:
        worksheet.reject(question)
    else:
        worksheet.confirm(question)
    label = worksheet.sheet().label(None, question)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "label": label})
    elif label is not None:
        print_text(
            f"{label.taxonomy} {label.question}.{label.code} given to the episode by {label.annotator}"
        )


def judge_verdicts_command(
    runs: LabelledRuns = (),
    taxonomy: Annotated[str, Option(help="Only verdicts by this taxonomy.")] = "",
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Verdicts of judges with the steps that they cite.

    Refused citations and episodes without a verdict are told with the reason. Exit 4 for damaged lines.
    """
    opened = open_store(store)
    kept = kept_verdicts(opened)
    places = set(chosen_episodes(opened, runs)) if runs else None
    found = [
        one
        for one in sorted(kept.verdicts, key=lambda one: one.place)
        if taxonomy in ("", one.taxonomy) and (places is None or one.place in places)
    ]
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "verdicts": found})
    elif not found:
        say("There are no verdicts yet: `webbench-tui judge ask RUN` asks for some")
    else:
        for asked in dict.fromkeys((one.taxonomy, one.question, one.rater) for one in found):
            own = [one for one in found if (one.taxonomy, one.question, one.rater) == asked]
            print_text(f"{asked[0]}.{asked[1]} by {asked[2]}: {counted(len(own), 'episode')}")
            print_table(HEADERS, [verdict_row(one) for one in own], numbers=(2,), flexible=(0, 3, 4))
    for problem in kept.problems:
        say(problem)
    raise typer.Exit(4 if kept.problems else 0)

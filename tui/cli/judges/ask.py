"""`judge ask`: a question put to judges about many episodes, each verdict with the steps it cites."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
import typer

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.search import Match
from webbench.core.analysis.rubrics.asking_judges import (
    Estimate,
    Outcome,
    RubricSearch,
    advice,
    estimate_text,
)
from webbench.core.analysis.rubrics.judged_once import no_price
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode
from webbench.core.analysis.rubrics.rubric import PROMPT, rubric_of, taxonomy_of_words
from webbench.core.analysis.rubrics.transcript import TOKENS
from webbench.core.errors import BadData, UsageError
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.written_taxonomy import write_taxonomy
from webbench.core.runner.plan.declared_options import Option
from webbench.core.scoring.judges.judge_choice import CONFIGURED, NONE, choose_judge
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import taxonomies_folder
from webbench.core.settings.settings import Settings
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.options import AsJson, LabelledRuns, StorePath, asking
from webbench.tui.cli.output import print_json, print_table, print_text, say
from webbench.tui.cli.people.label import places_to_label, told_codebook
from webbench.tui.cli.place import open_store
from webbench.tui.terminal import at_terminal

SCHEMA_VERSION = 1
HEADERS = ("episode", "verdict", "step", "cites", "reason")
MATCHES = ("episode", "step", "where", "text")

TranscriptTokens = Annotated[int, Option(help="What a transcript may have, in tokens.", least=200)]
MaxCost = Annotated[float | None, Option(help="US dollars that this call may spend.", least=0)]
DryRun = Annotated[bool, Option(help="Tell what it would take, and ask nothing.")]
Yes = Annotated[bool, Option(help="Begin without being asked whether to.")]


class AskRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `judge ask` asks for."""

    runs: LabelledRuns = ()
    question: Annotated[
        str, Option(help="A question in words, answered by yes or no; it is kept as a taxonomy.")
    ] = ""
    name: Annotated[str, Option(help="What that taxonomy is called; made of the words if not given.")] = ""
    means: Annotated[
        tuple[str, ...], Option(help="A yes means this code of the merged taxonomy; may be repeated.")
    ] = ()
    taxonomy: Annotated[
        str, Option(help="In place of words: a taxonomy, or taxonomy.question, that is there already.")
    ] = ""
    judges: Annotated[
        tuple[str, ...],
        Option(flag="--judge", help="A model with options, 'gpt-x url=ADDRESS'; none; may be repeated."),
    ] = ()
    prompts: Annotated[
        tuple[str, ...], Option(flag="--prompt", help="Wording to ask with: episode, doubt; may be repeated.")
    ] = ()
    failed: Annotated[bool, Option(help="Only episodes that were scored below 1.")] = False
    tokens: TranscriptTokens = TOKENS
    max_cost: MaxCost = None
    dry_run: DryRun = False
    yes: Yes = False
    store: StorePath = None


@asking(AskRequest)
def judge_ask_command(request: AskRequest, as_json: AsJson = False) -> None:
    """Put a question to judges about every episode; each verdict cites steps of it.

    Tells the number of calls and their cost, and asks whether to begin. A citation of a step that isn't
    there, or of words that it doesn't say, is refused and told; a verdict that finds something without one
    that holds is none. Verdicts are kept as they come, so a call that was killed goes on where it stopped.
    Without a model the words are looked for as text. Exit 1 where an episode has no verdict, 4 where one
    could not be read.
    """
    raise typer.Exit(ask_judges(request, as_json=as_json))


def ask_judges(request: AskRequest, *, as_json: bool) -> int:
    """Ask, or look for the text: 0, 1 where a verdict is missing, 4 where an episode can't be read.

    Raises:
        UsageError: no question, an unknown taxonomy, prompt or judge; nobody there to say yes.
        StoreUnwritable: a verdict could not be kept.
    """
    store, settings = open_store(request.store), load_settings()
    tokens = request.tokens
    places = _places(store, request)
    specs = model_specs(request.judges, settings)
    if not specs:
        return _look_for_text(store, request, places, as_json=as_json)
    codebook = told_codebook(store)
    taxonomy, question = _asked(request, codebook)
    searches = [
        RubricSearch(
            store, rubric_of(taxonomy, question, prompt), model_judge(spec, settings), places, tokens
        )
        for spec in specs
        for prompt in request.prompts or (PROMPT,)
    ]
    estimates = [search.estimate() for search in searches]
    for search, estimate in zip(searches, estimates, strict=True):
        say(f"{search.judge.name}, prompt {search.rubric.prompt}: {estimate_text(estimate)}")
    if request.dry_run:
        if as_json:
            plans = [_plan(search, one) for search, one in zip(searches, estimates, strict=True)]
            print_json({"schema_version": SCHEMA_VERSION, "plans": plans})
        return 0
    require_consent(estimates, request.max_cost, yes=request.yes)
    if taxonomy.name not in codebook.taxonomies:
        path = write_taxonomy(taxonomy, taxonomies_folder())
        say(f"The question is kept as the taxonomy {taxonomy.name} in {path}")
    outcomes = asyncio.run(_ask_all(searches, request.max_cost))
    return _report(searches, outcomes, as_json=as_json)


def _places(store: Store, request: AskRequest) -> tuple[tuple[str, str], ...]:
    places = places_to_label(store, request.runs)
    if not request.failed:
        return places
    failed = {(one.run, one.episode) for one in store.episodes() if one.value is not None and one.value < 1}
    found = tuple(place for place in places if place in failed)
    if not found:
        raise UsageError("None of these episodes was scored below 1", "leave --failed out")
    return found


def model_specs(named: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    """The models to ask; none where nobody names one, and none is set."""
    specs = named or ((CONFIGURED,) if settings.judge.model else (NONE,))
    if NONE in specs and len(specs) > 1:
        raise UsageError("No judge and a judge can't be asked together", "leave --judge none out")
    return () if NONE in specs else specs


def model_judge(spec: str, settings: Settings) -> ModelJudge:
    judge = choose_judge(spec, settings.judge, prices=settings.prices)
    if not isinstance(judge, ModelJudge):
        raise UsageError(
            f'The judge "{spec}" is no model', "people judge on the screen: `webbench-tui label`"
        )
    return judge


def _asked(request: AskRequest, codebook: Codebook) -> tuple[Taxonomy, str]:
    """The taxonomy, and which question of it."""
    if bool(request.question) == bool(request.taxonomy):
        raise UsageError(
            "There is no question" if not request.question else "There are two questions",
            "give --question in words, or --taxonomy NAME that is there already",
        )
    if request.taxonomy:
        if request.taxonomy in codebook.taxonomies:
            return codebook.taxonomies[request.taxonomy], ""
        name, _, question = request.taxonomy.partition(".")
        return codebook.taxonomy(name), question
    made = taxonomy_of_words(request.question, request.name, request.means)
    known = codebook.taxonomies.get(made.name)
    if known is not None and known.questions != made.questions:
        raise UsageError(
            f'The taxonomy "{made.name}" asks something else', "give the question another name with --name"
        )
    return known or made, ""


def require_consent(estimates: Sequence[Estimate], most_cost: float | None, *, yes: bool) -> None:
    """Raises `UsageError` where it would cost too much, or nobody knows how much, or nobody says yes."""
    costs = [one.cost for one in estimates if one.calls]
    cost = None if None in costs else sum(filter(None, costs))
    if most_cost is not None and cost is None:
        raise no_price()
    if most_cost is not None and cost is not None and cost > most_cost:
        raise UsageError(
            f"It may cost up to ${cost:.4f}, more than ${most_cost:.4f}",
            "ask about fewer episodes, or with fewer --tokens",
        )
    if yes or not any(one.calls for one in estimates):
        return
    if not at_terminal():
        raise UsageError("Nobody is there to say whether to begin", "add --yes, or --dry-run to ask nothing")
    if not typer.confirm("Begin?", err=True):
        raise typer.Exit(0)


async def _ask_all(searches: Sequence[RubricSearch], most_cost: float | None) -> list[Outcome]:
    """One search after the other; what one has spent the next one can't."""
    outcomes: list[Outcome] = []
    for search in searches:
        spent = sum(earlier.judge.usage.spent for earlier in searches)
        left = None if most_cost is None else max(0.0, most_cost - spent)
        try:
            outcomes.append(await search.ask(_Progress(search), left))
        finally:
            await search.judge.close()
    return outcomes


class _Progress:
    """A line on stderr for each verdict."""

    def __init__(self, search: RubricSearch) -> None:
        self._of = len(search.places)
        self._done = 0

    def __call__(self, verdict: JudgedEpisode) -> None:
        self._done += 1
        told = verdict.code or f"no verdict: {verdict.problem}"
        say(f"{self._done} of {self._of} {verdict.run}/{verdict.episode}: {told}")
        for reason in verdict.refused:
            say(f"  citation refused: {reason}")


def _report(searches: Sequence[RubricSearch], outcomes: Sequence[Outcome], *, as_json: bool) -> int:
    problems = [problem for one in outcomes for problem in one.problems]
    missing = any(one.unasked or not all(verdict.code for verdict in one.verdicts) for one in outcomes)
    if as_json:
        told = [
            {
                "rater": search.rater,
                "judge": search.judge.name,
                "prompt": search.rubric.prompt,
                "usage": search.judge.usage,
                **msgspec.to_builtins(outcome),
            }
            for search, outcome in zip(searches, outcomes, strict=True)
        ]
        print_json({"schema_version": SCHEMA_VERSION, "judges": told})
    else:
        for search, outcome in zip(searches, outcomes, strict=True):
            _print(search, outcome)
    for problem in problems:
        say(problem)
    return 4 if problems else 1 if missing else 0


def _print(search: RubricSearch, outcome: Outcome) -> None:
    print_text(f"{search.rater} ({search.judge.name}): {search.rubric.question.text}")
    print_table(HEADERS, [verdict_row(one) for one in outcome.verdicts], numbers=(2,), flexible=(0, 3, 4))
    before = len(outcome.verdicts) - search.judge.usage.asked
    say(f"{search.judge.usage_text}; answered before: {before}")
    for told in advice(one.problem for one in outcome.verdicts):
        say(told)
    if outcome.unasked:
        say(f"{counted(outcome.unasked, 'episode')} not asked about: the money was spent")
    taxonomy = search.rubric.taxonomy.name
    say(f"A verdict is a question: `webbench-tui label RUN --taxonomy {taxonomy}`, y confirms, r rejects")


def verdict_row(one: JudgedEpisode) -> tuple[object, ...]:
    """Episode, verdict, first cited step, citations, reason: one row of a table."""
    quotes = " · ".join(f"{cited.step} “{cited.quote}”" for cited in one.citations)
    refused = f"{counted(len(one.refused), 'citation')} refused" if one.refused else ""
    return (
        f"{one.run}/{one.episode}",
        one.code or "none",
        one.citations[0].step if one.citations else None,
        " · ".join(filter(None, (quotes, refused))),
        one.problem or one.reason,
    )


def _plan(search: RubricSearch, estimate: Estimate) -> dict[str, object]:
    asked = {"rater": search.rater, "judge": search.judge.name, "prompt": search.rubric.prompt}
    return {**asked, **msgspec.to_builtins(estimate)}


def _look_for_text(
    store: Store, request: AskRequest, places: Sequence[tuple[str, str]], *, as_json: bool
) -> int:
    """Without a model: every place that holds the words. 1 where there is none."""
    if not request.question:
        raise UsageError("No model is set that could judge", "set judge.model, or --judge NAME")
    say("No model is set: the words are looked for as they are, in actions, replies and pages")
    problems: list[str] = []
    found = list(_matches(store, request.question, places, problems))
    if as_json:
        matches = [{"episode": name, **msgspec.to_builtins(match)} for name, match in found]
        print_json({"schema_version": SCHEMA_VERSION, "matches": matches})
    elif found:
        rows = [(name, one.step, one.where, one.excerpt) for name, one in found]
        print_table(MATCHES, rows, numbers=(1,), flexible=(0, 3))
    else:
        print_text(f"No episode of {len(places)} holds these words")
    for problem in problems:
        say(problem)
    return 4 if problems else 0 if found else 1


def _matches(
    store: Store, words: str, places: Sequence[tuple[str, str]], problems: list[str]
) -> Iterator[tuple[str, Match]]:
    for run, episode in places:
        try:
            recorded = RecordedEpisode(store, store.load(store.root / run / episode))
        except BadData as error:
            problems.append(str(error))
            continue
        for match in recorded.search(words):
            yield f"{run}/{episode}", match

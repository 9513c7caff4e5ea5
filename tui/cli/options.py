"""Options that several commands have, and a command's options from what a request declares of its fields."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from webbench.core.runner.plan import run_request
from webbench.core.runner.plan.declared_options import Declared, Option, declared

Command = Callable[..., None]


def finite(value: float | None) -> float | None:
    """Raises `typer.BadParameter` for what no record can hold."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no amount; leave the option out where there is no limit")
    return value


def typer_type(one: Declared) -> Any:
    """The annotation with which Typer asks for a declared field."""
    option, kind = one.option, one.kind
    if option.argument:
        return Annotated[kind, typer.Argument(help=option.help)]
    if option.word:
        return Annotated[Literal["", option.word], typer.Option(one.flag, help=option.help)]
    if one.is_list:
        return Annotated[list[str] | None, typer.Option(one.flag, help=option.help)]
    if one.has_opposite:
        flags = f"{one.flag}/--no-{one.flag.removeprefix('--')}"
        return Annotated[kind, typer.Option(flags, help=option.help)]
    amount = finite if one.kind in (float, float | None) else None
    return Annotated[
        kind, typer.Option(one.flag, help=option.help, min=option.least, max=option.most, callback=amount)
    ]


def asking(
    request: type[msgspec.Struct], **before: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the declared options of a request, and calls it with the `request` they come to.

    Args:
        before: for parameters of the command's own, in front of which field they are listed; else they are
            the last ones.
    """

    def decorate(command: Command) -> Command:
        fields = {one.name: one for one in declared(request)}

        @functools.wraps(command)
        def asked(**values: Any) -> None:
            given = {name: _field_value(one, values.pop(name)) for name, one in fields.items()}
            command(request=request(**given), **values)

        own = dict(inspect.signature(command, eval_str=True).parameters)
        del own["request"]
        listed = [own.pop("context")] if "context" in own else []
        for one in fields.values():
            listed += [own.pop(name) for name, field in before.items() if field == one.name]
            listed.append(_parameter(one))
        # Typer declares what `inspect.signature` tells, which looks here before it looks at the parameters.
        vars(asked)["__signature__"] = inspect.Signature([*listed, *own.values()])
        return asked

    return decorate


def _parameter(one: Declared) -> inspect.Parameter:
    default: object = "" if one.option.word else None if one.is_list else one.default
    if default is msgspec.NODEFAULT:
        default = inspect.Parameter.empty
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(one.name, kind, default=default, annotation=typer_type(one))


def _field_value(one: Declared, value: Any) -> Any:
    if one.is_list:
        return tuple(value or ())
    return bool(value) if one.option.word else value


def was_given(context: typer.Context, name: str) -> bool:
    """Whether the option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON (with a schema_version).")]
ANSWER_PICTURES = Option(
    flag="--screenshot", help="With --json: every answer has the picture (PNG in Base64)."
)
AnswerPictures = Annotated[bool, typer.Option("--screenshot", help=ANSWER_PICTURES.help)]
StorePath = Annotated[Path | None, typer.Option("--store", help=run_request.STORE.help)]
Data = Annotated[Path | None, typer.Option("--data", help=run_request.DATA.help)]
DialectName = Annotated[str, typer.Option("--dialect", help=run_request.DIALECT.help)]
Rules = Annotated[str, typer.Option("--rules", help=run_request.RULES.help)]
Split = Annotated[str, typer.Option("--split", help=run_request.SPLIT.help)]
Agent = Annotated[str, typer.Option("--agent", help=run_request.AGENT.help)]
GuardMode = Annotated[str, typer.Option("--guard", help=run_request.GUARD.help)]
AllowHosts = Annotated[list[str] | None, typer.Option("--allow-host", help=run_request.ALLOW_HOST.help)]
Reset = Annotated[bool | None, typer.Option("--reset/--no-reset", help=run_request.RESET.help)]
LimitSteps = Annotated[int, typer.Option("--limit-steps", min=0, help=run_request.LIMIT_STEPS.help)]
LimitSeconds = Annotated[
    float,
    typer.Option("--limit-seconds", min=0, callback=finite, help=run_request.LIMIT_SECONDS.help),
]
OnlyTasks = Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")]
BenchmarkName = Annotated[str, typer.Argument(help="Benchmark, e.g. demo or turkingbench.")]
EpisodeName = Annotated[str, typer.Argument(help="Recorded episode, or a unique prefix of it.")]
ResamplingSeed = Annotated[int, typer.Option("--seed", help="Seed of resampling.")]
Pictures = Annotated[bool, typer.Option("--pictures/--no-pictures", help="With the screenshots.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
TasksFile = Annotated[
    Path | None,
    typer.Option("--tasks", help="Task file in Mind2Web-Live's format; the bundled tasks if not given."),
]
Annotator = Annotated[
    str, typer.Option("--as", help="Who labels: a pseudonym; the setting `annotator` if not given.")
]
TaxonomyName = Annotated[
    str,
    typer.Option("--taxonomy", help="Which codes; the benchmark's own if not given, else the merged one."),
]
LabelledRuns = Annotated[
    list[str] | None, typer.Argument(help="Runs or episodes; all of the store if not given.")
]
Everything = Annotated[
    bool, typer.Option("--all", help="Also what is still hidden: for analysis, not for annotators.")
]

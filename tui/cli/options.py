"""Options that several commands have, each declared once, and commands as Typer asks for them."""

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
from webbench.core.runner.plan.declared_options import Declared, Option, as_declared, declared

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
        return Annotated[list[str] if one.is_list else kind, typer.Argument(help=option.help)]
    if option.word:
        return Annotated[Literal["", option.word], typer.Option(one.flag, help=option.help)]
    if one.is_list:
        return Annotated[list[str] | None, typer.Option(one.flag, help=option.help)]
    if one.has_opposite:
        flags = f"{one.flag}/--no-{one.flag.removeprefix('--')}"
        return Annotated[kind, typer.Option(flags, help=option.help)]
    amount = finite if one.kind in (float, float | None) else None
    names = [name for name in (one.flag, option.older) if name]
    return Annotated[
        kind, typer.Option(*names, help=option.help, min=option.least, max=option.most, callback=amount)
    ]


def asking(request: type[msgspec.Struct], **before: str) -> Callable[[Command], Command]:
    """Gives a command the declared options of a request, and calls it with the `request` they come to.

    Args:
        before: for parameters of the command's own, in front of which field they are listed; else they are
            the last ones.
    """

    def decorate(command: Command) -> Command:
        fields = {one.name: one for one in declared(request)}

        @functools.wraps(command)
        def asked(**values: Any) -> None:
            given = {name: values.pop(name) for name in fields}
            command(request=request(**given), **values)

        own = dict(inspect.signature(command, eval_str=True).parameters)
        del own["request"]
        listed = [own.pop("context")] if "context" in own else []
        for one in fields.values():
            listed += [own.pop(name) for name, field in before.items() if field == one.name]
            listed.append(_parameter(one, Annotated[one.kind, one.option], one.default))
        vars(asked)["__signature__"] = inspect.Signature([*listed, *own.values()])
        return asked

    return decorate


def for_typer(command: Command) -> Command:
    """A command that Typer can ask for: each parameter with an `Option` as that says."""
    signature = inspect.signature(command, eval_str=True)
    parameters = dict(signature.parameters)
    ours = {
        name: one
        for name, parameter in parameters.items()
        if (one := as_declared(name, parameter.annotation, parameter.default)) is not None
    }

    @functools.wraps(command)
    def called(**values: Any) -> None:
        command(**values | {name: _value(one, values[name]) for name, one in ours.items()})

    parameters |= {name: _parameter(one, typer_type(one), _asked_default(one)) for name, one in ours.items()}
    # Typer declares what `inspect.signature` tells, which looks here before it looks at the parameters.
    vars(called)["__signature__"] = signature.replace(parameters=list(parameters.values()))
    return called


def _parameter(one: Declared, annotation: Any, default: object) -> inspect.Parameter:
    default = inspect.Parameter.empty if default is msgspec.NODEFAULT else default
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(one.name, kind, default=default, annotation=annotation)


def _asked_default(one: Declared) -> object:
    if one.default is inspect.Parameter.empty:
        return one.default
    return "" if one.option.word else None if one.is_list else one.default


def _value(one: Declared, value: Any) -> Any:
    if one.is_list:
        return tuple(value or ())
    return bool(value) if one.option.word else value


def was_given(context: typer.Context, name: str) -> bool:
    """Whether the option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


AsJson = Annotated[bool, Option(flag="--json", help="Print JSON (with a schema_version).")]
AnswerPictures = Annotated[
    bool, Option(flag="--screenshot", help="With --json: every answer has the picture (PNG in Base64).")
]
StorePath = Annotated[Path | None, run_request.STORE]
Data = Annotated[Path | None, run_request.DATA]
DialectName = Annotated[str, run_request.DIALECT]
Rules = Annotated[str, run_request.RULES]
Split = Annotated[str, run_request.SPLIT]
Reset = Annotated[bool | None, run_request.RESET]
OnlyTasks = Annotated[tuple[str, ...], run_request.TASKS]
EpisodeName = Annotated[str, Option(argument=True, help="Recorded episode, or a unique prefix of it.")]
SlotValues = Annotated[
    tuple[str, ...], Option(flag="--value", help="What stands in a slot: NAME=TEXT; may be repeated.")
]
ResamplingSeed = Annotated[int, Option(flag="--seed", help="Seed of resampling.")]
PictureFormats = Annotated[str, Option(flag="--format", help="Of the pictures.")]
AsCsv = Annotated[bool, Option(flag="--csv", help="Print CSV.")]
AsLatex = Annotated[bool, Option(flag="--latex", help="Print tables for LaTeX.")]
Pictures = Annotated[bool, Option(help="With the screenshots.")]
Force = Annotated[bool, Option(help="Replace what is there.")]
Annotator = Annotated[
    str, Option(flag="--as", help="Who labels: a pseudonym; the setting `annotator` if not given.")
]
TaxonomyName = Annotated[
    str,
    Option(flag="--taxonomy", help="Which codes; the benchmark's own if not given, else the merged one."),
]
Note = Annotated[str, Option(help="Why.")]
Quote = Annotated[str, Option(help="What is to be read there.")]
OutFile = Annotated[Path | None, Option(flag="--out", older="--output", help="Write into this file.")]
EvidentStep = Annotated[int | None, Option(help="The step that shows it.")]
BenchmarkRuns = Annotated[
    tuple[str, ...], Option(argument=True, help="One or more runs of a benchmark; @NAME: a pool.")
]
LabelledRuns = Annotated[
    tuple[str, ...], Option(argument=True, help="Runs or episodes; all of the store if not given.")
]
Everything = Annotated[
    bool, Option(flag="--all", help="Also what is still hidden: for analysis, not for annotators.")
]

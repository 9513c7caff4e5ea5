"""The keywords of `webbench.run` are what a run request declares: names, types, defaults and words."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_type_hints

import msgspec
import pytest

import webbench as wb
from webbench.core.api import batch_run
from webbench.core.runner.plan.declared_options import declared, taking
from webbench.core.runner.plan.run_request import ResumeOptions, ResumeRequest, RunOptions, RunRequest
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.store import Store

PARAMETERS = {"benchmark", "agent", "tasks", "run_cost", "data", "store"} | {
    f"limit_{name}" for name in wb.Budget.__struct_fields__
}
"""What `run` has parameters for that other functions of the door have, too."""
ON_A_CLUSTER = {"engine", "address", "share"}
"""What the command line alone can do."""


def test_the_keywords_are_the_declared_fields() -> None:
    kinds = {one.name: one.kind for one in declared(RunRequest)}
    assert set(kinds) >= PARAMETERS | ON_A_CLUSTER
    keywords = {name: kind for name, kind in kinds.items() if name not in PARAMETERS | ON_A_CLUSTER}
    assert get_type_hints(RunOptions) == keywords


@pytest.mark.parametrize(
    ("function", "request_type", "options"),
    [(wb.run, RunRequest, RunOptions), (wb.resume, ResumeRequest, ResumeOptions)],
    ids=["run", "resume"],
)
def test_signature_and_documentation_tell_each_with_its_default(
    function: Callable[..., object], request_type: type[msgspec.Struct], options: type
) -> None:
    parameters, text = inspect.signature(function).parameters, inspect.getdoc(function) or ""
    assert list(parameters)[-len(options.__annotations__) :] == list(options.__annotations__)
    for one in declared(request_type):
        if one.name in options.__annotations__:
            assert parameters[one.name].default == one.default
            assert f"\n    {one.name}: {one.sentence}\n" in text.partition("\n\nReturns")[0] + "\n"


class Two(TypedDict, total=False):
    split: str
    seed: int


LISTED = """Do it.

    Args:
        first: what comes first.

    Returns:
        None.
    """


@pytest.mark.parametrize("text", [LISTED, inspect.cleandoc(LISTED)], ids=["kept", "taken away"])
def test_they_stand_below_the_others_whether_python_keeps_a_docstring_s_indentation(text: str) -> None:
    def function(first: str, **options: Unpack[Two]) -> None: ...

    function.__doc__ = text
    told = (inspect.getdoc(taking(RunRequest, Two)(function)) or "").splitlines()
    assert told[2:5] == ["Args:", "    first: what comes first.", "    split: Only this split."]
    assert (told[5].partition(":")[0], told[6:]) == ("    seed", ["", "Returns:", "    None."])


def test_what_is_given_is_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[RunRequest] = []
    seen: list[tuple[str, tuple[str, ...]]] = []

    def outlined(request: RunRequest, store: Store) -> None:
        asked.append(request)
        seen.append((load_settings().guard.actions, load_settings().guard.hosts))
        raise wb.UsageError("enough")

    monkeypatch.setattr(batch_run, "planned_batch", outlined)
    before = load_settings().guard
    options: RunOptions = {
        "split": "shop",
        "instances": 2,
        "repeats": 3,
        "order": "random",
        "seed": 4,
        "guard": "off",
        "allow_hosts": ("shop.test",),
        "hang_seconds": 5.5,
        "workers": 6,
        "retry": True,
        "site_safety": False,
        "pictures": False,
        "dialect": "webarena",
        "rules": "paper",
        "relevant_html": True,
        "reset": False,
    }
    limits = wb.Budget(steps=7, seconds=8.0, tokens=9, cost=1.5)
    with pytest.raises(wb.UsageError, match="enough"):
        wb.run("demo", "random", names=["a"], limits=limits, cost_limit=2.5, store=tmp_path, **options)
    assert options.keys() == RunOptions.__annotations__.keys()
    assert {name: getattr(asked[0], name) for name in options} == options
    told = msgspec.structs.asdict(asked[0])
    assert [told[f"limit_{name}"] for name in wb.Budget.__struct_fields__] == [7, 8.0, 9, 1.5]
    assert (told["tasks"], told["run_cost"]) == (("a",), 2.5)
    assert (seen, load_settings().guard) == ([("off", ("shop.test",))], before)


def test_one_text_is_a_list_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[RunRequest] = []

    def outlined(request: RunRequest, store: Store) -> None:
        asked.append(request)
        raise wb.UsageError("enough")

    monkeypatch.setattr(batch_run, "planned_batch", outlined)
    lists = [
        one.name for one in declared(RunRequest) if one.is_list and one.name in RunOptions.__annotations__
    ]
    options: dict[str, Any] = dict.fromkeys(lists, "shop.test")
    with pytest.raises(wb.UsageError, match="enough"):
        wb.run("demo", names="camp-mugs", store=tmp_path, **options)
    assert {name: getattr(asked[0], name) for name in lists} == dict.fromkeys(lists, ("shop.test",))
    assert (lists, asked[0].tasks) == (["allow_hosts"], ("camp-mugs",))

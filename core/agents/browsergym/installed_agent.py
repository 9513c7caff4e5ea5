"""An installed agent of a stranger, found and made: MODULE:NAME or FILE.py:NAME, with its options."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

from webbench.core.agents.browsergym.answered_calls import Rules
from webbench.core.json_types import JsonObject


class Unusable(Exception):
    """What was named can't be used as an agent; the message says why and what would do."""


class ForeignAgent(Protocol):
    """What BrowserGym's `Agent` has that is needed here; `obs_preprocessor` and others are looked for."""

    def get_action(self, obs: object) -> object: ...


class Loaded:
    """An agent, and its maker where there is one with a life of its own (AgentLab's `AgentArgs`)."""

    def __init__(self, agent: ForeignAgent, maker: object | None) -> None:
        self.agent = agent
        self._maker = maker

    def seen(self, obs: JsonObject) -> object:
        """The observation as the agent's own preprocessor makes it."""
        preprocessor = getattr(self.agent, "obs_preprocessor", None)
        return preprocessor(obs) if callable(preprocessor) else obs

    def rules(self, verbs: frozenset[str]) -> Rules:
        """What may stand in its answers, by its own action set where it has one.

        Args:
            verbs: the names that are actions where it has none.
        """
        actions = getattr(self.agent, "action_set", None)
        own = getattr(actions, "action_set", None)
        names = frozenset(map(str, own)) if isinstance(own, dict) and own else verbs
        several = getattr(actions, "multiaction", True) is not False
        return Rules(names, strict=getattr(actions, "strict", False) is True, several=several)

    def kept(self) -> object:
        """What the agent wants to have back when it is made anew; None for one without `save_state`.

        Raises `Unusable` for what is no JSON.
        """
        if not self._keeps:
            return None
        state = self._method("save_state")()
        try:
            json.dumps(state, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise Unusable(f"its save_state() gave what is no JSON: {error}") from error
        return state

    def take_up(self, state: object) -> None:
        """Give the agent what it wanted to have back."""
        if self._keeps and state is not None:
            self._method("load_state")(state)

    @property
    def _keeps(self) -> bool:
        """It has both methods."""
        return all(callable(getattr(self.agent, name, None)) for name in ("save_state", "load_state"))

    def _method(self, name: str) -> Callable[..., object]:
        return cast("Callable[..., object]", getattr(self.agent, name))

    def close(self) -> None:
        """Let both give back what they hold; one that fails keeps nobody."""
        for one in (self.agent, self._maker):
            closing = getattr(one, "close", None)
            if callable(closing):
                with suppress(Exception):
                    closing()


def load(name: str, options: JsonObject, *, task: str, seed: int) -> Loaded:
    """The agent. Raises `Unusable`, and whatever its own code raises."""
    random.seed(seed)
    made = _made(_found(name), name, options)
    maker, make = None, getattr(made, "make_agent", None)
    if callable(make):
        maker = made
        _refuse(bool(getattr(maker, "use_raw_page_output", False)), name, "wants the browser's own page")
        _call(maker, "prepare")
        made = make()
    _refuse(not callable(getattr(made, "get_action", None)), name, "has no get_action(obs)")
    actions = type(getattr(made, "action_set", None)).__name__
    _refuse(actions == "PythonActionSet", name, "answers Python code in place of high-level actions")
    _call(made, "set_task_name", task)
    if "seed" in _parameters(getattr(made, "reset", None)):
        _call(made, "reset", seed=seed)
    return Loaded(cast("ForeignAgent", made), maker)


def _found(name: str) -> object:
    place, _, attribute = name.rpartition(":")
    if not place or not attribute:
        raise Unusable(f"{name} names no agent; write MODULE:CLASS or FILE.py:CLASS")
    module: object = _file(Path(place)) if place.endswith(".py") else _module(place)
    for part in attribute.split("."):
        if not hasattr(module, part):
            names = ", ".join(one for one in vars(module) if not one.startswith("_")) or "nothing"
            raise Unusable(f"{place} has no {part}; it has {names[:300]}")
        module = getattr(module, part)
    return module


def _module(name: str) -> ModuleType:
    """An installed module, or else one in the working folder, which is last on the path."""
    sys.path.append(str(Path.cwd()))
    return importlib.import_module(name)


def _file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise Unusable(f"there is no file {path}")
    sys.path.append(str(path.parent.absolute()))
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _made(named: object, name: str, options: JsonObject) -> object:
    """A class or function is called with the options; an object that was made already takes none."""
    if not callable(named):
        if options:
            raise Unusable(f"{name} is made already and takes no options")
        return named
    try:
        inspect.signature(named).bind(**options)
    except ValueError:
        pass
    except TypeError as error:
        wanted = ", ".join(_parameters(named)) or "none"
        raise Unusable(f"{name} can't be made: {error}; its options: {wanted}") from error
    return named(**options)


def _parameters(function: object) -> list[str]:
    if not callable(function):
        return []
    try:
        return list(inspect.signature(cast("Callable[..., object]", function)).parameters)
    except ValueError:
        return []


def _call(owner: object, method: str, *arguments: object, **named: object) -> None:
    found = getattr(owner, method, None)
    if callable(found):
        found(*arguments, **named)


def _refuse(refused: bool, name: str, why: str) -> None:
    if refused:
        raise Unusable(f"{name} {why}, which can't be given here")

"""BrowserGym tasks: an environment and a seed. What is asked is known once the environment was reset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from webbench.benchmarks.browsergym.installed_packages import Interpreter, Package, Registered, packages_of
from webbench.benchmarks.browsergym.mends import mend_of
from webbench.core.benchmark.benchmark import Problem
from webbench.core.task import Task, TaskEntry

BENCHMARK = "browsergym"
RULE_SETS = ("published", "last")


class Environments:
    """Those of all interpreters, each once: the first that has it is the one that plays it.

    Args:
        pythons: paths of interpreters, "" for ours.
    """

    def __init__(self, pythons: Sequence[str]) -> None:
        self._pythons = tuple(dict.fromkeys(pythons)) or ("",)

    @cached_property
    def interpreters(self) -> tuple[Interpreter, ...]:
        return tuple(packages_of(python) for python in self._pythons)

    @cached_property
    def found(self) -> dict[str, tuple[Registered, Package]]:
        """By name, such as "miniwob.click-test"."""
        known: dict[str, tuple[Registered, Package]] = {}
        for interpreter in self.interpreters:
            for package in interpreter.packages:
                for one in package.environments:
                    known.setdefault(one.name, (one, package))
        return known

    def versions(self, package: Package) -> dict[str, str]:
        """Of what plays the environments of a package, for the record."""
        of_python = next((one.versions for one in self.interpreters if package in one.packages), {})
        theirs = {f"environment's {name}": version for name, version in of_python.items()}
        return {**theirs, package.name: package.version or "unknown"}

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """The families, and the parts of each that its names tell; in order of first appearance."""
        return tuple(dict.fromkeys(part for name in self.found for part in parts_of(name)))

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What keeps an interpreter, or a package of one, from being used, with the mend."""
        told: list[Problem] = []
        for one in self.interpreters:
            if one.problem:
                told.append(Problem(one.python or "this Python", one.problem, "error"))
            for package in one.packages:
                if package.problem is not None:
                    mend = mend_of(package.problem, package.python)
                    words = f"{package.problem.words}; {mend}"
                    told.append(Problem(f"{package.name} {package.version}".strip(), words, "error"))
                elif not package.environments:
                    told.append(Problem(package.name, "it registers no environment", "note"))
        return tuple(told)

    def entries(self) -> Sequence[TaskEntry]:
        """One for each environment."""
        return [
            TaskEntry(
                benchmark=BENCHMARK,
                name=name,
                split=parts_of(name)[0],
                site=parts_of(name)[0],
                kind=package.name,
                template=name,
                instances=1,
                parts=parts_of(name)[1:],
            )
            for name, (_, package) in self.found.items()
        ]

    def task(self, name: str, seed: int) -> Task:
        """An environment with a seed."""
        one, package = self.found[name]
        return Task(
            benchmark=BENCHMARK,
            name=name,
            instance=seed,
            split=parts_of(name)[0],
            site=parts_of(name)[0],
            kind=package.name,
            template=name,
            data={
                "id": one.id,
                "module": one.module,
                "seed": seed,
                "package": package.name,
                "version": package.version,
            },
        )


def parts_of(name: str) -> tuple[str, ...]:
    """ "assistantbench.validation.3" is of assistantbench, and of its part assistantbench.validation."""
    family, *rest = name.split(".")
    whole = len(rest) > 1 and not rest[0].isdecimal()
    return (family, f"{family}.{rest[0]}") if whole else (family,)

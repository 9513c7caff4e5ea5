"""Part of a package: some of its modules without all that the package itself would import."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType

TOLD = ("__all__", "__version__")
"""Names with underscores that a package's own code may give; for others it isn't run."""
LONGEST_WAIT = 30.0
_RUNNING = RLock()


def stand_in(*packages: str) -> None:
    """Have the packages in `sys.modules` with their own code not run yet; one that is there stays as it is.

    Their modules can be imported then. Whoever asks a package for anything else gets it all the same: its own
    code is run then, in the same module.

    Args:
        packages: a package before those in it.
    """
    for name in packages:
        with _RUNNING:
            if name in sys.modules:
                continue
            spec = find_spec(name)
            if spec is None or spec.loader is None:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            package = module_from_spec(spec)
            vars(package)["__getattr__"] = _Rest(package)
            sys.modules[name] = package
            above, _, own = name.rpartition(".")
            if above:
                setattr(sys.modules[above], own, package)


class _Rest:
    """What a package says of a name that it doesn't have yet."""

    def __init__(self, package: ModuleType) -> None:
        self._package = package
        self._begun = False

    def __call__(self, name: str) -> object:
        package, spec = self._package, self._package.__spec__
        if spec is None or spec.loader is None or (name.startswith("__") and name not in TOLD):
            raise AttributeError(name)
        if find_spec(f"{spec.name}.{name}") is not None:
            return import_module(f"{spec.name}.{name}")
        # Another thread waits, but not forever: it may be importing what the package's own code needs.
        if not _RUNNING.acquire(timeout=LONGEST_WAIT):
            raise AttributeError(name)
        try:
            if not self._begun:
                self._begun = True
                spec.loader.exec_module(package)
                del vars(package)["__getattr__"]
        finally:
            _RUNNING.release()
        if name not in vars(package):
            raise AttributeError(f"module {spec.name!r} has no attribute {name!r}", name=name, obj=package)
        found: object = vars(package)[name]
        return found

"""Task shapes: the forms into which a demonstration on any page can be put, by name of their benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.benchmarks.common.demonstrated_task import TaskShape
    from webbench.core.store.store import Store


def task_shape(shape: str, store: Store) -> TaskShape:
    """The form of this name, for demonstrations of a store."""
    if shape == "webcanvas":
        from webbench.benchmarks.webcanvas.upkeep.draft import WebCanvasShape

        return WebCanvasShape(store)
    from webbench.benchmarks.webarena.authored_task import WebArenaShape

    return WebArenaShape(store)

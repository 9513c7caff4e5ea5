"""Small pages for tests of what is computed from observations."""

from __future__ import annotations

from webbench.core.observation import AccessibilityNode, Observation


def page(
    *nodes: AccessibilityNode, url: str = "http://shop.test/", title: str = "Shop", **more: object
) -> Observation:
    """A page read by ourselves, so that its ids are to be trusted."""
    source = more.pop("source", "script")
    return Observation(url=url, title=title, nodes=nodes, source=source, **more)  # type: ignore[arg-type]


def node(id: int, role: str, name: str = "", depth: int = 1, **more: object) -> AccessibilityNode:
    return AccessibilityNode(id=id, role=role, name=name, depth=depth, **more)  # type: ignore[arg-type]

"""Small pages for tests of what is computed from observations."""

from __future__ import annotations

import msgspec

from webbench.core.observation import AccessibilityNode, Observation


def page(
    *nodes: AccessibilityNode, url: str = "http://shop.test/", title: str = "Shop", **more: object
) -> Observation:
    """A page read by ourselves, so that its ids are to be trusted."""
    seen = Observation(url=url, title=title, nodes=nodes, source="script")
    return msgspec.structs.replace(seen, **more)


def node(id: int, role: str, name: str = "", depth: int = 1, **more: object) -> AccessibilityNode:
    return msgspec.structs.replace(AccessibilityNode(id=id, role=role, name=name, depth=depth), **more)

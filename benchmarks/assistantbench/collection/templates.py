"""Templates: a seed put with slots, and filled anew (section 3.2, "Expanding AssistantBench")."""

from __future__ import annotations

import re
from collections.abc import Mapping

from webbench.benchmarks.assistantbench.collection.collected_candidates import Candidate, Origin
from webbench.core.errors import UsageError

_SLOT = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")


def filled(template: str, values: Mapping[str, str]) -> str:
    """The question. Raises `UsageError` for slots without values, and for values without slots."""
    slots = set(_SLOT.findall(template))
    if not slots:
        raise UsageError("The template has no slot", "put {{name}} in place of what may change")
    if odd := sorted(slots ^ set(values)):
        raise UsageError(f"Template and values differ in {', '.join(odd)}", "give each slot a value once")
    return _SLOT.sub(lambda slot: values[slot[1]], template)


def origin_of(seed: Candidate, template: str, was: Mapping[str, str], values: Mapping[str, str]) -> Origin:
    """How a task comes of a seed.

    Args:
        was: what stands in the slots in the seed; with it the template has to give the seed's question, so
            that it is one of this seed.
        values: what stands there in the new task.

    Raises `UsageError` where the template isn't the seed's, or nothing changes.
    """
    before = " ".join(filled(template, was).split())
    if before.casefold() != " ".join(seed.question.split()).casefold():
        raise UsageError(
            f'The template gives "{before}", which is not what {seed.name} asks', f'it asks "{seed.question}"'
        )
    if filled(template, values) == filled(template, was):
        raise UsageError("The new task asks what its seed asks", "change a value")
    return Origin(seed=seed.name, template=template, values=dict(values))

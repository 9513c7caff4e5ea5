"""How an action is put into words: the shortest form a dialect has for it."""

from __future__ import annotations

from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references
from webbench.core.dialects.dialect import Dialect


def wording(dialect: Dialect, action: Action) -> str:
    """The action as a person would write it: elements by id, else by field name.

    A fingerprint says more than most languages can, and would be written as JSON; for reading, and for
    sending back to the same page, the id or the field name is enough.
    """
    for naming in (_by_id, _by_field, _by_field_alone):
        text = dialect.format(map_references(action, naming))
        if not text.startswith("{"):
            return text
    return dialect.format(action)


def _by_id(reference: ElementRef) -> ElementRef:
    return ElementRef(id=reference.id) if reference.id is not None else reference


def _by_field(reference: ElementRef) -> ElementRef:
    if not reference.field:
        return reference
    role = reference.role if reference.role == "radio" else ""
    return ElementRef(field=reference.field, option=reference.option, role=role)


def _by_field_alone(reference: ElementRef) -> ElementRef:
    return ElementRef(field=reference.field, option=reference.option) if reference.field else reference

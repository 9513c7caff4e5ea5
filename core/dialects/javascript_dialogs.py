"""How an open dialog is answered, in the words of a dialect."""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.action.action import Action, AnswerDialog
from webbench.core.observation import Dialog


def dialog_answers(dialog: Dialog, format: Callable[[Action], str]) -> str:
    """One line: what closes it, or what accepts and what dismisses it; `format` is the dialect's."""
    accept = format(AnswerDialog(text="TEXT" if dialog.kind == "prompt" else ""))
    if dialog.kind == "alert":
        return f"To close it: {accept}"
    return f"To accept: {accept}; to dismiss: {format(AnswerDialog(accept=False))}"

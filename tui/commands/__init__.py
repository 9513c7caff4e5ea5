"""The one registry of user actions: key bindings, footer, command palette and help follow from it."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import App
from textual.binding import Binding
from textual.keys import format_key

from webbench.core.text.nearest import nearest_names
from webbench.tui.commands import batch, compare, forms, labelling, panes, screens, sessions, trajectory
from webbench.tui.commands.user_action import UserAction

SCOPES: Mapping[str, tuple[UserAction, ...]] = {
    "app": screens.APP,
    "library": screens.LIBRARY,
    "stepper": screens.STEPPER,
    "studies": sessions.STUDIES,
    "baseline": sessions.BASELINE,
    "session": sessions.SESSION,
    "break": sessions.BREAK,
    "proposal": screens.PROPOSAL,
    "result": screens.RESULT,
    "recorder": screens.RECORDER,
    "runs": screens.RUNS,
    "find": screens.FIND,
    "compare": compare.COMPARE,
    "read_tree": compare.READ_TREE,
    "analysis": screens.ANALYSIS,
    "behind": screens.BEHIND,
    "attempts": screens.ATTEMPTS,
    "clusters": screens.CLUSTERS,
    "trajectory": trajectory.TRAJECTORY,
    "labelling": labelling.LABELLING,
    "adjudication": labelling.ADJUDICATION,
    "disputes": labelling.DISPUTES,
    "codebook": labelling.CODEBOOK,
    "help": screens.HELP,
    "reading": screens.READING,
    "prompt": screens.PROMPT,
    "judge": screens.JUDGE,
    "choice": screens.CHOICE,
    "pick": screens.PICK,
    "batch": batch.BATCH,
    "field": batch.FIELD,
    "form": forms.FORM,
    "commands": forms.COMMANDS,
    "rows": panes.ROWS,
    "tree": panes.TREE,
    "time": trajectory.TIME,
    "picture": panes.PICTURE,
    "tasks": panes.TASKS,
    "records": panes.RECORDS,
    "hits": panes.HITS,
    "figure": panes.FIGURE,
    "benchmarks": panes.BENCHMARKS,
    "score": panes.SCORE,
    "steps": panes.STEPS,
    "messages": panes.MESSAGES,
    "notes": panes.NOTES,
    "html": panes.HTML,
    "conversation": panes.CONVERSATION,
    "live_conversation": panes.LIVE_CONVERSATION,
    "action": panes.ACTION,
}

KEY_WORDS = {name: name for name in ("enter", "tab", "up", "down", "left", "right", "backspace")}
"""For keys that are usually written as a sign."""

BY_ID: Mapping[str, UserAction] = {action.id: action for scope in SCOPES.values() for action in scope}


def bindings(scope: str) -> list[Binding]:
    """Textual bindings of a scope, each with its id so that settings can re-bind it."""
    return [
        Binding(
            action.keys,
            action.action,
            action.title,
            id=action.id,
            show=action.rank > 0,
            priority=action.priority,
            tooltip=action.help,
        )
        for action in SCOPES[scope]
    ]


def shown_key(app: App[object], id: str) -> str:
    """The first key of an action as it is now, for sentences that name it."""
    keys: Mapping[str, str] = getattr(getattr(app, "settings", None), "keys", {})
    return key_sign(app, (keys.get(id) or BY_ID[id].keys).split(",")[0])


def key_sign(app: App[object], key: str, *, short: bool = False) -> str:
    """How a key is written: with a sign, or in a word where the terminal shows no signs.

    `short` has signs that not everybody knows, too.
    """
    if getattr(getattr(app, "settings", None), "ascii", False):
        return KEY_WORDS.get(key, format_key(key))
    return "⇥" if short and key == "tab" else format_key(key)


def unknown_keys(keys: Mapping[str, str]) -> list[str]:
    """One sentence for each re-bound key whose action does not exist."""
    return list(filter(None, map(unknown_key, keys)))


def unknown_key(name: str) -> str:
    """What is wrong with a key re-bound for this action, "" where the action exists."""
    if name in BY_ID:
        return ""
    near = nearest_names(name, BY_ID, 1)
    hint = f"did you mean {near[0]}?" if near else "the palette names them all"
    return f'keys.{name}: there is no action "{name}"; {hint}'


__all__ = [
    "BY_ID",
    "SCOPES",
    "UserAction",
    "bindings",
    "key_sign",
    "shown_key",
    "unknown_key",
    "unknown_keys",
]

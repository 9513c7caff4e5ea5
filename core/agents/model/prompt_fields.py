"""The fields of a prompt, what an agent sees: plain texts and lists, nothing that a template could call."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence

import msgspec

from webbench.core.agent import AgentView
from webbench.core.dialects.dialect import find_dialect, verb_word
from webbench.core.dialects.javascript_dialogs import dialog_answers
from webbench.core.errors import BadData
from webbench.core.models.chat import Picture
from webbench.core.models.tokens import first_tokens
from webbench.core.renderings import browsergym_text, webarena_text
from webbench.core.renderings.outer_html import PageHtml
from webbench.core.renderings.page_heading import state_lines
from webbench.core.renderings.webarena import tabs_line, webarena_tree
from webbench.core.task import task_pictures
from webbench.core.text.plain_text import plain_clip

CUT = "\n… (the rest of the page is left out)"

Seeing = Callable[[AgentView], str]

OBSERVATIONS: Mapping[str, Seeing] = {
    "dialect": lambda view: find_dialect(view.dialect).render(view.observation),
    "tree": lambda view: f"{tabs_line(view.observation)}\n\n{_tree(view, viewport_only=False)}",
    "viewport": lambda view: f"{tabs_line(view.observation)}\n\n{_tree(view, viewport_only=True)}",
    "webarena": lambda view: webarena_text(view.observation),
    "browsergym": lambda view: browsergym_text(view.observation),
    "webarena-acted-on": lambda view: webarena_text(view.observation, acted_on=True),
    "browsergym-acted-on": lambda view: browsergym_text(view.observation, acted_on=True),
    "html": lambda view: f"{tabs_line(view.observation)}\n\n{_html(view)}",
    "none": lambda _view: "",
}
"""Texts of an observation by name: as the dialect in use has it, the accessibility tree with ids of the whole
page or of the viewport, the formats of the field, and the page's HTML with the same ids."""

NO_HTML = "The agent was to see the page's HTML, which this episode doesn't keep; it saw none."


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How an agent looks at a page.

    Attributes:
        observation: name of the text.
        most_tokens: of that text, about; 0 = all of it.
        verbs: of the dialect, the ones that are explained; all when empty.
        picture: the screenshot is sent along.
    """

    observation: str = "dialect"
    most_tokens: int = 0
    verbs: tuple[str, ...] = ()
    picture: bool = False


def view_fields(view: AgentView, look: Look = Look()) -> dict[str, object]:
    """Fields that every prompt may use.

    `intent`, `site`, `benchmark`, `step`; `observation`, `url`, `title`, `state` (an open dialog, or why
    there is no page; the formats of `observation` tell it too); `previous_action` with `previous_words`
    (what it was done to), `previous_error` and `previous_output`; `rejected`, what a person turned down and
    why; `memory`, a list; `verbs`, the actions there are: `form`, `meaning` and `example` of each.
    """
    return {
        "intent": view.task.intent,
        "site": view.task.site,
        "benchmark": view.task.benchmark,
        "step": view.step,
        "observation": observation_text(view, look),
        "url": view.observation.url,
        "title": view.observation.title,
        "state": state_text(view),
        "previous_action": view.last_action,
        "previous_words": view.history[-1].words if view.last_action and view.history else "",
        "previous_error": view.last_error,
        "previous_output": view.last_output,
        "rejected": view.rejected,
        "memory": list(view.memory),
        "verbs": verb_fields(view.dialect, look.verbs),
    }


def state_text(view: AgentView) -> str:
    """What is the matter with the page: its condition, an open dialog and how to answer it; usually ""."""
    dialog = view.observation.dialog
    lines = state_lines(view.observation)
    if dialog is not None:
        lines.append(dialog_answers(dialog, find_dialect(view.dialect).format))
    return "\n".join(lines)


def observation_text(view: AgentView, look: Look) -> str:
    """The page as text, its end cut off where it is too long."""
    text = OBSERVATIONS[look.observation](view)
    if not look.most_tokens:
        return text
    kept = first_tokens(text, look.most_tokens)
    return kept if len(kept) == len(text) else kept + CUT


def _tree(view: AgentView, *, viewport_only: bool) -> str:
    """State first: a tree that is cut off at its end still tells of the dialog that is in the way."""
    tree = webarena_tree(view.observation, viewport_only=viewport_only)
    return "\n".join(filter(None, (state_text(view), tree)))


def _html(view: AgentView) -> str:
    """State first; then the HTML, and what can be acted on without having a number in it."""
    told = [state_text(view)]
    if view.html:
        page, left = PageHtml(view.html).numbered(view.observation)
        told += page.lines
        if left:
            told.append("ALSO ON THE PAGE (in a frame, or not told apart above):")
            told += [
                f"{node.id_text}{node.role} {plain_clip(node.name or node.looks, 120)!r}" for node in left
            ]
    elif (
        view.observation.condition == "ok" and view.observation.dialog is None and NO_HTML not in view.notices
    ):
        view.notices.append(NO_HTML)
    return "\n".join(filter(None, told))


def verb_fields(dialect: str, wanted: Sequence[str] = ()) -> list[dict[str, str]]:
    """The verbs of a dialect, in its order; `wanted` names those that are kept.

    Raises `BadData` where it lacks one of these: a model that is told of no way to end never ends.
    """
    verbs = find_dialect(dialect).verbs()
    words = [verb_word(verb) for verb in verbs]
    lacking = [word for word in wanted if word not in words]
    if lacking:
        raise BadData(
            f'the action language "{dialect}" has no {", ".join(lacking)}',
            "this agent is made for another one: leave --dialect out, or set its option verbs",
        )
    kept = zip(words, verbs, strict=True)
    return [msgspec.to_builtins(verb) for word, verb in kept if not wanted or word in wanted]


def pictures_of(view: AgentView, look: Look = Look(picture=True)) -> tuple[Picture, ...]:
    """Where pictures are wanted: those of the task, and the screenshot that the observation was made with."""
    if not look.picture:
        return ()
    asked = [
        Picture(data=base64.b64decode(one.base64), format=one.format, width=one.width, height=one.height)
        for one in task_pictures(view.task)
    ]
    shot = view.screenshot
    if shot is None:
        return tuple(asked)
    return (
        *asked,
        Picture(
            data=shot.data,
            format=shot.format,
            width=shot.width,
            height=shot.height,
            step=view.shown,
        ),
    )

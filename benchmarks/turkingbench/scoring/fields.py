"""Finding a page's form fields and reading what they hold, in one probe of the page.

A field is the first element that bears the name of an answer column, if that is an input, select or
textarea. Fields are ordered as upstream orders them: displayed ones first, then by y and x.

Two readings of a field's values exist. The *markup* is what upstream's evaluator reads: the `value`
attribute, the inner HTML of a textarea, selected options that are direct children of their list. Its
own actions write there. People and real key presses change what a field *currently holds* and leave
the markup alone, so an evaluator that reads the markup would not see a single typed answer. Scores
therefore rest on what the field currently holds, which is the same for everything upstream's actions
can enter; where the two differ the evidence keeps the markup too.

Whether a field is displayed is told as of the reading. Upstream looks once, before anything is done, so
fields that a page shows only after other answers count here and not there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import Json, JsonObject

EXCLUDED_NAMES = ("csrfmiddlewaretoken", "worker_ip", "ee", "submit")
"""Bookkeeping fields that upstream leaves out."""

READ_TYPES = frozenset(
    (
        *("text", "textarea", "select", "password", "email", "number", "tel", "url", "button", "color"),
        *("date", "datetime-local", "file", "image", "range", "hidden", "radio", "checkbox", "submit"),
    )
)
"""Field types whose values upstream's evaluator knows how to read."""

_URL_CHARACTERS = 500


class Probing(Protocol):
    """The part of `Environment` that is needed here."""

    async def probe(self, script: str, argument: Json = None) -> Json: ...


class Field(msgspec.Struct, frozen=True):
    """A form field as the page shows it.

    Attributes:
        type: "text", "radio", "checkbox", "select", "textarea", "range", "hidden", ...
        displayed: a person could see it.
        values: what its same-named elements hold: all texts, or the values of those that are checked.
        markup: the same by the attributes of the document; None for an absent attribute.
        x, y: where it lies on the page (CSS px from its top-left corner).
    """

    name: str
    type: str
    displayed: bool
    values: tuple[str, ...] = ()
    markup: tuple[str | None, ...] = ()
    x: float = 0.0
    y: float = 0.0

    def evidence(self) -> JsonObject:
        """The field as evidence; the markup only where it says something else."""
        found: JsonObject = {
            "name": self.name,
            "type": self.type,
            "displayed": self.displayed,
            "values": list(self.values),
        }
        if [text or "" for text in self.markup] != list(self.values):
            found["markup"] = [text or "" for text in self.markup]
        return found


class Reading(msgspec.Struct, frozen=True):
    """Fields and the address of the page they were read from, in one moment."""

    url: str
    fields: list[Field]


@functools.cache
def _script() -> str:
    return (Path(__file__).parent / "fields.js").read_text("utf-8")


async def read(
    environment: Probing, answer_names: Sequence[str] | None, *, published: bool = False
) -> Reading:
    """The page's address and fields, displayed ones first, then by y and x.

    Args:
        environment: shows the page.
        answer_names: fields to look for; None takes every input, textarea and select that has a name.
        published: look as upstream does, which misses names that hold a double quote.

    Raises `EnvironmentDown` where the page can't be read.
    """
    argument = {
        "names": None if answer_names is None else list(answer_names),
        "excluded": list(EXCLUDED_NAMES),
        "published": published,
    }
    found = await environment.probe(_script(), argument)
    try:
        return msgspec.convert(found, Reading)
    except msgspec.ValidationError as error:
        raise EnvironmentDown(f"the page's fields can't be read: {error}") from error


async def frame_fields(environment: Probing, answer_names: Sequence[str] | None, frame: str) -> list[Field]:
    """The fields of a frame of the page's own origin, as `read` gives those of a page; none without it.

    Args:
        frame: its id.

    Raises `EnvironmentDown` where the page can't be read.
    """
    of_frame = (
        "((document, window, location) => (SCRIPT))(shown.contentDocument, view, view.location)(argument)"
    )
    script = (
        "(argument) => { const shown = document.getElementById(argument.frame);"
        " const view = shown && shown.contentWindow; if (!view || !shown.contentDocument) return null;"
        f" return {of_frame.replace('SCRIPT', _script())}; }}"
    )
    argument = {
        "names": None if answer_names is None else list(answer_names),
        "excluded": list(EXCLUDED_NAMES),
        "published": False,
        "frame": frame,
    }
    found = await environment.probe(script, argument)
    if found is None:
        return []
    try:
        return msgspec.convert(found, Reading).fields
    except msgspec.ValidationError as error:
        raise EnvironmentDown(f"the frame's fields can't be read: {error}") from error


async def collect(environment: Probing, answer_names: Sequence[str], task_url: str) -> JsonObject:
    """Evidence for the evaluator: where it was read, and what the fields hold.

    Gives `{"page": {url, is_task}, "fields": [{name, type, displayed, values, markup?}]}`: `url` is what
    follows the address of the task's page, or the whole address of another page; of another page no
    field is read, for its fields answer nothing that was asked.
    """
    reading = await read(environment, answer_names)
    is_task = _is_same_page(reading.url, task_url)
    url = reading.url.removeprefix(task_url) if is_task else reading.url[:_URL_CHARACTERS]
    fields = [field.evidence() for field in reading.fields] if is_task else []
    return {"page": {"url": url, "is_task": is_task}, "fields": fields}


def _is_same_page(url: str, other: str) -> bool:
    """Whether both addresses show one document, whatever their query and fragment."""
    return re.split("[?#]", url, maxsplit=1)[0] == re.split("[?#]", other, maxsplit=1)[0]

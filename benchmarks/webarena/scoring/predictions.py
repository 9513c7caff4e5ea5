"""One line of a predictions file as evidence.

{"task_id": 12, "answer": text, "url": final address, "pages": [located contents, one per target],
"url_after_pages": address, "sites": {"__GITLAB__": address}, "replies": of a judge}. Only the id is needed;
what is left out is not recorded. Other keys are ignored.

For WebArena-Verified: {"task_id": 12, "response": object or text, "har": path of the recorded network log,
"sites": {...}}; the path counts from the folder of the predictions and stays within it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

_TEXTS = ("answer", "url", "url_after_pages")
_OBJECTS = ("sites", "replies")
_ALIASES = {"id": "task_id", "final_url": "url"}
_PREFIX = "webarena."


def task_name(data: JsonObject) -> str:
    """The task's name: from 12, "12" or BrowserGym's "webarena.12". Raises `BadData`."""
    identity = data.get("task_id", data.get("id"))
    if identity is None:
        raise BadData("it has no task_id")
    text = str(identity).removeprefix(_PREFIX)
    if isinstance(identity, bool) or not isinstance(identity, int | str) or not text.isdecimal():
        raise BadData(f"its task_id is no task number but {_short_repr(identity)}")
    return str(int(text)) if len(text) < 20 else text


def evidence_of(data: JsonObject, sites: Mapping[str, str]) -> JsonObject:
    """The evidence; `sites` are addresses by placeholder that hold unless the line names its own.

    Raises `BadData` for values of another type.
    """
    given = {_ALIASES.get(key, key): value for key, value in data.items() if value is not None}
    evidence: JsonObject = {}
    for key in _TEXTS:
        if key in given:
            evidence[key] = _typed(key, given[key], str, "text")
    for key in _OBJECTS:
        if key in given and _typed(key, given[key], dict, "object"):
            evidence[key] = given[key]
    if "pages" in given:
        pages = _typed("pages", given["pages"], list, "list")
        evidence["pages"] = [_page(number, page) for number, page in enumerate(pages, start=1)]
    addresses = {**sites, **evidence.get("sites", {})}
    return evidence | {"sites": addresses} if addresses else evidence


def verified_evidence_of(data: JsonObject, sites: Mapping[str, str], recordings: Path) -> JsonObject:
    """The same for the verified edition.

    Raises `BadData` for values of another type, and for a network log that can't be read.
    """
    from webbench.benchmarks.webarena.verified.har import read_har

    evidence: JsonObject = {"sites": {**sites, **_typed("sites", data.get("sites") or {}, dict, "object")}}
    response = data.get("response", data.get("agent_response"))
    if response is not None:
        evidence["response"] = _typed("response", response, (dict, str), "object or text")
    if data.get("har") is not None:
        evidence["har_events"] = read_har(_below(recordings, _typed("har", data["har"], str, "text")))
    return evidence


def _below(folder: Path, name: str) -> Path:
    """The file `name` within `folder`; predictions come from strangers and may name no other."""
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError) as error:
        raise BadData(f'its "har" {_short_repr(name)} is no path: {error}') from error
    if Path(name).is_absolute() or ".." in Path(name).parts or not inside:
        raise BadData(
            f'its "har" {_short_repr(name)} leads out of the folder of the predictions',
            f"put the log below {folder.resolve()} and name it from there",
        )
    return path


def _page(number: int, page: Json) -> Json:
    """{"located": ...}, from itself or from a text; None where it isn't recorded."""
    if page is None or (isinstance(page, dict) and "located" in page):
        return page
    if isinstance(page, str):
        return {"located": page}
    raise BadData(f'page {number} is neither a text nor {{"located": ...}} but {_short_repr(page)}')


def _typed(key: str, value: Json, wanted: type | tuple[type, ...], name: str) -> Json:
    if isinstance(value, wanted):
        return value
    raise BadData(f'its "{key}" is no {name} but {_short_repr(value)}')


def _short_repr(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"

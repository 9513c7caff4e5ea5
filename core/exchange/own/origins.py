"""Origins: where an episode came from, file by file, in words."""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.exchange.episode_building import ORIGIN, SUBAGENT_OF
from webbench.core.json_types import Json, JsonObject, text_of
from webbench.core.store.secrets.outgoing import MOST_ORIGINS
from webbench.core.trajectory import IMPORTED, EpisodeHeader


def origins(header: EpisodeHeader) -> list[JsonObject]:
    """The files that it came through, the last first; [] for an episode that was recorded here."""
    found: list[JsonObject] = []
    one: Json = header.settings.get(IMPORTED)
    while isinstance(one, dict) and len(found) < MOST_ORIGINS:
        found.append({name: value for name, value in one.items() if name != ORIGIN})
        one = one.get(ORIGIN)
    return found


def origins_words(header: EpisodeHeader) -> str:
    """Each file with its format and who made it, the last first; "" for an episode that was recorded here."""
    told = [" ".join(_words(one)) for one in origins(header)]
    return f"imported from {', which came from '.join(told)}" if told else ""


def _words(one: JsonObject) -> Iterator[str]:
    yield text_of(one.get("from")) or "a file without a name"
    tool = " ".join(filter(None, (text_of(one.get("tool")), text_of(one.get("version")))))
    named = " ".join(filter(None, (text_of(one.get("format")), text_of(one.get("format_version")))))
    yield f"({', '.join(filter(None, (named, f'by {tool}' if tool else '')))})"


def subagent_words(header: EpisodeHeader) -> str:
    """Of a subagent, the trajectory that it was embedded in and the step that called it; "" for any other."""
    around = header.settings.get(SUBAGENT_OF)
    if not isinstance(around, dict):
        return ""
    step = around.get("step")
    return f"subagent of {text_of(around.get('task'))}" + (f", called in its step {step}" if step else "")

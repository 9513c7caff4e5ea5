"""The files of a project, from the patterns in seeds/."""

from __future__ import annotations

import re

from webbench.core.json_types import JsonObject


def files_of(
    project: JsonObject, versions: tuple[str, str], general: JsonObject, language: JsonObject
) -> dict[str, str]:
    """Path → content.

    Args:
        project: name, path, description, topics, parts.
        versions: the current one and the one before.
        general: patterns of the files that every project has.
        language: patterns of its language: install, main, test, code, check, extra.
    """
    words = {
        "name": project["name"],
        "path": project["path"],
        "module": _module(project["path"]),
        "description": project["description"],
        "topics": project["topics"],
        "version": versions[0],
        "older": versions[1],
        **{f"part{number}": _capital(part) for number, part in enumerate(project["parts"])},
    }
    words["install"] = language["install"].format_map(words)
    patterns = {**general, **language["extra"]}
    files = {path: pattern.format_map(words) for path, pattern in patterns.items()}
    for number, part in enumerate(project["parts"]):
        own = {
            **words,
            "module": _module(part),
            "part": part,
            "title": _title(part),
            "limit": 100 * (number + 2),
        }
        files[language["main"].format_map(own)] = language["code"].format_map(own)
        files[language["test"].format_map(own)] = language["check"].format_map(own)
    return dict(sorted(files.items()))


def _module(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower())


def _title(part: str) -> str:
    return "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", part))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]

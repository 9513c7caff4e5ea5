"""A trajectory format: *.cards.jsonl, a line with the task, then one line for each action.

{"cards": 1, "task": "fox", "agent": "someone"}
{"press": "Fox", "url": "file:///.../fox.html"}
{"answer": "red"}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from webbench.core.action.action import Action, Click, ElementRef, Stop
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Both, Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import foreign_header, numbered, text_of
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.json_types import JsonObject
from webbench.core.task import Task
from webbench.core.trajectory import Step
from webbench_example.benchmark import TASKS

ENDING = ".cards.jsonl"
SHAPE = Shape(
    {
        "cards": Frame(),  # it only marks the first line
        "press": Both(("steps", "actions")),
        "answer": Both(("steps", "actions")),
    }
)
"""What each key is of a log, so that the import can hold it against what was recorded."""


class CardLog:
    name = "card-log"
    title = "Logs of the example plug-in"
    looks_like = 'a file *.cards.jsonl: {"cards": 1, "task": "fox"}, then a line for each action'

    def write_sample(self, folder: Path) -> Path:
        """A log by which `plugins check` tries the format."""
        path = folder / f"sample{ENDING}"
        path.write_text(
            '{"cards": 1, "task": "fox", "agent": "someone"}\n{"press": "Fox"}\n{"answer": "red"}\n'
        )
        return path

    def claim(self, place: Place) -> Claim | None:
        return Claim() if place.name.endswith(ENDING) and place.has_text('"cards"') else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        lines = [place.line_json(number, line) for number, line in place.lines() if line.strip()]
        if not lines or not all(isinstance(line, dict) for line in lines):
            raise BadData(f"{place} holds no log: every line is an object")
        first, *actions = lines
        named = text_of(first.get("task"))
        task = next((task for task in TASKS if task.name == named), Task(benchmark="cards", name=named))
        header = foreign_header(task, text_of(first.get("agent")), dialect="plain")
        place.tally.count("episodes")
        place.tally.read(lines, SHAPE)
        lost = place.tally.losses()
        yield ImportedEpisode(header, numbered(_steps(actions, lost)), lost)


def _steps(actions: list[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    yield ImportedStep(Step(index=0, at="", actor="operator"))
    for number, line in enumerate(actions, 1):
        action = _action(line)
        if action is None:
            lost.lose("values", f"line {number + 1} is no action of this format; left out", len(line))
            continue
        step = Step(index=0, at="", actor="agent", action=action, url=text_of(line.get("url")))
        yield ImportedStep(step)


def _action(line: JsonObject) -> Action | None:
    if "press" in line:
        return Click(target=ElementRef(role="link", name=text_of(line["press"])))
    return Stop(answer=text_of(line["answer"])) if "answer" in line else None


def create() -> CardLog:
    """The entry point."""
    return CardLog()

"""WebArena's released traces as JSON: a list of episodes whose trajectory alternates state and step.

An episode is `{task_id, intent, source, trajectory}`; a state `{url, axtree, screenshot_path}`; a step
`{metadata: {cot}, action: {action_name, element_id, text, ...}}`. `(task_id, source)` is not unique: an
agent may have tried a task several times.
"""

from __future__ import annotations

from collections.abc import Iterator

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Both, Frame, Left, Shape, Whole
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import lose_action, lose_tree
from webbench.core.exchange.foreign_terms import action_of
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.json_list import objects
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject, text_of
from webbench.core.observation import Observation
from webbench.core.score.score import not_scored
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

BENCHMARK = DIALECT = "webarena"
NO_PICTURES = "screenshots: the source names files that are not with it"
SHAPE = Shape(
    {
        "": "episodes",
        "trajectory.axtree": Whole("trees"),
        "trajectory.screenshot_path": Left("pictures", NO_PICTURES),
        "trajectory.metadata.cot": "reasoning",
        "trajectory.action": Both(("steps", "actions")),
        "trajectory.action.action_type": Frame(),
    }
)


class WebArenaTraces:
    name = "webarena-traces"
    title = "WebArena's released traces (JSON)"
    looks_like = "a JSON list of task_id, intent, source, trajectory of axtree states and action steps"

    def claim(self, place: Place) -> Claim | None:
        whole = place.has_text('"trajectory"', '"intent"', '"source"') and place.has_text('"axtree"')
        return Claim() if whole and place.head.lstrip().startswith(b"[") else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for number, entry in enumerate(objects(place), start=1):
            if not isinstance(entry.get("trajectory"), list):
                raise BadData(f"{place}: episode {number} has no list trajectory")
            yield _episode(entry, place)


def create() -> WebArenaTraces:
    """The entry point."""
    return WebArenaTraces()


def _episode(entry: JsonObject, place: Place) -> ImportedEpisode:
    place.tally.read(entry, SHAPE)
    lost = place.tally.losses()
    states = [item for item in entry["trajectory"] if isinstance(item, dict) and "axtree" in item]
    moves = [item for item in entry["trajectory"] if isinstance(item, dict) and "action" in item]
    header = EpisodeHeader(
        run="",
        episode="",
        task=Task(
            benchmark="webarena", name=str(entry.get("task_id", "")), intent=text_of(entry.get("intent"))
        ),
        actor=text_of(entry.get("source")) or "unknown",
        dialect=DIALECT,
        score=not_scored("the source gives no score", rules="recorded"),
        end_reason="the actor stopped" if moves and _verb(moves[-1]) == "stop" else "the record ends here",
    )
    return ImportedEpisode(header, _steps(states, moves, lost), lost)


def _steps(states: list[JsonObject], moves: list[JsonObject], lost: Lost) -> Iterator[ImportedStep]:
    """Step 0 is the first state; each move is followed by the state after it, where there is one."""
    before: Observation | None = None
    for index in range(max(len(states), len(moves) + 1)):
        state = states[index] if index < len(states) else {}
        move = moves[index - 1] if 0 < index <= len(moves) else {}
        text = _wording(move.get("action"))
        action = action_of(text, DIALECT, before) if text else None
        if text and action is None:
            lose_action(lost, text, index)
        step = Step(
            index=index,
            at="",
            actor="agent" if index else "operator",
            text=text,
            dialect=DIALECT if text else "",
            action=action,
            reasoning=_thought(move),
            url=text_of(state.get("url")),
        )
        tree = text_of(state.get("axtree"))
        nodes = nodes_of(tree)
        if tree and not nodes:
            lose_tree(lost, index)
        seen = Observation(url=step.url, nodes=nodes) if nodes else None
        before = seen
        yield ImportedStep(step, seen)


def _thought(move: JsonObject) -> str:
    metadata = move.get("metadata")
    return text_of(metadata.get("cot")) if isinstance(metadata, dict) else ""


def _verb(move: JsonObject) -> str:
    action = move.get("action")
    return text_of(action.get("action_name")).lower() if isinstance(action, dict) else ""


def _wording(action: Json) -> str:
    """The action in WebArena's own words, from its fields."""
    if not isinstance(action, dict):
        return ""
    verb = text_of(action.get("action_name")).lower()
    match verb:
        case "click" | "hover":
            return f"{verb} {_element(action)}"
        case "type":
            typed = action.get("text")
            text = "".join(map(str, typed)) if isinstance(typed, list) else text_of(typed)
            return f"type {_element(action)} [{text.removesuffix(chr(10))}] [{int(text.endswith(chr(10)))}]"
        case "press" | "key_press":
            return f"press [{text_of(action.get('key_comb'))}]"
        case "scroll":
            return f"scroll [{text_of(action.get('direction')) or 'down'}]"
        case "goto" | "goto_url":
            return f"goto [{text_of(action.get('url'))}]"
        case "tab_focus" | "page_focus":
            return f"tab_focus [{action.get('page_number', 0)}]"
        case "stop":
            return f"stop [{text_of(action.get('answer'))}]"
    return verb


def _element(action: JsonObject) -> str:
    return f"[{action.get('element_id', '')}]"

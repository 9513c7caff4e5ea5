"""browser-use's history of a run, an AgentHistoryList as JSON: `save_to_file` of a history, or an agent's
own.

{`history`: [{`model_output`: {`action`: [{name: arguments}], `thinking`, `evaluation_previous_goal`,
`memory`, `next_goal`} or null, `result`: [{`is_done`, `success`, `extracted_content`, `error`}],
`state`: {`url`, `title`, `tabs`, `interacted_element`, `screenshot` or `screenshot_path`}, `metadata`,
`state_message`}]}. Until the middle of 2025 the texts stand in `current_state`. The state is the one
*before* the actions: here it belongs to the step before. The task is not in the file. `success` is the
agent's own claim, `judgement` a judge's verdict.

Defined by `browser_use/agent/views.py` and `browser_use/browser/views.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from webbench.core.action.action import Action, Type
from webbench.core.dialects.notations.browser_use import action_in, element_of
from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.conversation.spoken_turn import AGENT, Call, Result, Turn
from webbench.core.exchange.conversation.steps_of_turns import steps_of, told_by_turns
from webbench.core.exchange.episode_building import (
    LARGEST_PICTURE,
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    list_in,
    lose_action,
    object_in,
    origin_told,
    text_of,
)
from webbench.core.exchange.foreign_terms import RULES, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, Picture
from webbench.core.exchange.own.carried_fields import (
    OWN,
    header_with,
    made_by_ours,
    own_in,
    score_beside,
    steps_with,
    tells_record,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.picture_bytes import PICTURES, picture_of_base64
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation, Tab
from webbench.core.score.score import Check, Score, not_scored
from webbench.core.task import Task
from webbench.core.text.plural import counted

BROWSER_USE = "browser-use"
NO_SECRETS = "what was typed into a password field: no record keeps that"
NOT_DONE = "it was not carried out: the step ended before it"
ABSENT = {"absent": True}
"""The rest of a result that the history has none of."""
_THOUGHTS = (
    ("thinking", ""),
    ("page_summary", "Page: "),
    ("evaluation_previous_goal", "Evaluation: "),
    ("memory", "Memory: "),
    ("next_goal", "Next goal: "),
)
_SHAPE = Shape(
    {"history.state.screenshot": Frame(), OWN: Frame()}
)  # counted as pictures, where they are decoded
NAMED = 5
"""Keys that are named."""
_EMBEDDED, _BESIDE = "screenshot", "screenshot_path"


class BrowserUse:
    name = BROWSER_USE
    title = "browser-use histories (AgentHistoryList)"
    looks_like = "a JSON object history of model_output, result, state with interacted_element"

    def claim(self, place: Place) -> Claim | None:
        if place.parent.name == "screenshots" and place.head.startswith(PICTURES) and _beside(place):
            return Claim("companion", "a screenshot that a browser-use history may name, read with it")
        return Claim() if place.has_text('"history"', '"model_output"') else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        root = object_in(place)
        items = [one for one in list_in(root, "history", place) if isinstance(one, dict)]
        if not items:
            raise BadData(f"{place} holds a history without a step")
        lost = place.tally.losses()
        if len(items) < len(root["history"]):
            lost.append(f"steps that are no objects: {len(root['history']) - len(items)}")
        place.tally.read(root, _SHAPE)
        _tell_of_others(root, items, lost)
        history = _History(items, place, lost)
        turns = history.turns()
        score, done = _verdict(items[-1])
        own = own_in(root)
        header = foreign_header(
            Task(benchmark=BROWSER_USE, name=place.path.stem, site=history.site),
            BROWSER_USE,
            score=score_beside(score, own, lost),
            end_reason=STOPPED if done else RECORD_ENDS,
            settings={BROWSER_USE: {name: one for name, one in root.items() if name not in ("history", OWN)}}
            | origin_told(own, BROWSER_USE if tells_record(own) else ""),
        )
        header = msgspec.structs.replace(header, started=history.began)
        header = header_with(header, own, lost) if own else header
        header = told_by_turns(header, turns, place.tally)
        steps = steps_of(turns, BROWSER_USE, place.tally, lost, answered=False, understand=history.understand)
        yield ImportedEpisode(header, steps_with(steps, own, lost), lost, made_by=made_by_ours(own))


def create() -> BrowserUse:
    """The entry point."""
    return BrowserUse()


def _tell_of_others(root: JsonObject, items: list[JsonObject], lost: Lost) -> None:
    """What a file made by hand may have, and browser-use never writes: it is kept, and means nothing here."""
    outputs = [one.get("model_output") for one in items]
    if odd := sum(one is not None and not _has_actions(one) for one in outputs):
        lost.append(
            f"{counted(odd, 'step')} without a list of actions in model_output: nothing is done in it"
        )
    if others := sorted(name[:40] for name in root.keys() - {"history", OWN}):
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        lost.tally.notice(f"kept unread, as browser-use has no such keys: {', '.join(others[:NAMED])}{more}")


def _has_actions(output: Json) -> bool:
    return isinstance(output, dict) and isinstance(output.get("action"), list)


def _beside(place: Place) -> bool:
    folder = place.parent.parent
    return any(
        name.endswith(".json") and (folder / name).has_text('"history"', '"model_output"')
        for name in folder.names
    )


def _verdict(last: JsonObject) -> tuple[Score, bool]:
    """The judge's verdict where there is one, with the agent's own claim, and whether it ended by itself."""
    results = [one for one in _listed(last.get("result")) if isinstance(one, dict)]
    final = results[-1] if results else {}
    claim = Check(
        name="claim",
        target="the agent's own claim",
        actual=final.get("success"),
        value=float(final.get("success") is True),
        counted=False,
        why="what the agent said of itself; it is not the verdict",
    )
    done = final.get("is_done") is True
    checks = (claim,) if done and isinstance(final.get("success"), bool) else ()
    judged = final.get("judgement")
    verdict = judged.get("verdict") if isinstance(judged, dict) else None
    if isinstance(judged, dict) and isinstance(verdict, bool):
        why = (
            text_of(judged.get("failure_reason") or judged.get("reasoning"))[:2000]
            or "the judge gave no reason"
        )
        score = recorded_score(float(verdict), "browser-use's judge", why, actual=verdict)
        return msgspec.structs.replace(score, checks=(*score.checks, *checks)), done
    return not_scored("the history has no verdict", rules=RULES, checks=checks), done


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


class _History:
    """The steps of a file as turns, each with the state that the next one began in.

    Attributes:
        site: the first address that is one.
        began: when the first step did.
    """

    def __init__(self, items: list[JsonObject], place: Place, lost: Lost) -> None:
        self._items, self._place, self._lost = items, place, lost
        self._states: list[JsonObject] = [
            one["state"] if isinstance(one.get("state"), dict) else {} for one in items
        ]
        self._elements: dict[str, tuple[Json, dict[str, int]]] = {}
        urls = [text_of(state.get("url")) for state in self._states]
        first: Json = items[0].get("metadata")
        self.began = utc(first.get("step_start_time")) if isinstance(first, dict) else ""
        self.site = next((url for url in urls if url.startswith("http")), "")

    def turns(self) -> list[Turn]:
        """The first state, then each step."""
        page, picture = self._seen(0)
        first = Turn(speaker="system", results=[Result(page=page, picture=picture, rest=dict(ABSENT))])
        return [first, *(self._turn(number, item) for number, item in enumerate(self._items))]

    def understand(self, call: Call, page: Observation | None) -> Action | None:  # noqa: ARG002 - the history has no tree
        known, tabs = self._elements.get(call.id, (None, {}))
        arguments: JsonObject = call.arguments if isinstance(call.arguments, dict) else {}
        action = action_in(call.name, arguments, element_of(arguments.get("index"), known), tabs)
        if isinstance(action, Type) and action.target is not None and action.target.secret:
            self._lost.append(NO_SECRETS)
        if action is None and call.name:
            self._lost.has("actions")
            lose_action(self._lost, call.name)
        return action

    def _seen(self, number: int) -> tuple[Observation | None, Picture | None]:
        """What the step of this number began with; nothing after the last one."""
        if number >= len(self._items):
            return None, None
        state = self._states[number]
        tabs = [one for one in _listed(state.get("tabs")) if isinstance(one, dict)]
        url = text_of(state.get("url"))
        active = next((at for at, tab in enumerate(tabs) if tab.get("url") == url), 0)
        page = Observation(
            url=url,
            title=text_of(state.get("title")),
            tabs=tuple(
                Tab(at, text_of(tab.get("title")), text_of(tab.get("url")), at == active)
                for at, tab in enumerate(tabs)
            ),
        )
        return page, self._picture(state)

    def _picture(self, state: JsonObject) -> Picture | None:
        embedded, beside = state.get(_EMBEDDED), state.get(_BESIDE)
        if isinstance(embedded, str) and embedded:
            return picture_of_base64(embedded, self._lost)
        if not isinstance(beside, str) or not beside:
            return None
        for parts in _places_of(beside):
            place = self._place.parent
            for part in parts:
                place = place / part
            if _is_there(place):
                return self._read(place)
        self._lost.has("pictures")
        told = "a screenshot is a file that lies nowhere in what is imported; its path is kept"
        self._lost.lose("pictures", told)
        return None

    def _read(self, place: Place) -> Picture | None:
        try:
            return Picture(place.read(LARGEST_PICTURE))
        except BadData as error:
            self._lost.has("pictures")
            self._lost.lose("pictures", f"a screenshot: {error}", why="a screenshot that can't be read")
            return None

    def _turn(self, number: int, item: JsonObject) -> Turn:
        output = item["model_output"] if isinstance(item.get("model_output"), dict) else None
        metadata: JsonObject = item["metadata"] if isinstance(item.get("metadata"), dict) else {}
        began, ended = metadata.get("step_start_time"), metadata.get("step_end_time")
        turn = Turn(
            speaker=AGENT,
            reasoning=_thoughts(output or {}),
            calls=self._calls(number, output),
            at=utc(ended),
            seconds=_seconds(began, ended),
            usage={"input_tokens": metadata["input_tokens"]}
            if _is_count(metadata.get("input_tokens"))
            else {},
            own={},
        )
        turn.results = self._results(item, turn.calls)
        page, picture = self._seen(number + 1)
        turn.results[-1].page, turn.results[-1].picture = page, picture
        turn.rest = self._rest(item, output)
        return turn

    def _calls(self, number: int, output: JsonObject | None) -> list[Call]:
        calls = []
        state = self._states[number]
        elements = _listed(state.get("interacted_element"))
        tabs = {
            text_of(tab.get(key)): at
            for at, tab in enumerate(_listed(state.get("tabs")))
            if isinstance(tab, dict)
            for key in ("target_id", "page_id")
            if tab.get(key) is not None
        }
        for at, action in enumerate(_listed((output or {}).get("action"))):
            name, arguments = (
                next(iter(action.items()), ("", {})) if isinstance(action, dict) else ("", action)
            )
            call = Call(name=name, arguments=arguments, id=f"{number}.{at}")
            if isinstance(action, dict) and len(action) != 1:
                call.rest = {"action": action}
            self._elements[call.id] = (elements[at] if at < len(elements) else None, tabs)
            calls.append(call)
        return calls

    def _results(self, item: JsonObject, calls: list[Call]) -> list[Result]:
        """One for each action that was carried out; an action without one was not."""
        results = []
        for at, one in enumerate(_listed(item.get("result"))):
            rest = dict(one) if isinstance(one, dict) else {"": one}
            text, error = rest.get("extracted_content"), rest.get("error")
            if isinstance(text, str) and text:
                del rest["extracted_content"]
            if isinstance(error, str) and error:
                del rest["error"]
            call = calls[at].id if at < len(calls) else ""
            results.append(Result(call=call, text=_string(text), error=_string(error), rest=rest))
        left = [Result(call=call.id, error=NOT_DONE, rest=dict(ABSENT)) for call in calls[len(results) :]]
        return [*results, *left] or [Result(rest=dict(ABSENT))]

    def _rest(self, item: JsonObject, output: JsonObject | None) -> JsonObject:
        """The step without its actions, results, and the bytes of its picture."""
        rest = {name: value for name, value in item.items() if name not in ("result", "model_output")}
        if isinstance(item.get("state"), dict):
            rest["state"] = {name: value for name, value in item["state"].items() if name != _EMBEDDED}
            if _EMBEDDED in item["state"]:
                rest["state"][_EMBEDDED] = "" if item["state"][_EMBEDDED] else item["state"][_EMBEDDED]
        rest["model_output"] = (
            {name: value for name, value in output.items() if name != "action"}
            if output is not None
            else None
        )
        return rest


def _is_there(place: Place) -> bool:
    """Whether a file lies there; a name too long for a file names none."""
    try:
        return place.path.is_file()
    except OSError:
        return False


def _places_of(path: str) -> Iterator[tuple[str, ...]]:
    """Where the file of a path may lie below the history: as it says, else by its name."""
    pure = PurePosixPath(path.replace("\\", "/"))
    if not pure.is_absolute() and ".." not in pure.parts and ":" not in path:
        yield pure.parts
    if pure.name not in ("", ".."):
        yield "screenshots", pure.name
        yield (pure.name,)


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _seconds(began: Json, ended: Json) -> float | None:
    numbers = [one for one in (began, ended) if isinstance(one, int | float) and not isinstance(one, bool)]
    return max(0.0, float(numbers[1]) - float(numbers[0])) if len(numbers) == 2 else None


def _thoughts(output: JsonObject) -> str:
    """What the model thought, by the names of its parts."""
    state = output.get("current_state")
    said: JsonObject = {**(state if isinstance(state, dict) else {}), **output}
    parts = [(mark, text_of(said.get(name))) for name, mark in _THOUGHTS]
    return "\n".join(f"{mark}{text}" for mark, text in parts if text)

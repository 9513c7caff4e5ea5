"""A record as turns of a conversation, for formats that are made of messages.

Steps that came from one turn of the same format are that turn again. Of a record that came from another
format each step is a turn with what was said and called there, and with the fields of our step. Of our own
records, one that an export brought back among them, each step is a turn: the agent calls a tool named by our
verb, and what it saw then is the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec

from webbench.core.action.action import Action, Say, Stop, verb
from webbench.core.exchange.conversation.spoken_turn import (
    AGENT,
    USAGE,
    Call,
    Result,
    Turn,
    call_of_words,
)
from webbench.core.exchange.conversation.steps_of_turns import own_of
from webbench.core.exchange.episode_building import came_back_in
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Picture
from webbench.core.json_types import Json, JsonObject
from webbench.core.models.spending import spent
from webbench.core.trajectory import Step, Trajectory


def turns_of(source: Source, trajectory: Trajectory, format: str) -> Iterator[Turn]:
    """The turns, in order.

    Args:
        format: which is written; what another format kept with a step is told as lost.
    """
    came_back = bool(came_back_in(trajectory.header))
    ours = came_back and not all(map(_tells_call, trajectory.steps))
    for key, group in groupby(trajectory.steps, (lambda _step: None) if ours else _key):
        steps = list(group)
        theirs = steps[0].source.get("format")
        if theirs and theirs != format and any(_says_more(step) for step in steps):
            source.told.lose(f"what {theirs} says of a step besides")
        as_it_was = theirs == format and not came_back
        if key is None:
            for step in steps:
                yield from _own_turns(source, trajectory, step)
        elif key < 0:
            yield from _before(source, trajectory, steps[0], same=as_it_was)
        elif as_it_was:
            yield _turn(source, trajectory, steps, same=True)
        else:
            for step in steps:
                turn = _turn(source, trajectory, [step], same=False)
                yield msgspec.structs.replace(turn, own=own_of(step))


def _key(step: Step) -> int | None:
    """The turn that a step is of, -1 for what was before the first; None in a record of our own."""
    number = step.source.get("turn")
    if isinstance(number, int):
        return number
    return -1 if isinstance(step.source.get("before"), list) else None


def _tells_call(step: Step) -> bool:
    """Whether a step's text is the call that was made in it; of a step of our own it is our action's."""
    call = step.source.get("call")
    return not isinstance(call, dict) or "name" in call or call_of_words(step.text) is not None


def _says_more(step: Step) -> bool:
    return bool(step.source.get("rest") or step.source.get("call", {}).get("rest"))


def _before(source: Source, trajectory: Trajectory, step: Step, *, same: bool) -> Iterator[Turn]:
    """The turns before the agent's first, with what was seen then."""
    turns = []
    for plain in step.source["before"]:
        try:
            turns.append(msgspec.convert(plain, type=Turn))
        except (msgspec.ValidationError, RecursionError):
            source.told.lose("a message before the first turn that can't be read")
    if same:
        if turns and turns[0].results:
            turns[0].results[-1].picture = _picture(source, trajectory, step)
    elif not turns:
        yield from _own_turns(source, trajectory, step)
    else:
        for turn in turns:
            turn.rest = {}
            for result in turn.results:
                result.rest = {}
        turns[0].own = own_of(step)
        _add_seen(turns, source, trajectory, step)
    yield from turns


def _add_seen(turns: list[Turn], source: Source, trajectory: Trajectory, step: Step) -> None:
    """The page and the picture of a step, with the last of what came back in its turns."""
    page, picture = source.observation(trajectory, step), _picture(source, trajectory, step)
    if page is None and picture is None:
        return
    results = [one for turn in turns for one in turn.results]
    if not results:
        results = [Result()]
        turns[-1].results = results
    results[-1].page, results[-1].picture = page, picture


def _turn(source: Source, trajectory: Trajectory, steps: list[Step], *, same: bool) -> Turn:
    first, kept = steps[0], steps[0].source
    said = isinstance(first.action, Say | Stop) and "call" not in kept
    turn = Turn(
        speaker=str(kept.get("speaker") or AGENT),
        text=_words(first) if said or "call" not in kept else first.reply,
        reasoning=first.reasoning,
        model=str(kept.get("model") or ""),
        usage=_object(kept.get("copied")) or dict(first.usage),
        counts="copied" not in kept,
        at=first.at,
        seconds=first.seconds.agent or None,
        rest=_object(kept.get("rest")) if same else {},
    )
    turn.calls = [_call(step, same=same) for step in steps if "call" in step.source]
    turn.results = [one for step in steps for one in _results(source, trajectory, step, same=same)]
    return turn


def _words(step: Step) -> str:
    """What was said, without the speaker's name before it."""
    action = step.action
    if isinstance(action, Stop):
        return action.answer
    return action.text if isinstance(action, Say) else step.text


def _object(value: Json) -> JsonObject:
    return dict(value) if isinstance(value, dict) else {}


def _call(step: Step, *, same: bool) -> Call:
    kept = _object(step.source.get("call"))
    read = call_of_words(step.text)
    return Call(
        name=str(kept.get("name") or (read.name if read else "")),
        arguments=read.arguments if read else kept.get("arguments", step.text),
        id=str(kept.get("id") or ""),
        rest=_object(kept.get("rest")) if same else {},
    )


def _results(source: Source, trajectory: Trajectory, step: Step, *, same: bool) -> Iterator[Result]:
    kept = step.source.get("results")
    kept = [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []
    picture = _picture(source, trajectory, step)
    for number, one in enumerate(kept, 1):
        last = number == len(kept)
        yield Result(
            call=str(one.get("call") or ""),
            text=str(one["text"]) if "text" in one else step.output,
            error=step.error if last else "",
            page=source.observation(trajectory, step) if last and not same else None,
            picture=picture if last else None,
            rest=_object(one.get("rest")) if same else {},
        )
    if not kept and not same:
        yield from _own_results(
            source, trajectory, step, str(_object(step.source.get("call")).get("id") or "")
        )


def _own_turns(source: Source, trajectory: Trajectory, step: Step) -> Iterator[Turn]:
    """A step of our own record: at the start the task and the first page, then what was done and seen."""
    own = own_of(step)
    if step.index == 0:
        yield Turn(speaker="user", text=trajectory.header.task.intent, at=step.at, own=own)
        seen = list(_own_results(source, trajectory, step, ""))
        if seen:
            yield Turn(speaker="system", text="The page at the start.", results=seen, at=step.at)
        return
    named = f"step-{step.index}"
    call = _own_call(step, named)
    yield Turn(
        speaker=AGENT,
        text=step.reply if call else _words(step),
        reasoning=step.reasoning,
        model=step.calls[-1].model if step.calls else "",
        calls=[call] if call else [],
        results=list(_own_results(source, trajectory, step, named if call else "")),
        usage=_usage(step.usage),
        at=step.at,
        seconds=step.seconds.agent or None,
        own=own,
    )


def _own_call(step: Step, id: str) -> Call | None:
    action: Action | None = step.action
    if action is None or isinstance(action, Say | Stop):
        return None
    arguments: JsonObject = msgspec.to_builtins(action)
    del arguments["verb"]
    return Call(name=verb(action), arguments=arguments, id=id)


def _own_results(source: Source, trajectory: Trajectory, step: Step, id: str) -> Iterator[Result]:
    page = source.observation(trajectory, step)
    picture = _picture(source, trajectory, step)
    if step.output or step.error or page is not None or picture is not None:
        yield Result(call=id, text=step.output, error=step.error, page=page, picture=picture)


def _usage(usage: JsonObject) -> JsonObject:
    """Tokens and cost under the names of a turn."""
    took = spent(usage)
    found = {"prompt_tokens": took.input_tokens, "completion_tokens": took.output_tokens, "cost": took.cost}
    named = {name: usage[name] for name in USAGE if name in usage}
    return {name: value for name, value in found.items() if value is not None} | named


def _picture(source: Source, trajectory: Trajectory, step: Step) -> Picture | None:
    found = source.picture(trajectory, step)
    return Picture(found.data, found.scale, found.full_page, found.origin) if found is not None else None

"""Turns of a conversation as steps of a record.

What stands before the agent's first turn is the start. Every turn after it is a step; a turn that calls
several tools is a step for each call, of which the first has the words, the reasoning and what they cost. The
source's own words go into `Step.source`, so that the same format gets back what it gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from webbench.core.action.action import Action, Say, Stop
from webbench.core.exchange.account.recorded_counts import count_imported
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.agent_data.actions import action_of_call
from webbench.core.exchange.conversation.spoken_turn import Call, Result, Turn, call_words, conversation_text
from webbench.core.exchange.import_format import ImportedStep, Picture
from webbench.core.exchange.own.carried_fields import OF_PICTURE, picture_with
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.trajectory import EpisodeHeader, Seconds, Step

OWN_FIELDS = (
    *(
        "at",
        "actor",
        "text",
        "dialect",
        "action",
        "ok",
        "error",
        "matched_by",
        "prompt",
        "reply",
        "calls",
        "usage",
    ),
    *(
        "output",
        "agent_state",
        "proposed",
        "provenance",
        "note",
        "url",
        "title",
        "condition",
        "evidence",
        "score",
        "messages",
        "seconds",
    ),
    "limit_count",
)
"""Fields of our own step that an export gives back as they were; `at` only where a turn has no time."""


Understand = Callable[[Call, Observation | None], Action | None]
"""What a call does in the browser, on the page that it was made on."""


def action_of_page_call(call: Call, page: Observation | None) -> Action | None:
    """The action of a call in our words, in BrowserGym's, or on an element named by XPath or selector."""
    return action_of_call(call.name, call.arguments, page) if isinstance(call.arguments, dict) else None


def intent_of(turns: Sequence[Turn]) -> str:
    """What the user asked for first."""
    return next((turn.text for turn in turns if turn.speaker == "user" and turn.text), "")


def told_by_turns(header: EpisodeHeader, turns: Sequence[Turn], tally: Tally) -> EpisodeHeader:
    """The header with the times of the first and the last turn where it has none; the tally takes it up."""
    times = [turn.at for turn in turns if turn.at]
    header = msgspec.structs.replace(
        header,
        started=header.started or (times[0] if times else ""),
        ended=header.ended or (times[-1] if times else ""),
    )
    count_imported(tally, header)
    return header


def ends_answered(turns: Sequence[Turn]) -> bool:
    """Whether the last turn is the agent's, and nothing was called in it and nothing came back."""
    return bool(turns) and turns[-1].of_agent and not turns[-1].calls and not turns[-1].results


def steps_of(
    turns: Sequence[Turn],
    format: str,
    tally: Tally,
    lost: Lost,
    *,
    answered: bool,
    understand: Understand = action_of_page_call,
) -> Iterator[ImportedStep]:
    """The steps, numbered from 0.

    Args:
        format: under whose name the source's own words are kept.
        tally: takes up, by kind, what the turns have. That nothing of the source is missing is told by its
            values, each of which has to stand in the record: the format hands them to the tally itself.
        lost: told of pictures that a step has no place for.
        answered: the agent's last words are its answer.
        understand: what a call does in the browser, None for one that does nothing there.
    """
    first = next((number for number, turn in enumerate(turns) if turn.of_agent), len(turns))
    start = _start(turns[:first], format, tally, lost)
    count_imported(tally, start)
    yield start
    index = 0
    page: Observation | None = None
    for number, turn in enumerate(turns[first:], first):
        last = answered and number == len(turns) - 1
        for one in _steps(turn, number, format, page, tally, lost, understand, last=last):
            index += 1
            page = one.observation or page
            one = msgspec.structs.replace(one, step=msgspec.structs.replace(one.step, index=index))
            count_imported(tally, one)
            yield one


def _start(turns: Sequence[Turn], format: str, tally: Tally, lost: Lost) -> ImportedStep:
    results = [result for turn in turns for result in turn.results]
    page, picture = _seen(results, tally, lost)
    step = Step(
        index=0,
        at=turns[0].at if turns else "",
        actor="operator",
        prompt=conversation_text(turns),
        output=_output(results),
        url=page.url if page is not None else "",
        title=page.title if page is not None else "",
        source={"format": format, "before": [_plain(turn) for turn in turns]},
    )
    own = next((turn.own for turn in turns if turn.own), {})
    return ImportedStep(_with_own(step, own, lost), page, picture_with(picture, own, lost))


def _plain(turn: Turn) -> JsonObject:
    """A turn as JSON, without what is kept beside it."""
    results = [msgspec.structs.replace(one, page=None, picture=None) for one in turn.results]
    plain: JsonObject = msgspec.to_builtins(msgspec.structs.replace(turn, results=results, own={}))
    return plain


def _steps(
    turn: Turn,
    number: int,
    format: str,
    page: Observation | None,
    tally: Tally,
    lost: Lost,
    understand: Understand,
    *,
    last: bool,
) -> Iterator[ImportedStep]:
    parts = _parts(turn)
    for part, (call, results) in enumerate(parts):
        seen, picture = _seen(results, tally, lost)
        failed = next((one.error for one in results if one.error), "")
        step = Step(
            index=0,
            at=turn.at,
            actor="agent" if turn.of_agent else "operator",
            text=call_words(call) if call else _said(turn),
            action=understand(call, page) if call else _spoken(turn, last=last),
            ok=not failed,
            error=failed,
            output=_output(results),
            note="" if turn.of_agent else turn.speaker,
            url=seen.url if seen is not None else "",
            title=seen.title if seen is not None else "",
            source={"format": format, "turn": number} | _source(turn, call, results, first=not part),
        )
        if not part:
            step = _with_words(step, turn, called=call is not None)
        yield ImportedStep(_with_own(step, turn.own, lost), seen, picture_with(picture, turn.own, lost))


def _parts(turn: Turn) -> list[tuple[Call | None, list[Result]]]:
    """Each call with its results; what answers none of them comes with the last."""
    if not turn.calls:
        return [(None, list(turn.results))]
    parts: list[tuple[Call | None, list[Result]]] = [(call, []) for call in turn.calls]
    open_calls = {call.id: at for at, call in reversed(list(enumerate(turn.calls))) if call.id}
    for result in turn.results:
        parts[open_calls.get(result.call, -1)][1].append(result)
    return parts


def _said(turn: Turn) -> str:
    return turn.text if turn.of_agent or not turn.text else f"{turn.speaker}: {turn.text}"


def _spoken(turn: Turn, *, last: bool) -> Action | None:
    if last:
        return Stop(answer=turn.text)
    return Say(text=turn.text) if turn.text else None


def _with_words(step: Step, turn: Turn, *, called: bool) -> Step:
    """The first step of a turn: what was said beside the call, why, and what it took."""
    return msgspec.structs.replace(
        step,
        reasoning=turn.reasoning,
        reply=turn.text if called else "",
        usage=dict(turn.usage) if turn.counts else {},
        seconds=Seconds(agent=max(0.0, turn.seconds)) if turn.seconds is not None else Seconds(),
    )


def _output(results: Sequence[Result]) -> str:
    return "\n".join(one.text for one in results if one.text)


def _source(turn: Turn, call: Call | None, results: Sequence[Result], *, first: bool) -> JsonObject:
    """What of the turn the step has no field for."""
    kept: JsonObject = {}
    if first:
        kept = {"speaker": turn.speaker, "model": turn.model, "rest": turn.rest}
        if not turn.counts:
            kept["copied"] = turn.usage
    if call is not None:
        kept["call"] = {"id": call.id, "rest": call.rest}
        if not isinstance(call.arguments, dict) or "\\" in call_words(call):
            kept["call"] |= {"name": call.name, "arguments": call.arguments}
    if results:
        whole = len(results) > 1
        kept["results"] = [
            {"call": one.call, "rest": one.rest} | ({"text": one.text} if whole else {}) for one in results
        ]
    return {name: value for name, value in kept.items() if value not in ("", {}, [])}


def _seen(results: Sequence[Result], tally: Tally, lost: Lost) -> tuple[Observation | None, Picture | None]:
    """The last page and the last picture among them; further pictures are told."""
    pages = [one.page for one in results if one.page is not None]
    pictures = [one.picture for one in results if one.picture is not None]
    left = max(0, len(pictures) - 1) + sum(one.pictures for one in results)
    if left:
        tally.count("pictures", left)
        lost.lose("pictures", f"further pictures of one step: {left}", left, why="a step has one picture")
    return pages[-1] if pages else None, pictures[-1] if pictures else None


def own_of(step: Step) -> JsonObject:
    """The fields of our own step that formats of messages have no place for; defaults are left out."""
    plain: JsonObject = msgspec.to_builtins(step)
    found = {name: plain[name] for name in (*OWN_FIELDS, *OF_PICTURE) if name in plain and name != "at"}
    return {"actor": step.actor, **found}


def _with_own(step: Step, own: JsonObject, lost: Lost) -> Step:
    """The step with fields that an export of ours added beside the format's."""
    if not own:
        return step
    known = {name: own[name] for name in OWN_FIELDS if name in own}
    known |= {"at": utc(own["at"]) or step.at} if "at" in own else {}
    try:
        given = msgspec.convert({"index": step.index, "at": step.at, **known}, type=Step)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        lost.append(f"fields of webbench-tui that can't be read: {str(error)[:120]}")
        return step
    return msgspec.structs.replace(step, **{name: getattr(given, name) for name in OWN_FIELDS})

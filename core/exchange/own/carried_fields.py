"""Carried fields: what an export of ours says beside a format's own fields, so that it comes back.

Most formats have a place for what they don't know: `extra`, `info`, `details`, a key that readers pass over.
There an export tells of the header what the format has no field for, and of each step too where the format
has no place beside a step:

`{made_by, origin, benchmark, task, site, split, actor, end_reason, score, header: {},
steps: [{step, action, ...}]}`

`task` is the task's id, `step` the number that the step has when it is read; its action only adds to the one
that is read, where the two don't contradict each other. What an answer is held against
(`gold`), what a task's page needs (`data`) and settings of runs are not told: others read these files. Of the
place that an episode was imported from they get the name alone.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from importlib.metadata import version

import msgspec

from webbench.core.action.action import Action, Say, Stop, Type
from webbench.core.exchange.account.kinds import Kind, kind_of_figure
from webbench.core.exchange.account.recorded_counts import is_scored
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.account.told_losses import Losses
from webbench.core.exchange.episode_building import ORIGIN, SUBAGENT_OF, text_of
from webbench.core.exchange.import_format import ImportedStep, MadeBy, Picture
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.store.secrets.outgoing import origin_without_folders
from webbench.core.task import name_and_instance
from webbench.core.text import bounded_json
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, Trajectory, known_end

OWN = "webbench"
"""The key under which most formats carry it."""
_PLACE = "place"
"""Tells what the place was before we told something in it, where it was empty: "none", "null" or "text"."""
_IN_TEXT = f'"{OWN}": '
_OF_ORIGIN = frozenset({ORIGIN, "benchmark", "task", SUBAGENT_OF, _PLACE})
"""What is told beside an episode that goes out as it came."""
MADE_BY, PROGRAM = "made_by", "webbench-tui"
LONGEST_NAME = 200
"""Characters of a tool's name, and of its version, that are kept."""
OF_HEADER = (
    *("dialect", "rules", "seed", "repeat", "actors", "driver", "visitor", "versions", "warnings"),
    *("elapsed_before", "concurrent", "agent_reach"),
)
OF_TASK = ("benchmark", "site", "split")
MORE_OF_TASK = ("intent", "kind", "template")
OF_STEP = (
    *("at", "actor", "text", "dialect", "ok", "error", "output", "matched_by", "prompt", "reply", "usage"),
    *("agent_state", "proposed", "provenance", "note", "url", "title", "condition", "score", "seconds"),
    "limit_count",
)
OF_PICTURE = ("screenshot_scale", "screenshot_full_page", "screenshot_origin")
"""Of a step's screenshot, which only means something where the picture is there."""


def header_told(header: EpisodeHeader) -> JsonObject:
    """What is told of an episode, without what is empty."""
    task = header.task
    plain: JsonObject = msgspec.to_builtins(header)
    times = {"started": header.started, "ended": known_end(header)}
    more = {name: plain[name] for name in OF_HEADER if name in plain} | {"rules": header.rules}
    more |= {name: getattr(task, name) for name in MORE_OF_TASK}
    told: JsonObject = {
        ORIGIN: origin_without_folders(header.settings.get(IMPORTED)),
        **_around(header),
        MADE_BY: f"{PROGRAM} {version(PROGRAM)}",
        "task": task.id,
        **{name: getattr(task, name) for name in OF_TASK},
        "actor": header.actor,
        "end_reason": header.end_reason,
        "score": plain.get("score"),
        "header": {name: one for name, one in {**more, **times}.items() if one},
    }
    return {name: one for name, one in told.items() if one}


def origin_of(header: EpisodeHeader) -> JsonObject:
    """What is told beside an episode that goes out as it came: its name here, and where it came from."""
    origin, task = origin_without_folders(header.settings.get(IMPORTED)), header.task
    if not isinstance(origin, dict):
        return {}
    is_read_so = name_and_instance(task.id) == (task.name, task.instance)
    return {
        ORIGIN: origin,
        "benchmark": task.benchmark,
        **({"task": task.id} if is_read_so else {}),
        **_around(header),
    }


def _around(header: EpisodeHeader) -> JsonObject:
    return {SUBAGENT_OF: header.settings[SUBAGENT_OF]} if SUBAGENT_OF in header.settings else {}


def tells_record(own: JsonObject) -> bool:
    """Whether an export of ours told the record in it, and not where it came from alone."""
    return bool(own) and not (ORIGIN in own and own.keys() <= _OF_ORIGIN)


def with_origin(holder: JsonObject, key: str, header: EpisodeHeader, lost: Losses) -> JsonObject:
    """An object as it came, with where it came from in its place for what the format doesn't know.

    Args:
        key: of that place, which may be JSON in a text; what is nothing of the sort stays, and it is told.
    """
    told = origin_of(header)
    if not told:
        return holder
    place = holder.get(key)
    if place in (None, ""):
        told[_PLACE] = ("null" if key in holder else "none") if place is None else "text"
        made: JsonObject = {OWN: told}
        return {**holder, key: json.dumps(made) if place == "" else made}
    within = decoded_object(place) if isinstance(place, str) else place
    if isinstance(within, dict) and OWN in within:
        lost.lose(f"where it came from: its {key} has something else named {OWN}")
        return holder
    if isinstance(place, dict):
        return {**holder, key: {**place, OWN: told}}
    if isinstance(place, str) and isinstance(within, dict):
        opened, closed = place[: place.rindex("}")], place[place.rindex("}") :]
        return {**holder, key: f"{opened}{', ' if within else ''}{_IN_TEXT}{json.dumps(told)}{closed}"}
    lost.lose(f"where it came from: what stands in its {key} is no object")
    return holder


def without_origin(holder: JsonObject, key: str) -> tuple[JsonObject, JsonObject]:
    """The object as it came, and what `with_origin` told in it; {} where nothing did."""
    place = holder.get(key)
    within = decoded_object(place) if isinstance(place, str) else place
    own = own_in(within)
    if not own or not isinstance(within, dict) or tells_record(own):
        return holder, {}
    bare = {name: one for name, one in within.items() if name != OWN}
    match own.get(_PLACE):
        case "none" if not bare:
            return {name: one for name, one in holder.items() if name != key}, own
        case "null" | "text" as was if not bare:
            return {**holder, key: None if was == "null" else ""}, own
    return {**holder, key: _without_ours(place, bare) if isinstance(place, str) else bare}, own


def _without_ours(text: str, bare: JsonObject) -> str:
    """The JSON text of an object as it was before ours was put to its end."""
    before = text[: text.rfind(_IN_TEXT)].removesuffix(", ")
    found = before + text[text.rindex("}") :]
    return found if decoded_object(found) == bare else json.dumps(bare)


def decoded_object(text: str) -> JsonObject | None:
    """The JSON object that a text is, None for any other text."""
    try:
        found = bounded_json.decode(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def for_others(header: EpisodeHeader) -> EpisodeHeader:
    """The header as it leaves this machine: whole, but for the folders of its origin."""
    if IMPORTED not in header.settings:
        return header
    origin = origin_without_folders(header.settings[IMPORTED])
    return msgspec.structs.replace(header, settings={**header.settings, IMPORTED: origin})


def made_by_ours(own: JsonObject) -> MadeBy:
    """The release of ours that told the record, of files of others nothing."""
    tool, _, number = text_of(own.get(MADE_BY)).partition(" ")
    return MadeBy(tool=tool[:LONGEST_NAME], version=number[:LONGEST_NAME])


def said_or_done(trajectory: Trajectory) -> list[Step]:
    """The start, and the steps with an action or a text, in formats that have no place for others."""
    return [step for step in trajectory.steps if not step.index or step.action is not None or step.text]


def without_enter(step: Step) -> Step:
    """The step in a format where Enter after a text is a step of its own, and must not come twice."""
    if isinstance(step.action, Type) and step.action.enter:
        return msgspec.structs.replace(step, action=msgspec.structs.replace(step.action, enter=False))
    return step


def steps_told(placed: Iterable[tuple[int, Step]]) -> list[JsonObject]:
    """What is told of steps, each with the number that it has when the file is read again."""
    told = []
    for number, step in placed:
        plain: JsonObject = msgspec.to_builtins(step)
        fields = {
            name: plain[name] for name in (*OF_STEP, *OF_PICTURE) if plain.get(name) not in (None, "", {})
        }
        told.append({"step": number, "action": plain.get("action"), "actor": step.actor, **fields})
    return told


def own_in(holder: Json) -> JsonObject:
    """What an export of ours told in an object of the format, {} in files of others."""
    own = holder.get(OWN) if isinstance(holder, dict) else None
    return own if isinstance(own, dict) else {}


def header_with(header: EpisodeHeader, own: JsonObject, lost: Lost) -> EpisodeHeader:
    """The header with what an export of ours told of it; what can't be read is told, and left."""
    more = own["header"] if isinstance(own.get("header"), dict) else {}
    named, instance = name_and_instance(text_of(own.get("task")))
    task: JsonObject = {name: own[name] for name in OF_TASK if own.get(name)}
    if more:  # all of it is told then: what is left out is empty
        task = {"site": "", "split": "", "kind": "", "template": ""} | task
    task |= {name: more[name] for name in MORE_OF_TASK if more.get(name)}
    task |= {"name": named, "instance": instance} if named else {}
    fields: JsonObject = {name: own[name] for name in ("actor", "end_reason") if own.get(name)}
    fields |= {name: more[name] for name in OF_HEADER if name in more}
    fields |= {name: at for name in ("started", "ended") if (at := utc(more.get(name)))}
    found: JsonObject = {
        "run": "",
        "episode": "",
        "actor": header.actor,
        "dialect": header.dialect,
        "task": {"benchmark": header.task.benchmark, "name": header.task.name, **task},
        **fields,
    }
    try:
        given = msgspec.convert(found, type=EpisodeHeader)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        lost.append(f"fields of webbench-tui that can't be read: {str(error)[:120]}")
        return header
    kept = msgspec.structs.replace(header.task, **{name: getattr(given.task, name) for name in task})
    return msgspec.structs.replace(header, task=kept, **{name: getattr(given, name) for name in fields})


def score_with(recorded: Score | None, own: JsonObject, lost: Lost) -> Score | None:
    """The whole score that an export of ours told, where the format's own figure is the same one still."""
    told = own_score(own, lost)
    if told is None or recorded is None:
        return recorded
    if told.value == recorded.value:
        return told
    if is_scored(told):
        lost.has("scores")
        figure = "none" if recorded.value is None else f"{recorded.value:g}"
        line = f"a score of {told.value:g} that an export of ours told: the file's own is {figure}, and holds"
        lost.lose("scores", line, why="the file has another score of its own")
    return recorded


def score_beside(recorded: Score, own: JsonObject, lost: Lost) -> Score | None:
    """As `score_with`, of a format whose files need no score: a verdict in them holds, else ours."""
    return score_with(recorded, own, lost) if is_scored(recorded) else own_score(own, lost) or recorded


def own_score(own: JsonObject, lost: Lost) -> Score | None:
    """The score that an export of ours has beside the episode; one that can't be read is told, and None."""
    if own.get("score") is None:
        return None
    try:
        return msgspec.convert(own["score"], type=Score)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        lost.has("scores")
        why = "the score of an export of ours can't be read"
        lost.lose("scores", f"{why}: {str(error)[:120]}", why=why)
        return None


def steps_with(
    steps: Iterable[ImportedStep], own: JsonObject, lost: Lost, *, left: Container[str] = ()
) -> Iterator[ImportedStep]:
    """The steps with what an export of ours told of them; the tally counts what comes with it.

    It is taken up only for a step in which the same is done still, as the file may have been changed since.

    Args:
        left: fields that stay as they are read.
    """
    told: dict[int, JsonObject] = {}
    for one in own.get("steps") or () if isinstance(own.get("steps"), list) else ():
        number = one.get("step") if isinstance(one, dict) else None
        if isinstance(number, int) and not isinstance(number, bool) and number not in told:
            told[number] = one
    for one in steps:
        fields = told.pop(one.step.index, None)
        if fields is None:
            yield one
            continue
        step = _with_fields(one.step, fields, lost, left)
        _count_more(one.step, step, lost)
        yield msgspec.structs.replace(one, step=step, picture=picture_with(one.picture, fields, lost))
    for number in told:
        lost.append(f"fields of webbench-tui of a step {number} that is not there")


def picture_with(picture: Picture | None, told: JsonObject, lost: Lost) -> Picture | None:
    """The screenshot with its scale, and where in the window it begins, as an export of ours told."""
    known = {name: told[name] for name in OF_PICTURE if name in told}
    if picture is None or not known:
        return picture
    try:
        given = msgspec.convert({"index": 0, "at": "", **known}, type=Step)
    except (msgspec.ValidationError, RecursionError) as error:
        lost.append(f"fields of webbench-tui that can't be read: {str(error)[:120]}")
        return picture
    return Picture(picture.data, given.screenshot_scale, given.screenshot_full_page, given.screenshot_origin)


def _with_fields(step: Step, told: JsonObject, lost: Lost, left: Container[str]) -> Step:
    known = {name: told[name] for name in OF_STEP if name in told}
    known |= {"at": utc(told["at"]) or step.at} if "at" in told else {}
    try:
        given = msgspec.convert(
            {"index": step.index, "at": step.at, **known, "action": told.get("action")}, type=Step
        )
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        lost.append(f"fields of webbench-tui that can't be read: {str(error)[:120]}")
        return step
    meant = given.action
    if isinstance(meant, Stop) and step.action == Say(text=meant.answer):
        step = msgspec.structs.replace(step, action=Stop(answer=meant.answer))
    if step.text and given.text == step.text:  # the very words of it are the same
        step = msgspec.structs.replace(step, action=meant)
    if type(meant) is not type(step.action):
        lost.append(f"fields of webbench-tui of step {step.index}: something else was done in it")
        return step
    fields = {name: getattr(given, name) for name in OF_STEP if name not in left}
    return msgspec.structs.replace(step, **fields, action=_filled(step.action, meant))


def _filled(action: Action | None, meant: Action | None) -> Action | None:
    """The action with what the format has no argument for; as it is where the two say different things."""
    if action is None or meant is None:
        return action
    read, told = msgspec.to_builtins(action), msgspec.to_builtins(meant)
    element, named = read.pop("target", None) or {}, told.pop("target", None) or {}
    known = [name for name in ("id", "name", "selector") if element.get(name)]
    same = not element or any(element[name] == named.get(name) for name in known)
    return meant if same and _is_part(read, told) else action


def _is_part(some: Json, whole: Json) -> bool:
    """Whether all that is said in `some` is said in `whole` too; records leave out what is as usual."""
    if isinstance(some, dict) and isinstance(whole, dict):
        return all(name in whole and _is_part(one, whole[name]) for name, one in some.items())
    return bool(some == whole)


def _count_more(before: Step, after: Step, lost: Lost) -> None:
    """The source has what only these fields tell, and has no action where they tell that words were none."""
    kinds: list[tuple[Kind, Json, Json]] = [
        ("prompts", before.prompt, after.prompt),
        ("replies", before.reply, after.reply),
        ("notes", before.note, after.note),
        ("times", before.at, after.at),
        *(
            ("times", getattr(before.seconds, name), getattr(after.seconds, name))
            for name in ("idle", "agent", "environment", "scoring")
        ),
    ]
    for kind, was, now in kinds:
        lost.has(kind, bool(now) - bool(was))
    lost.has("actions", (after.action is not None) - (before.action is not None))
    lost.has("scores", is_scored(after.score) - is_scored(before.score))
    for usage, sign in ((before.usage, -1), (after.usage, 1)):
        for name in usage:
            if (kind := kind_of_figure(name)) != "values":
                lost.has(kind, sign)

r"""WebArena's `render_<task>.html`, joined with `config.json`, log files and `traces/<task>.zip` beside it.

The page has the task's settings as `name: Python literal` lines, then for each state `<h3 class='url'>`,
`<div class='state_obv'>` with the accessibility tree, mostly an `<img>`, `<div class='prev_action'>` and
`<div class='predict_action'>`: the model's words, the action as Python prints it (not read), the action in
WebArena's words (`click [5] where [5] is ...`). Nothing in it is escaped, so it is taken apart by its marks.
A log file says `[Result] (PASS) .../<task>.json`; `error.txt` what ended a task without a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.source_shape import Frame, Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    lose_action,
    lose_tree,
    numbered,
    object_in,
)
from webbench.core.exchange.foreign_terms import RULES, action_of, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.exchange.webarena.joined_trace import TRACES, Joined, join_trace
from webbench.core.exchange.webarena.result_page import RenderedState, rendered_states, task_settings
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Tab
from webbench.core.score.score import Score, failed
from webbench.core.task import Task
from webbench.core.trajectory import Step

BENCHMARK = DIALECT = "webarena"
CONFIG, ERRORS = "config.json", "error.txt"
LARGEST_LOG = 64 * 1024 * 1024
SHAPE = Shape({"settings.eval": Frame(), "settings.*": "values", "config": "values"})
NO_TREE = "a tree that is not there, or breaks off"
_MARKS: dict[Kind, str] = {
    "steps": "class='parsed_action'",
    "actions": "class='parsed_action'",
    "replies": "class='raw_parsed_prediction'",
    "pictures": "<img src='data:image/",
}
_PAGE = re.compile(r"^render_(\w{1,40})\.html$")
_LOG = re.compile(r"^(log|merged_log).*\.(log|txt)$")
_RESULT = re.compile(r"\[Result\] \((PASS|FAIL)\) \S*?(\w+)\.json")
_FAILED = re.compile(r"\[Config file\]: \S*?(\w+)\.json\s*\n\[Unhandled Error\] (.*)")
_FENCED = re.compile(r"```+(.+?)```+", re.DOTALL)
_WHERE = re.compile(r" where \[[^\]]*\] is .*$", re.DOTALL)
_TAB = re.compile(r"^Tab (\d{1,3})( \(current\))?: (.*)$")


class WebArenaRender:
    name = "webarena-render"
    title = "WebArena results (render_<task>.html)"
    looks_like = "render_<task>.html with config.json, log_files and traces/<task>.zip of Playwright"

    def claim(self, place: Place) -> Claim | None:
        if _PAGE.match(place.name):
            return Claim() if place.has_text("<pre>", "task_id:") else None
        if place.is_folder or place.path == place.root:
            return None
        return _companion(place)

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        page = place.text()
        lost = place.tally.losses()
        if place.path == place.root:
            lost.append("the run's settings, logs and trace: import the folder rather than the page alone")
        settings = task_settings(page)
        config = _config(place, lost)
        states = list(rendered_states(page, lost))
        if not states:
            raise BadData(f"{place} holds no state of a page")
        number = _number(place)
        _count(page, settings, config, place.tally)
        joined = join_trace(place, number, len(states), lost)
        last = states[-1].parsed.partition(" ")[0]
        header = foreign_header(
            _task(number, settings),
            str(config.get("model") or "WebArena agent"),
            dialect=DIALECT,
            score=_score(place, number, lost),
            end_reason=STOPPED if last == "stop" else RECORD_ENDS,
            settings={"config": config} if config else {},
        )
        header = msgspec.structs.replace(header, started=joined.trace.started, ended=joined.trace.ended)
        yield ImportedEpisode(header, numbered(_steps(states, joined, lost)), lost)


def _count(page: str, settings: JsonObject, config: JsonObject, tally: Tally) -> None:
    """By the marks of the page: a state each, with what was then said and done."""
    tally.count("episodes")
    states = page.count("<h3 class='url'>")
    for kind, mark in _MARKS.items():
        tally.count(kind, page.count(mark))
    tally.count("trees", states)
    tally.read({"settings": settings, "config": config}, SHAPE)
    tally.retold("times", "start and end of each call of the trace are told as a time and spans")
    tally.retold("html", "the trace's snapshot of each state; the page has none")
    for kind in ("messages", "exchanges"):
        tally.retold(kind, "from the trace, whose own account says what is left out of it")
    tally.retold("reasoning", "the reply without its fences")
    tally.retold("scores", "from the log beside the page")


def create() -> WebArenaRender:
    """The entry point."""
    return WebArenaRender()


def _number(place: Place) -> str:
    found = _PAGE.match(place.name)
    return found[1] if found else place.name


def _companion(place: Place) -> Claim | None:
    """What lies beside rendered pages."""
    folder = place.parent
    if place.name == CONFIG and place.has_text('"action_set_tag"'):
        return Claim("companion", "the settings of a WebArena run")
    if _LOG.match(place.name) and any(map(_PAGE.match, (folder.names | folder.parent.names))):
        return Claim("companion", "logs of a WebArena run", 0.6)
    if place.name == ERRORS and place.has_text("[Config file]", "[Unhandled Error]"):
        return Claim("companion", "errors that ended tasks of a WebArena run")
    page = f"render_{place.path.stem}.html"
    if folder.name == TRACES and place.path.suffix == ".zip" and page in folder.parent.names:
        return Claim("companion", f"the trace of {page}", 1.1)
    return None


def _config(place: Place, lost: Lost) -> JsonObject:
    if place.path == place.root:
        return {}
    if CONFIG not in place.parent.names:
        lost.append(f"the run's settings: there is no {CONFIG} beside the page")
        return {}
    try:
        return object_in(place.parent / CONFIG)
    except BadData as error:
        lost.append(str(error))
        return {}


def _task(number: str, settings: JsonObject) -> Task:
    sites = settings.get("sites")
    template = settings.get("intent_template_id")
    gold = settings.get("eval")
    return Task(
        benchmark=BENCHMARK,
        name=str(settings.get("task_id", number)),
        intent=str(settings.get("intent") or ""),
        site=" ".join(map(str, sites)) if isinstance(sites, list) else "",
        template="" if template is None else str(template),
        data={"start_url": str(settings.get("start_url") or ""), "settings": settings},
        gold=gold if isinstance(gold, dict) else {},
    )


def _score(place: Place, number: str, lost: Lost) -> Score:
    """What a log says of this task, its last word; else the error that ended it."""
    said = ""
    for log in _logs(place):
        said = dict(_log_matches(_RESULT, log, lost, key=2)).get(number, said)
    if said:
        value = float(said == "PASS")
        return recorded_score(value, "WebArena's evaluator", f"the log says {said}", actual=said)
    error = ""
    if ERRORS in place.parent.names:
        error = dict(_log_matches(_FAILED, place.parent / ERRORS, lost, key=1)).get(number, "")
    if error:
        return failed(f"an error ended the task: {error[:300]}", rules=RULES)
    if place.path != place.root:
        lost.append("the score: no log file beside the page tells of it")
    return recorded_score(None, "", "no log file beside the page tells the score")


def _log_matches(pattern: re.Pattern[str], place: Place, lost: Lost, key: int) -> Iterator[tuple[str, str]]:
    """What a pattern of two groups finds in a file, the group `key` first."""
    try:
        text = place.text(LARGEST_LOG)
    except BadData as error:
        lost.append(str(error))
        return
    for found in pattern.finditer(text):
        yield found[key], found[3 - key]


def _logs(place: Place) -> Iterator[Place]:
    folder = place.parent
    for parent in (folder, folder / "log_files"):
        for name in sorted(parent.names):
            if _LOG.match(name) and name != "log_files.txt":
                yield parent / name


def _steps(states: list[RenderedState], joined: Joined, lost: Lost) -> Iterator[ImportedStep]:
    """A state holds what was seen and what was then done: its action goes out with the next state."""
    pending = Step(index=0, at=joined.at(0), actor="operator")
    for number, state in enumerate(states):
        seen = _observation(state)
        if not state.tree:
            lost.lose("trees", f"step {number}: {NO_TREE}", why=NO_TREE)
        elif not seen.nodes:
            lose_tree(lost, number)
        shown = msgspec.structs.replace(pending, url=seen.url, title=seen.title)
        joined_step = joined.enriched(shown, number)
        yield ImportedStep(joined_step, seen, joined.picture(state, number, lost), joined.html(number, lost))
        pending = _acted(number + 1, state, seen, lost)
    if pending.text:
        yield ImportedStep(joined.enriched(pending, len(states)))


def _observation(state: RenderedState) -> Observation:
    first = state.tree.partition("\n")[0]
    found = [one for part in first.split(" | ") if (one := _TAB.match(part))]
    tabs = tuple(Tab(int(one[1]), one[3], state.url if one[2] else "", active=bool(one[2])) for one in found)
    title = next((tab.title for tab in tabs if tab.active), "")
    return Observation(url=state.url, title=title, tabs=tabs, nodes=nodes_of(state.tree))


def _acted(number: int, state: RenderedState, seen: Observation, lost: Lost) -> Step:
    text = _action_words(state)
    action = action_of(text, DIALECT, seen) if text and text != "none" else None
    if text and action is None:
        lose_action(lost, text, number)
    return Step(
        index=0,
        at="",
        actor="agent",
        text=text,
        dialect=DIALECT,
        action=action,
        ok=action is not None,
        error="" if action is not None else "no action could be read from the reply",
        reasoning=_FENCED.sub("", state.reply).strip(),
        reply=state.reply,
    )


def _action_words(state: RenderedState) -> str:
    """The action in the model's own words where they say what was done, which keep whether Enter was sent."""
    done = _WHERE.sub("", state.parsed).strip()
    fenced = _FENCED.findall(state.reply)
    own = fenced[-1].strip() if fenced else ""
    return own if own and own.split()[0] == done.partition(" ")[0] else done

"""AgentLab (BrowserGym) results: a folder an episode, in a study's folder or alone.

`step_<n>.pkl.gz` holds a StepInfo: the observation, then the action that was chosen on it; its rewards are
those of the action before. `summary_info.json` sums up, `exp_args.pkl` says what was to be done,
`screenshot_step_<n>.png` shows what step n saw. Pickles are read without being run (`inert_pickle`). AgentLab
adds the rewards of steps up, so `cum_reward` may exceed 1: solved means terminated with a last reward of 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from webbench.core.action.action import Action
from webbench.core.errors import BadData
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    foreign_header,
    lose_action,
    numbered,
    picture_in,
)
from webbench.core.exchange.foreign_terms import action_of, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedStep
from webbench.core.exchange.pickles import field, read_inert, written
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Tab
from webbench.core.score.score import Score, failed, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import Seconds, Step

DIALECT = "browsergym"
SUMMARY, ARGUMENTS = "summary_info.json", "exp_args.pkl"
LARGEST_NUMBER = 2**53
SEEDED = frozenset({"miniwob"})
"""BrowserGym's benchmarks whose tasks are drawn by a seed, which is then what tells instances apart."""
_STEP = re.compile(r"^step_(\d{1,6})\.pkl\.gz$")
_COMMENT = re.compile(r"\s+#.*$", re.DOTALL)
_STUDY = {
    "summary_df.csv": "a study's table of results",
    "analysis_report.txt": "a report about a study",
    "reproducibility_journal.csv": "AgentLab's journal of studies",
}


class AgentLab:
    name = "agentlab"
    title = "AgentLab and BrowserGym results"
    looks_like = "a folder with exp_args.pkl, step_<n>.pkl.gz, summary_info.json, screenshot_step_<n>.png"

    def claim(self, place: Place) -> Claim | None:
        if place.is_folder:
            if ARGUMENTS not in place.names and not _numbers(place):
                return None
            if place.name.startswith("_"):
                return Claim("companion", "a run that a later one replaced, as AgentLab marks it")
            return Claim()
        told = _STUDY.get(place.name)
        if told is None and place.has_text('"task_id"', '"intent"', '"start_url"', '"eval"'):
            return Claim("companion", "the tasks of a benchmark in WebArena's form", 0.5)
        return Claim("companion", told) if told else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        lost = place.tally.losses()
        summary = _summary(place, lost)
        steps = [(number, _read(place / f"step_{number}.pkl.gz", lost)) for number in _numbers(place)]
        known = [(number, step) for number, step in steps if step is not None]
        if not known and not summary:
            raise BadData("it holds neither steps nor a summary that can be read")
        arguments = _read(place / ARGUMENTS, lost) if ARGUMENTS in place.names else None
        score, ending = _outcome(summary, [step for _, step in known])
        header = foreign_header(
            _task(place, arguments, [step for _, step in known]),
            written(field(field(arguments, "agent_args"), "agent_name")) or _agent_in(place.name),
            dialect=DIALECT,
            score=score,
            end_reason=ending,
            settings={"summary": summary} if summary else {},
        )
        header = msgspec.structs.replace(header, started=_began(place, known))
        yield ImportedEpisode(header, numbered(_steps(header.started, place, known, lost)), lost)


def create() -> AgentLab:
    """The entry point."""
    return AgentLab()


def _numbers(place: Place) -> list[int]:
    """By number: step_10 comes after step_2."""
    return sorted(int(match[1]) for match in map(_STEP.match, place.names) if match)


def _read(place: Place, lost: Lost) -> Any:
    try:
        return read_inert(place.read(), str(place), place.tell)
    except BadData as error:
        lost.append(str(error))
        return None


def _summary(place: Place, lost: Lost) -> JsonObject:
    if SUMMARY not in place.names:
        lost.append("the outcome: there is no summary_info.json")
        return {}
    try:
        found = (place / SUMMARY).json()
    except BadData as error:
        lost.append(str(error))
        return {}
    return found if isinstance(found, dict) else {}


def _outcome(summary: JsonObject, steps: list[Any]) -> tuple[Score, str]:
    """The score as the last step's reward tells it, and why the episode ended."""
    if summary.get("err_msg"):
        return failed(f"the run broke: {written(summary['err_msg'])[:300]}", rules="recorded"), "it broke"
    if not summary:
        return not_scored("the run has no summary", rules="recorded"), RECORD_ENDS
    reward = field(steps[-1], "reward") if steps else None
    if isinstance(reward, bool) or not _is_number(reward):
        return not_scored("no step with a reward can be read", rules="recorded"), RECORD_ENDS
    terminated, truncated = summary.get("terminated"), summary.get("truncated")
    ending = "the task ended" if terminated else "step limit" if truncated else RECORD_ENDS
    solved = bool(terminated) and reward == 1
    why = f"the last step's reward is {reward:g}; rewards add up to {summary.get('cum_reward')}"
    score = recorded_score(float(solved), "the environment's reward", why, actual=summary.get("cum_reward"))
    return score, ending


def _task(place: Place, arguments: Any, steps: list[Any]) -> Task:
    environment = field(arguments, "env_args")
    name = written(field(environment, "task_name"))
    seen = field(steps[0], "obs") if steps else None
    goal = field(seen, "goal") or field(field(environment, "task_kwargs"), "goal")
    benchmark, _, rest = name.partition(".")
    seed = field(environment, "task_seed")
    return Task(
        benchmark=benchmark or "agentlab",
        name=rest.removeprefix("task_") or place.name,
        instance=seed if benchmark in SEEDED and type(seed) is int and 0 <= seed < LARGEST_NUMBER else None,
        intent=goal if isinstance(goal, str) else "",
        site=written(field(field(environment, "task_kwargs"), "start_url")),
    )


def _agent_in(folder: str) -> str:
    """<date>_<time>_<agent>_on_<task>_<order>."""
    found = re.match(r"^[\d-]+_[\d-]+_(.+?)_on_", folder)
    return found[1] if found else ""


def _steps(began: str, place: Place, steps: list[tuple[int, Any]], lost: Lost) -> Iterator[ImportedStep]:
    """A StepInfo holds what was seen and what was then done: its action goes out with the next one's view."""
    pending = Step(index=0, at=began, actor="operator")
    for number, info in steps:
        seen = _observation(field(info, "obs"))
        step = _seen(pending, seen, field(info, "obs"))
        yield ImportedStep(step, seen, picture_in(place, f"screenshot_step_{number}.png", lost))
        pending = _acted(number, info, seen, lost)
    if pending.text:
        yield ImportedStep(pending)


def _seen(step: Step, seen: Observation | None, obs: Any) -> Step:
    error = written(field(obs, "last_action_error"))
    url = seen.url if seen is not None else ""
    return msgspec.structs.replace(step, url=url, error=error, ok=not error)


def _observation(obs: Any) -> Observation | None:
    tree, url = field(obs, "axtree_txt"), written(field(obs, "url"))
    if not isinstance(tree, str):
        return None
    addresses, titles = field(obs, "open_pages_urls"), field(obs, "open_pages_titles")
    tabs: tuple[Tab, ...] = ()
    if isinstance(addresses, tuple | list) and isinstance(titles, tuple | list):
        tabs = tuple(
            Tab(index, written(title), written(address), active=address == url)
            for index, (address, title) in enumerate(zip(addresses, titles, strict=False))
        )
    title = next((tab.title for tab in tabs if tab.active), "")
    return Observation(url=url, title=title, tabs=tabs, nodes=nodes_of(tree))


def _acted(number: int, info: Any, seen: Observation | None, lost: Lost) -> Step:
    text = written(field(info, "action"))
    agent = field(info, "agent_info")
    stats = field(agent, "stats") or field(info, "stats")
    action = _action(text, seen)
    if text and action is None:
        lose_action(lost, text, number + 1)
    times = field(info, "profiling")
    return Step(
        index=0,
        at=_time(field(times, "agent_stop")),
        actor="agent",
        text=text,
        dialect=DIALECT,
        action=action,
        reasoning=written(field(agent, "think")),
        usage=_figures(stats),
        seconds=Seconds(
            agent=_span(times, "agent_start", "agent_stop"),
            environment=_span(times, "env_start", "env_stop"),
        ),
    )


def _action(text: str, seen: Observation | None) -> Action | None:
    """Agents write Python calls, now and then with a comment behind."""
    if not text:
        return None
    return action_of(text, DIALECT, seen) or action_of(_COMMENT.sub("", text), DIALECT, seen)


def _is_number(value: Any) -> bool:
    """One that is neither endless nor too large to be written as JSON."""
    return isinstance(value, int | float) and abs(value) < LARGEST_NUMBER


def _figures(stats: Any) -> JsonObject:
    found = stats if isinstance(stats, dict) else {}
    return {str(name): value for name, value in found.items() if _is_number(value)}


def _span(times: Any, start: str, stop: str) -> float:
    first, last = field(times, start), field(times, stop)
    if not _is_number(first) or not _is_number(last):
        return 0.0
    return max(0.0, float(last) - float(first))


def _began(place: Place, steps: list[tuple[int, Any]]) -> str:
    """When the environment was started; else, as its folder says, the experiment."""
    times = field(steps[0][1], "profiling") if steps else None
    return _time(field(times, "env_start")) or _time_in(place.name)


def _time_in(folder: str) -> str:
    """The time in an experiment's name, "" where it has none; its zone isn't told, UTC is assumed."""
    found = re.match(r"(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)_", folder)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}.000+00:00" if found else ""


def _time(seconds: Any) -> str:
    if not _is_number(seconds) or not 0 < seconds < 4e9:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

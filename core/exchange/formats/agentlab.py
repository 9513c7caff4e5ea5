"""AgentLab (BrowserGym) results: a folder an episode, in a study's folder or alone.

`step_<n>.pkl.gz` holds a StepInfo: the observation, then the action that was chosen on it; its rewards are
those of the action before. `summary_info.json` sums up, `exp_args.pkl` says what was to be done,
`screenshot_step_<n>.png` shows what step n saw. Pickles are read without being run (`pickles`). AgentLab
adds the rewards of steps up, so `cum_reward` may exceed 1: solved means terminated with a last reward of 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from webbench.core.action.action import Action
from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import kind_of_figure
from webbench.core.exchange.account.source_shape import Shape
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    foreign_header,
    lose_action,
    lose_tree,
    numbered,
    picture_in,
)
from webbench.core.exchange.foreign_terms import action_of, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep, MadeBy
from webbench.core.exchange.pickles import field, plain, read_inert, written
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Tab
from webbench.core.score.score import Score, Status, failed, not_scored
from webbench.core.task import Task
from webbench.core.trajectory import Seconds, Step

DIALECT = "browsergym"
SUMMARY, ARGUMENTS = "summary_info.json", "exp_args.pkl"
LARGEST_NUMBER = 2**53
SEEDED = frozenset({"miniwob"})
"""BrowserGym's benchmarks whose tasks are drawn by a seed, which is then what tells instances apart."""
_STEP = re.compile(r"^step_(\d{1,6})\.pkl\.gz$")
_COMMENT = re.compile(r"\s+#.*$", re.DOTALL)
_SCREENSHOT = re.compile(r"^screenshot_step_\d{1,6}\.png$")
_RELEASE = re.compile(r"^agentlab==(\S{1,100})$", re.MULTILINE)
VERSIONS, GOAL = "package_versions.txt", "goal_object.pkl.gz"
LARGEST_VERSIONS = 4 * 1024 * 1024
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
        known = [
            (number, step) for number, step in steps if step is not None and _is_step(number, step, lost)
        ]
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
            settings=_settings(place, summary, arguments),
        )
        _count(place, known, summary, lost)
        header = msgspec.structs.replace(header, started=_began(place, known))
        place.tally.count("times", bool(header.started))
        place.tally.made(
            "times", "the start is that of the first step too", int(bool(header.started and known))
        )
        place.tally.count("scores", score.status is Status.SCORED)
        told = numbered(_steps(header.started, place, known, lost))
        files = tuple(_kept(place, lost))
        yield ImportedEpisode(header, told, lost, files=files, made_by=_made_by(files))


def create() -> AgentLab:
    """The entry point."""
    return AgentLab()


def _is_step(number: int, info: Any, lost: Lost) -> bool:
    """Whether a file holds a step, be it of another episode; anything else is told and passed over."""
    names = ("obs", "action", "step", "reward", "agent_info", "profiling")
    if any(field(info, name) is not None for name in names):
        return True
    lost.has("steps")
    lost.lose("steps", f"step_{number} holds no step of AgentLab", why="files of steps that hold no step")
    return False


def _settings(place: Place, summary: JsonObject, arguments: Any) -> JsonObject:
    """The summary, and what the experiment was asked for, as far as it is plain."""
    asked = {name: plain(field(arguments, name)) for name in ("agent_args", "env_args")}
    found = {"arguments": {name: value for name, value in asked.items() if value}, "summary": summary}
    place.tally.read(found, Shape({}))
    return {name: value for name, value in found.items() if value}


def _kept(place: Place, lost: Lost) -> Iterator[ImportedFile]:
    """The versions that it ran with, as they are."""
    if VERSIONS in place.names:
        try:
            yield ImportedFile(VERSIONS, (place / VERSIONS).read(LARGEST_VERSIONS))
        except BadData as error:
            lost.append(str(error))
    if GOAL in place.names:
        place.tally.again("files", "the goal as an object, which the steps have as a text")


def _made_by(files: Sequence[ImportedFile]) -> MadeBy:
    """AgentLab's release, by the versions that it ran with."""
    told = next((file.data.decode("utf-8", "replace") for file in files if file.name == VERSIONS), "")
    found = _RELEASE.search(told)
    return MadeBy(tool="agentlab", version=found[1]) if found else MadeBy()


def _count(place: Place, known: list[tuple[int, Any]], summary: JsonObject, lost: Lost) -> None:
    """What the steps hold, by the fields of each; and whether they are all there, and of one episode."""
    tally = place.tally
    tally.count("episodes")
    tally.count("pictures", sum(_SCREENSHOT.match(name) is not None for name in place.names))
    for number, info in known:
        _count_step(tally, info)
        named = field(info, "step")
        if type(named) is int and named != number:
            lost.append(f"step_{number} says that it is step {named}: steps are missing or were renumbered")
    numbers = [number for number, _ in known]
    if numbers and numbers != list(range(numbers[-1] + 1)):
        lost.append(f"of {numbers[-1] + 1} steps only {len(numbers)} have a file that can be read")
    wanted = summary.get("n_steps")
    if type(wanted) is int and numbers and wanted > numbers[-1]:
        lost.append(f"the summary tells of {wanted} steps, the last file is that of step {numbers[-1]}")
    goals = {goal for _, info in known if isinstance(goal := field(field(info, "obs"), "goal"), str)}
    if len(goals) > 1:
        lost.append(f"the steps are about {len(goals)} different goals: some are of another episode")


def _count_step(tally: Tally, info: Any) -> None:
    obs, agent, times = field(info, "obs"), field(info, "agent_info"), field(info, "profiling")
    acted = bool(field(info, "action"))
    tally.count("steps", acted)
    tally.count("actions", acted)
    tally.count("trees", bool(field(obs, "axtree_txt")))
    if field(obs, "axtree_object"):
        tally.count("trees")
        if field(obs, "axtree_txt"):
            tally.again("trees", "the tree as objects, which is there as a text")
        else:
            tally.left("trees", "a tree as objects, without its text")
    forms = sum(bool(field(obs, name)) for name in ("dom_txt", "pruned_html", "dom_object"))
    tally.count("html", forms)
    if forms and _markup(obs):
        tally.again("html", "the page as objects and in a shorter form, which is there as markup", forms - 1)
    elif forms:
        tally.left("html", "the page as objects, without its markup", forms)
    if not acted:
        return
    tally.count("reasoning", bool(written(field(agent, "think"))))
    prompt, reply = _talk(agent)
    tally.count("prompts", bool(prompt))
    tally.count("replies", bool(reply))
    tally.count("times", bool(_time(field(times, "agent_stop"))))
    for name in ("agent", "env"):
        tally.count("times", _span(times, f"{name}_start", f"{name}_stop") > 0)
    for name in _stats(info):
        kind = kind_of_figure(name)
        tally.count(kind, kind != "values")


def _talk(agent: Any) -> tuple[str, str]:
    """What the model was sent, and its last answer."""
    chat = field(agent, "chat_messages")
    messages = field(chat, "messages") if field(chat, "messages") is not None else chat
    told = [(written(field(one, "role")), _words(field(one, "content"))) for one in _listed(messages)]
    reply = told.pop()[1] if told and told[-1][0] == "assistant" else ""
    return "\n\n".join(f"[{role}]\n{text}" for role, text in told if text), reply


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _words(content: Any) -> str:
    """The text of a message, whose content may be a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(text for part in _listed(content) if isinstance(text := field(part, "text"), str))


def _stats(info: Any) -> JsonObject:
    return _figures(field(info, "stats")) | _figures(field(field(info, "agent_info"), "stats"))


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
        if field(field(info, "obs"), "axtree_txt") and (seen is None or not seen.nodes):
            lose_tree(lost, number)
        step = _seen(pending, seen, field(info, "obs"))
        step = msgspec.structs.replace(step, evidence=_judged(info))
        picture = picture_in(place, f"screenshot_step_{number}.png", lost)
        yield ImportedStep(step, seen, picture, _markup(field(info, "obs")))
        pending = _acted(number, info, seen, lost)
    if pending.text:
        yield ImportedStep(pending)


def _judged(info: Any) -> JsonObject:
    """What the environment said of the page: reward, end, and what the task checked."""
    names = ("reward", "raw_reward", "terminated", "truncated", "task_info")
    found = {name: plain(field(info, name)) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _markup(obs: Any) -> str:
    found = (field(obs, name) for name in ("dom_txt", "pruned_html"))
    return next((text for text in found if isinstance(text, str) and text), "")


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
    prompt, reply = _talk(agent)
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
        prompt=prompt,
        reply=reply,
        usage=_stats(info),
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

r"""WebVoyager results: a folder a task with `interact_messages.json` (an OpenAI chat) and screenshots.

The first user message names the task and the start page. Assistant turns are
`Thought: ...\n\nAction: Click [5]` | `Type [3]; text` | `Scroll [WINDOW]; down` | `Wait` | `GoBack` |
`Google` | `ANSWER; text`. `screenshot<n>.png` counts from 1: number n is what the n-th turn saw. The user's
message before a turn lists the elements, `[5]: <button> "search";`, or holds an accessibility tree; older
ones are left out by WebVoyager itself. OpenWebVoyager has `accessibility_tree<n>.txt` and `.json`,
`page<n>.html` and `agent.log` with tokens for each call and the cost beside them. `reference_answer.json`
of the benchmark, beside the folders or in `tasks`, holds what is taken for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

import msgspec

from webbench.core.action.action import Action, Back, Click, ElementRef, Goto, Noop, Scroll, Stop, Type
from webbench.core.action.references import map_references
from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import (
    RECORD_ENDS,
    STOPPED,
    foreign_header,
    lose_action,
    numbered,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.task import Task
from webbench.core.text.message_parts import message_text
from webbench.core.trajectory import Step

BENCHMARK = "webvoyager"
MESSAGES, LOG, ANSWERS = "interact_messages.json", "agent.log", "reference_answer.json"
SEARCH_ENGINE = "https://www.google.com/"
LARGEST_KEPT = 16 * 1024 * 1024
"""Bytes of a file that is kept with the episode."""
_TASK = re.compile(r"given a task: (.*?)\s*Please interact with (\S+) and get the answer", re.DOTALL)
_ACTION = re.compile(r"Action:\s*(.+?)\s*$", re.DOTALL)
_LABELLED = re.compile(r"^(Click|Type|Scroll) \[?(\w+)\]?(?:;\s*(.*))?$", re.DOTALL)
_PLAIN: dict[str, Action] = {
    "Wait": Noop(seconds=5.0),
    "GoBack": Back(),
    "Google": Goto(url=SEARCH_ENGINE),
}
_LISTS = {"webvoyager_data.jsonl": "WebVoyager's tasks", ANSWERS: "WebVoyager's answers"}
_LISTED = re.compile(r'^\[(\d{1,6})\]: (?:<(\w{1,40})> ?)?((?:"[^\n]*?"(?:, )?)*);?$', re.MULTILINE)
_TOKENS = re.compile(r"^(?:\w+ - )?Prompt Tokens: (\d{1,12}); Completion Tokens: (\d{1,12})$", re.MULTILINE)
_COST = re.compile(r"Total cost: (\d{1,9}(?:\.\d{1,12})?)")
_NUMBERED = re.compile(r"^(screenshot|page|accessibility_tree)(\d{1,6})\.(png|html|txt|json)$")
_ROLES = {"a": "link", "button": "button", "input": "textbox", "textarea": "textbox", "select": "combobox"}


class Turn(msgspec.Struct, frozen=True):
    """A reply of the agent, and what the user had said before it."""

    prompt: str
    reply: str


class WebVoyager:
    name = "webvoyager"
    title = "WebVoyager and OpenWebVoyager results"
    looks_like = "a folder task<Site>--<n> with interact_messages.json and screenshot<n>.png"

    def claim(self, place: Place) -> Claim | None:
        if MESSAGES in place.names:
            return Claim()
        told = _LISTS.get(place.name.lower())
        return Claim("companion", told) if told else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        messages = (place / MESSAGES).json()
        if not isinstance(messages, list):
            raise BadData(f"{place / MESSAGES} holds no list of messages")
        lost = place.tally.losses()
        _count(messages, place, lost)
        told = [message_text(one.get("content")) for one in objects_in(messages) if one.get("role") == "user"]
        found = _TASK.search(told[0]) if told else None
        start = found[2] if found else ""
        turns, system, rest = _turns(messages, lost)
        answered = bool(turns) and _action_text(turns[-1].reply).startswith("ANSWER")
        name = place.name.removeprefix("task")
        settings: JsonObject = {"system_prompt": system} if system else {}
        header = foreign_header(
            Task(
                benchmark=BENCHMARK,
                name=name,
                intent=found[1] if found else "",
                site=site_of(name, start),
                gold=_gold(name, place),
            ),
            "OpenWebVoyager" if LOG in place.names else "WebVoyager",
            score=recorded_score(None, "", "the source gives no score"),
            end_reason=STOPPED if answered else RECORD_ENDS,
            settings=settings | ({"last_message": rest} if rest else {}),
        )
        steps = _steps(place, turns, start, lost)
        yield ImportedEpisode(header, numbered(steps), lost, files=tuple(_kept(place, lost)))


def site_of(task: str, start: str) -> str:
    """The site that WebVoyager names in its task ids ("Google Map--4"), elsewhere the start page."""
    site, _, number = task.rpartition("--")
    return site if site and number.isdecimal() else start


def create() -> WebVoyager:
    """The entry point."""
    return WebVoyager()


def _count(messages: list[Json], place: Place, lost: Lost) -> None:
    """What the source has: by the roles of its messages, and by the names of its files."""
    tally = place.tally
    tally.count("episodes")
    for message in messages:
        role = message.get("role") if isinstance(message, dict) else None
        text = message_text(message.get("content")) if isinstance(message, dict) else ""
        if role == "user":
            tally.count("prompts", bool(text))
        elif role == "assistant":
            for kind in ("steps", "actions"):
                tally.count(kind)
            tally.count("replies", bool(text))
            tally.count("reasoning", bool(_thought(text)))
        elif role == "system":
            tally.value("system", text)
        else:
            tally.count("values")
            lost.lose("values", "messages of neither user, assistant nor system")
    kinds: dict[str, Kind] = {"screenshot": "pictures", "page": "html", "accessibility_tree": "trees"}
    names = [found for name in sorted(place.names) if (found := _NUMBERED.match(name))]
    for found in names:
        kind = kinds[found[1]]
        tally.count(kind)
        if found[3] == "json":
            tally.again("trees", "the tree as Chrome gave it, kept as a file beside the text")
    for kind in kinds:
        numbers = sorted({int(found[2]) for found in names if found[1] == kind})
        if numbers and numbers != list(range(1, len(numbers) + 1)):
            tally.notice(f"{kind} files are numbered with gaps")


def _turns(messages: list[Json], lost: Lost) -> tuple[list[Turn], str, str]:
    """The agent's turns, the system prompt, and what the user said behind the last turn."""
    turns: list[Turn] = []
    system, said = "", ""
    for message in messages:
        if not isinstance(message, dict):
            continue
        text, role = message_text(message.get("content")), message.get("role")
        if role == "system":
            system = "\n\n".join(filter(None, (system, text)))
        elif role == "user":
            if said and text:
                lost.lose("prompts", "several messages of the user in a row are one prompt")
            said = "\n\n".join(filter(None, (said, text)))
        elif role == "assistant":
            turns.append(Turn(said, text))
            said = ""
    if said:
        lost.lose("prompts", "what the user said behind the last turn; it stands in the episode's settings")
    return turns, system, said


def _gold(name: str, place: Place) -> JsonObject:
    """The reference answer of a task, `<site>--<n>`; {} where no list of them is near."""
    site, _, number = name.rpartition("--")
    around = (place.parent, place.parent / "tasks", place.parent.parent, place.parent.parent / "tasks")
    folder = next((folder for folder in around if ANSWERS in folder.names), None)
    if folder is None:
        return {}
    try:
        listed = (folder / ANSWERS).json()
    except BadData:
        return {}
    of_site = listed.get(site) if isinstance(listed, dict) else None
    answers = of_site.get("answers") if isinstance(of_site, dict) else None
    for one in answers if isinstance(answers, list) else ():
        if isinstance(one, dict) and text_of(one.get("id")) == number:
            return {"answer": text_of(one.get("ans")), "type": text_of(one.get("type"))}
    return {}


def _action_text(turn: str) -> str:
    found = _ACTION.search(turn)
    return found[1] if found else ""


def _thought(turn: str) -> str:
    return turn.partition("Action:")[0].removeprefix("Thought:").strip()


def _steps(place: Place, turns: Sequence[Turn], start: str, lost: Lost) -> Iterator[ImportedStep]:
    usage = _usage(place, len(turns), lost)
    seen = [_page(place, number, turn.prompt, lost) for number, turn in enumerate(turns, start=1)]
    seen.append(_page(place, len(turns) + 1, "", lost))
    first = Step(index=0, at="", actor="operator", url=start)
    yield _shown(place, 1, msgspec.structs.replace(first, title=_title(seen[0])), seen[0], lost)
    for number, turn in enumerate(turns, start=1):
        words = _action_text(turn.reply)
        action = action_of_words(words)
        if action is None:
            lose_action(lost, words, number)
        else:
            action = _named(action, seen[number - 1])
        step = Step(
            index=0,
            at="",
            actor="agent",
            text=words,
            action=action,
            reasoning=_thought(turn.reply),
            prompt=turn.prompt,
            reply=turn.reply,
            usage=usage[number - 1],
            title=_title(seen[number]),
        )
        yield _shown(place, number + 1, step, seen[number], lost)


def _title(seen: Observation | None) -> str:
    return seen.title if seen is not None else ""


def _shown(place: Place, number: int, step: Step, seen: Observation | None, lost: Lost) -> ImportedStep:
    """A step with the page that was seen after it, which is the number-th."""
    name = f"page{number}.html"
    html = (place / name).text() if name in place.names else ""
    return ImportedStep(step, seen, picture_in(place, f"screenshot{number}.png", lost), html)


def _page(place: Place, number: int, prompt: str, lost: Lost) -> Observation | None:
    """The elements that the number-th turn was shown: from its tree's file, else from its prompt."""
    name = f"accessibility_tree{number}.txt"
    if name in place.names:
        nodes = nodes_of((place / name).text())
        if not nodes:
            lost.lose("trees", f"{name} holds no node")
    else:
        nodes = elements_listed(prompt) or nodes_of(prompt)
        place.tally.count("trees", bool(nodes))
    root = nodes[0] if nodes and nodes[0].role == "RootWebArea" else None
    return Observation(title=root.name if root else "", nodes=nodes) if nodes else None


def elements_listed(prompt: str) -> tuple[AccessibilityNode, ...]:
    r"""WebVoyager's own list, `[2]: <button> "search";\t[3]: "Log In";`, as nodes."""
    nodes = []
    for found in _LISTED.finditer(prompt.replace(";\t", ";\n")):
        words = [text for text in found[3].strip().strip('"').split('", "') if text]
        role = _ROLES.get(found[2] or "", found[2] or "generic")
        name, tag = ", ".join(words), found[2] or ""
        nodes.append(
            AccessibilityNode(id=int(found[1]), role=role, name=name, depth=1, interactive=True, tag=tag)
        )
    return tuple(nodes)


def _named(action: Action, seen: Observation | None) -> Action:
    """The action on the element that its label stood for on the page."""

    def known(reference: ElementRef) -> ElementRef:
        node = seen.node(reference.id) if seen is not None and reference.id is not None else None
        return ElementRef(id=node.id, role=node.role, name=node.name) if node is not None else reference

    return map_references(action, known)


def _usage(place: Place, turns: int, lost: Lost) -> list[JsonObject]:
    """Tokens of each turn's call, and the whole cost with the last one, as the log tells them."""
    usage: list[JsonObject] = [{} for _ in range(turns)]
    if LOG not in place.names:
        return usage
    log = (place / LOG).text()
    calls, costs = _TOKENS.findall(log), _COST.findall(log)
    place.tally.count("tokens", 2 * len(calls))
    place.tally.count("cost", len(costs))
    if len(calls) != turns:
        why = f"the log tells of {len(calls)} calls, the chat of {turns} turns; the log is kept as a file"
        lost.lose("tokens", why, 2 * len(calls))
        calls = []
    for one, (prompt, completion) in zip(usage, calls, strict=False):
        one |= {"prompt_tokens": int(prompt), "completion_tokens": int(completion)}
    if costs and usage:
        usage[-1]["cost"] = float(costs[-1])
        place.tally.again("cost", "sums that the log tells before the last one", len(costs) - 1)
    elif costs:
        lost.lose("cost", "a cost without a turn", len(costs))
    return usage


def _kept(place: Place, lost: Lost) -> Iterator[ImportedFile]:
    """The log and Chrome's own trees, as they are."""
    for name in sorted(place.names):
        if name != LOG and not (name.startswith("accessibility_tree") and PurePath(name).suffix == ".json"):
            continue
        try:
            yield ImportedFile(name, (place / name).read(LARGEST_KEPT))
        except BadData as error:
            lost.lose("files", str(error), why="a file that can't be read or is too large")


def action_of_words(words: str) -> Action | None:
    """The action of WebVoyager's grammar, None for anything else."""
    if words.startswith("ANSWER"):
        return Stop(answer=words.removeprefix("ANSWER").lstrip("; ").strip())
    if words in _PLAIN:
        return _PLAIN[words]
    found = _LABELLED.match(words)
    if found is None:
        return None
    verb, label, rest = found[1], found[2], found[3] or ""
    target = ElementRef(id=int(label)) if label.isascii() and label.isdecimal() else None
    if verb == "Scroll":
        way = -1.0 if rest.strip().lower() == "up" else 1.0
        return Scroll(dy=way, unit="viewports", target=target)
    if target is None:
        return None
    return Click(target=target) if verb == "Click" else Type(target=target, text=rest, enter=True)

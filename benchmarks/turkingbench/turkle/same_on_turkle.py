"""Same on Turkle: a task's reference answers given on the page server and on Turkle, and both scores.

The oracle fills the form that this program serves; what it did is done again on Turkle by a browser that
signs in, accepts the task, acts on the form in its frame and submits it. There the values are those of
Turkle's database, and type and visibility of the fields those that the frame shows. The evaluator is one.

A form that can't be sent, because the reference answers leave out what it requires, is sent on neither; then
the values are those that the frame holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

import msgspec

from webbench.benchmarks.turkingbench.agents.oracle import TurkingOracle
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.scoring.fields import EXCLUDED_NAMES, Field, frame_fields
from webbench.benchmarks.turkingbench.serving.cdn import ForeignRequests
from webbench.benchmarks.turkingbench.serving.page_server import ServedPage
from webbench.benchmarks.turkingbench.serving.task_page import unpinned
from webbench.benchmarks.turkingbench.stage import filled_template, open_stage, template_path
from webbench.benchmarks.turkingbench.turkle.turkle_server import USER, TurkleServer
from webbench.core.action.action import Action, ElementRef, GetHtml, Goto, Noop, Stop, Submit, Type
from webbench.core.action.references import without_id
from webbench.core.agent import AgentView, Proposal
from webbench.core.benchmark.benchmark import Stage
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser
from webbench.core.environment import (
    EnvironmentSetup,
    NetworkAnswer,
    NetworkRequest,
    RequestFilter,
    StepResult,
)
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.score.score import Score
from webbench.core.task import Task
from webbench.core.text.plural import counted

FRAME = "task_assignment_iframe"
"""Id of the frame in which Turkle shows a task's form."""

OWN_PATHS = ("accounts/", "batch/", "static/")
"""Of Turkle's addresses, those at which no file of a task is asked for."""

_IN_FRAME = re.compile(r"/task/\d+/assignment/iframe/\d+/(.+)")
"""Where a page in the frame asks for a file beside it; Turkle has none there."""

MOST_STEPS = 2000
_IDLE = (GetHtml, Goto, Noop, Stop, Submit)
"""Actions of the oracle that are not done again: looks, waits, and the end, which names its form there."""


class FieldAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a field holds here and there, None where it isn't there, and whether it is displayed."""

    name: str
    type: str
    ours: tuple[str, ...] | None
    theirs: tuple[str, ...] | None
    displayed: tuple[bool, bool] = (True, True)

    @property
    def same(self) -> bool:
        """Line ends of a form that is sent are CR LF, in the database too."""
        return len(set(self.displayed)) == 1 and self.ours == (
            None if self.theirs is None else tuple(map(_line_ends, self.theirs))
        )


class OnTurkle(msgspec.Struct, frozen=True, kw_only=True):
    """A task on both servers.

    Attributes:
        sent: the form was submitted here.
        stored: it was submitted there, so that the values are those of Turkle's database.
        trouble: why there is no score of Turkle, or what went differently there, "" for nothing.
        missing: columns that the template asks for and the row doesn't have.
    """

    task: str
    ours: Score
    theirs: Score | None = None
    fields: tuple[FieldAnswer, ...] = ()
    sent: bool = False
    stored: bool = False
    trouble: str = ""
    missing: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Both came to one score of one kind by the same answers, and both were sent or neither."""
        there = self.theirs
        if self.sent != self.stored:
            return False
        if there is None or (there.status, there.value) != (self.ours.status, self.ours.value):
            return False
        return all(field.same for field in self.fields)


class _Played(msgspec.Struct, frozen=True):
    evidence: JsonObject
    actions: tuple[Action, ...]
    sent: bool


class _There(msgspec.Struct, frozen=True):
    """What came of it on Turkle; without evidence where its frame shows no field."""

    evidence: JsonObject | None
    trouble: str
    stored: bool = False


async def on_turkle(
    browser: Browser, server: TurkleServer, task: Task, data: Path, foreign: ForeignRequests | None = None
) -> OnTurkle:
    """Give the task's reference answers on both servers.

    Args:
        data: folder of the benchmark's data.

    Raises:
        BadData: the task's template or table can't be read.
        EnvironmentDown: the browser or Turkle ended.
    """
    evaluator = TurkingEvaluator()
    foreign = foreign or ForeignRequests()
    played = await _on_page_server(browser, evaluator, task, data, foreign)
    ours = evaluator.score(task, played.evidence)
    missing = filled_template(task, data).missing
    path = template_path(task, data)
    template = unpinned(path.read_bytes().decode("utf-8-sig", "replace"))
    requests = beside_template(path.parent, server.origin, foreign)
    inputs = {name: str(value) for name, value in task.data["inputs"].items()}
    try:
        batch = await server.add(task.name, template, inputs)
        there = await _on_server(browser, server, task, batch, played.actions, requests)
    except BadData as error:
        return OnTurkle(task=task.id, ours=ours, sent=played.sent, trouble=str(error), missing=missing)
    theirs = None if there.evidence is None else evaluator.score(task, there.evidence)
    fields = () if there.evidence is None else _beside(played.evidence, there.evidence)
    return OnTurkle(
        task=task.id,
        ours=ours,
        theirs=theirs,
        fields=fields,
        sent=played.sent,
        stored=there.stored,
        trouble=there.trouble,
        missing=missing,
    )


def beside_template(folder: Path, origin: str, foreign: ForeignRequests) -> RequestFilter:
    """Answers for the files beside a template, which Turkle has not; as confined as on our page server.

    Args:
        origin: of Turkle.
        foreign: who answers requests to others.
    """
    page = ServedPage("", folder)

    async def answer(request: NetworkRequest) -> NetworkAnswer:
        if not request.url.startswith(f"{origin}/"):
            return await foreign.answer(request)
        asked = _IN_FRAME.fullmatch(urlsplit(request.url).path)
        path = page.file(unquote(asked[1])) if asked else None
        if path is None:
            return NetworkAnswer("continue")
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return NetworkAnswer("fulfil", 200, kind, await asyncio.to_thread(path.read_bytes))

    return answer


async def _on_page_server(
    browser: Browser, evaluator: TurkingEvaluator, task: Task, data: Path, foreign: ForeignRequests
) -> _Played:
    """The oracle's answers on the page that this program serves, and what it did."""
    oracle, environment = TurkingOracle(task), browser.environment()
    done: list[Action] = []
    last, proposal, evidence = StepResult(action=GetHtml()), Proposal(), {}
    async with open_stage(task, data, foreign) as stage:
        try:
            await environment.reset(stage.setup)
            for step in range(MOST_STEPS):
                seen = await environment.observe()
                proposal = await oracle.propose(
                    AgentView(
                        task=task,
                        step=step,
                        observation=seen,
                        last_error=last.error,
                        last_output=last.output,
                        last_proposal=proposal,
                    )
                )
                if proposal.action is None or isinstance(proposal.action, Stop | Submit):
                    break
                last = await environment.act(proposal.action)
                if last.ok and not isinstance(last.action, _IDLE):
                    done.append(without_id(last.action))
            evidence = await evaluator.collect(environment, cast("Stage", stage), "")
            await environment.act(Submit())
            sent = bool(await stage.ended(await environment.observe()))
        finally:
            await environment.close()
    return _Played(evidence, tuple(done), sent)


async def _on_server(
    browser: Browser,
    server: TurkleServer,
    task: Task,
    batch: int,
    actions: Sequence[Action],
    requests: RequestFilter,
) -> _There:
    """Evidence with the values of Turkle's database, or of the frame where nothing came there."""
    environment = browser.environment()
    failed: list[str] = []
    try:
        await _accepted(environment, server, batch, requests)
        for action in actions:
            result = await environment.act(action)
            if not result.ok:
                failed.append(result.error)
        names = task.data["answers"]
        shown = await frame_fields(environment, names, FRAME)
        every = await frame_fields(environment, None, FRAME)
        sent = next((one.name for one in (*shown, *every) if one.name not in EXCLUDED_NAMES), "")
        if not sent:
            return _There(None, "the frame shows no field")
        result = await environment.act(Submit(target=ElementRef(field=sent)))
        if not result.ok:
            failed.append(result.error)
        answers = await server.answers(batch)
    finally:
        with contextlib.suppress(EnvironmentDown):
            await environment.close()
    told = f"{counted(len(failed), 'action')} failed there: {failed[0]}" if failed else ""
    if answers is None:
        return _There(_evidence([field.evidence() for field in shown]), told or "the form was not submitted")
    return _There(_evidence([_with_values(one, answers.get(one.name)) for one in shown]), told, stored=True)


def _evidence(fields: list[JsonObject]) -> JsonObject:
    return {"page": {"url": "", "is_task": True}, "fields": fields, "substituted": []}


async def _accepted(
    environment: BrowserEnvironment, server: TurkleServer, batch: int, requests: RequestFilter
) -> None:
    """Sign in and accept the batch's task, as a worker does. Raises `BadData` where Turkle shows none."""
    login = server.login_address(server.accept_address(batch))
    await environment.reset(
        EnvironmentSetup(
            start_urls=(login,),
            request_filter=requests,
            passthrough=tuple(f"{server.origin}/{path}" for path in OWN_PATHS),
        )
    )
    await environment.act(Type(target=ElementRef(field="username"), text=USER))
    await environment.act(
        Type(target=ElementRef(field="password", secret=True), text=server.password, enter=True)
    )
    seen = await environment.observe()
    if "/assignment/" not in seen.url:
        raise BadData(f"Turkle showed {seen.url} in place of the task after the login")


def _with_values(field: Field, answer: Json) -> JsonObject:
    """The field as evidence, with what the database holds; what was not sent holds nothing.

    Nothing is read from a button, as on a page.
    """
    sent = answer if isinstance(answer, list) else [answer]
    values = [] if answer is None or field.type == "submit" else [str(one) for one in sent]
    told = {"name": field.name, "type": field.type, "displayed": field.displayed}
    return {**told, "values": [_line_ends(value) for value in values]}


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


def _beside(ours: JsonObject, theirs: JsonObject) -> tuple[FieldAnswer, ...]:
    here, there = ({one["name"]: one for one in side["fields"]} for side in (ours, theirs))
    return tuple(
        FieldAnswer(
            name=name,
            type=(here.get(name) or there[name])["type"],
            ours=_values(here.get(name)),
            theirs=_values(there.get(name)),
            displayed=(_displayed(here.get(name)), _displayed(there.get(name))),
        )
        for name in dict.fromkeys([*here, *there])
    )


def _displayed(field: JsonObject | None) -> bool:
    return field is not None and bool(field["displayed"])


def _values(field: JsonObject | None) -> tuple[str, ...] | None:
    return None if field is None else tuple(field["values"])

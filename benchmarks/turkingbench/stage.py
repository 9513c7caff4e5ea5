"""A TurkingBench task made live: its page served, foreign requests answered, its submission noticed."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from webbench.benchmarks.turkingbench.serving import task_page as pages
from webbench.benchmarks.turkingbench.serving.cdn import ForeignRequests
from webbench.benchmarks.turkingbench.serving.page_server import ServedPage, shared_server
from webbench.core.benchmark.benchmark import Stage
from webbench.core.environment import EnvironmentSetup, NetworkAnswer, NetworkRequest
from webbench.core.errors import BadData
from webbench.core.observation import Observation
from webbench.core.task import Task

_foreign = ForeignRequests()
_MOST_SUBSTITUTED = 200
SUBMITTED_MARK = "#submitted"


class TurkingStage(Stage):
    """A served page.

    Attributes:
        task: what is staged.
        setup: how the environment opens it.
        url: the page's address.
        missing: columns that the template asks for and the row doesn't have.
        substituted: addresses that a copy of ours answered for, in order of first request.
    """

    harmless = True

    def __init__(
        self,
        task: Task,
        url: str,
        served: ServedPage,
        missing: tuple[str, ...],
        foreign: ForeignRequests,
    ) -> None:
        self.task = task
        self.url = url
        self.missing = missing
        self._served = served
        self._foreign = foreign
        self._substituted: dict[str, None] = {}
        origin = url.removesuffix("/").rpartition("/")[0] + "/"
        self.setup = EnvironmentSetup(start_urls=(url,), request_filter=self._answer, passthrough=(origin,))

    @property
    def substituted(self) -> Sequence[str]:
        return tuple(self._substituted)

    async def _answer(self, request: NetworkRequest) -> NetworkAnswer:
        answer = await self._foreign.answer(request)
        if answer.body and len(self._substituted) < _MOST_SUBSTITUTED:
            self._substituted[request.url] = None
        return answer

    async def ended(self, observation: Observation) -> str:
        submitted = self._served.submitted or observation.url == f"{self.url}{SUBMITTED_MARK}"
        return "the form was submitted" if submitted else ""


def template_path(task: Task, data_root: Path) -> Path:
    """The task's template file. Raises `BadData` if it lies outside the data folder."""
    path = (data_root / str(task.data["template"])).resolve()
    if not path.is_relative_to(data_root.resolve()):
        raise BadData(f"{task.id}: the template {task.data['template']} lies outside {data_root}")
    return path


def filled_template(task: Task, data_root: Path) -> pages.Filled:
    """The task's template with its inputs in place; `task` as `open_stage` takes it. Raises `BadData`."""
    if "problem" in task.data:
        raise BadData(f"{task.id}: {task.data['problem']}")
    path = template_path(task, data_root)
    try:
        template = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}", "the task can't be shown") from error
    return pages.fill(template, {name: str(value) for name, value in task.data["inputs"].items()})


@contextlib.asynccontextmanager
async def open_stage(
    task: Task, data_root: Path, foreign: ForeignRequests | None = None
) -> AsyncIterator[TurkingStage]:
    """Serve a task's page while the context lasts.

    Args:
        task: its `data` holds `template` (path relative to `data_root`) and `inputs` (column to text),
            or the `problem` that kept them from being read.
        data_root: folder of the benchmark's data.
        foreign: who answers requests to other hosts; by default one per process.

    Raises:
        BadData: the template is missing or unreadable, or the task's table was.
        EnvironmentDown: the server can't start.
    """
    filled = filled_template(task, data_root)
    html = pages.document(filled.html, title=task.name, script="/static/page.js")
    async with shared_server().running() as server:
        served = ServedPage(html, template_path(task, data_root).parent)
        url = server.add(served)
        try:
            yield TurkingStage(task, url, served, filled.missing, foreign or _foreign)
        finally:
            server.remove(url)

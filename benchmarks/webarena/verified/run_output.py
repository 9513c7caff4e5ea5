"""Output of a run as WebArena-Verified takes it: for each task `agent_response.json` and `network.har`.

`<task_id>/agent_response.json`: {task_type, status, retrieved_data, error_details}; `<task_id>/network.har`:
HAR 1.2. `webarena-verified eval-tasks` scores such a folder, `create-submission-pkg` makes the package of it
that its leaderboard takes. Source: ServiceNow/webarena-verified, docs/getting_started/usage.md and
docs/leaderboard/submission.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webbench.benchmarks.common.submitted_attempts import ONE_A_TASK, one_a_task, tell_missing
from webbench.benchmarks.webarena.collection import VERIFIED, collect
from webbench.benchmarks.webarena.sites import NAME
from webbench.benchmarks.webarena.verified.har import read_har
from webbench.benchmarks.webarena.verified.logs import NETWORK, RESPONSE
from webbench.benchmarks.webarena.verified.response import object_of
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Exported, Source
from webbench.core.exchange.formats.har import Har, without_own_fields
from webbench.core.json_types import JsonObject
from webbench.core.settings.locations import benchmark_data
from webbench.core.store.records import codec
from webbench.core.task import Task
from webbench.core.text.bounded_json import decode
from webbench.core.trajectory import Trajectory

TASKS = 812
KINDS = ("RETRIEVE", "MUTATE", "NAVIGATE")
STATES = (
    *("SUCCESS", "ACTION_NOT_ALLOWED_ERROR", "PERMISSION_DENIED_ERROR"),
    *("NOT_FOUND_ERROR", "DATA_VALIDATION_ERROR", "UNKNOWN_ERROR"),
)
_PREFIX = f"{VERIFIED}."


class RunOutput:
    name = "webarena-verified-submission"
    title = "agent_response.json and network.har for each task, as WebArena-Verified takes them (a folder)"
    ending = ""
    several = True
    places = ONE_A_TASK
    lacks = f"what the agent did, pages and pictures, and of the network {Har.lacks}"

    def write(self, source: Source, path: Path) -> None:
        attempts = one_a_task(source, NAME, _unsent)
        path.mkdir()
        done = [name for name, one in attempts.items() if _write(source, one, path)]
        if not done:
            why = "; ".join(source.told.left_out) or "there is none"
            raise BadData(f"no episode of WebArena-Verified can be handed in: {why}")
        tasks = collect(benchmark_data(NAME, None), ()).tasks
        known = [name for name in tasks if name.startswith(_PREFIX)]
        tell_missing(source, done, known, TASKS, "tasks")

    def count_written(self, path: Path) -> Mapping[str, int]:
        """Folders, and entries of their logs."""
        logs = (decode(file.read_bytes()) for file in path.glob(f"*/{NETWORK}"))
        entries = sum(len(one["log"]["entries"]) for one in logs if isinstance(one, dict))
        return {"episodes": len(list(path.glob(f"*/{RESPONSE}"))), "exchanges": entries}


def create() -> RunOutput:
    """The entry point."""
    return RunOutput()


def _unsent(task: Task) -> str:
    ours = task.name.startswith(_PREFIX) and task.name.removeprefix(_PREFIX).isdecimal()
    return "" if ours else "a task that is none of WebArena-Verified"


def _write(source: Source, trajectory: Trajectory, path: Path) -> bool:
    """The folder of an episode; False where it can't be handed in, which is counted."""
    response = response_of(trajectory)
    if isinstance(response, str):
        source.told.leave_out(response)
        return False
    header = trajectory.header
    folder = path / header.task.name.removeprefix(_PREFIX)
    folder.mkdir()
    try:
        own = Source(source.store, [source.store.root / header.run / header.episode], Exported())
        Har().write(own, folder / NETWORK)
        read_har(folder / NETWORK)
        _keep_network_alone(folder / NETWORK)
    except (BadData, ValueError) as error:
        (folder / NETWORK).unlink(missing_ok=True)
        folder.rmdir()
        why = "is not recorded" if isinstance(error, BadData) else "is in a log that can't be read whole"
        source.told.leave_out(f"an episode whose network {why}")
        return False
    for (part, sort, why), count in own.given.reasons.items():
        if (part, sort) == ("exchanges", "made"):
            source.made(part, why, count)
    (folder / RESPONSE).write_bytes(codec.encode(response) + b"\n")
    source.told.rows += 1
    return True


def _keep_network_alone(file: Path) -> None:
    """A host gets no word of ours on task, actor or score, whether we made the log or it was imported so."""
    whole = decode(file.read_bytes())
    log = whole.get("log") if isinstance(whole, dict) else None
    if isinstance(whole, dict) and isinstance(log, dict) and (bare := without_own_fields(log)) is not log:
        file.write_bytes(codec.encode({**whole, "log": bare}))


def response_of(trajectory: Trajectory) -> JsonObject | str:
    """The agent's response with all its fields, or why there is none as the tool reads it."""
    given = next(
        (one.evidence["response"] for one in reversed(trajectory.steps) if "response" in one.evidence), None
    )
    read = object_of(given)
    if not isinstance(read, dict):
        return "an episode without a response as an object of JSON"
    if read.get("task_type") not in KINDS or read.get("status") not in STATES:
        return "an episode whose response names no task_type or status that is known"
    fields = ("task_type", "status", "retrieved_data", "error_details")
    return {name: read.get(name) for name in fields}

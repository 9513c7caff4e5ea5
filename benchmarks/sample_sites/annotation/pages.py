"""The pages of the annotation site."""

from __future__ import annotations

import json
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.annotation.jobs import jobs
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

LONGEST_ANSWER = 5_000


def home(visit: Visit) -> Response:
    return visit.render("home.html", jobs=list(jobs().values()), done=_done(visit))


def _done(visit: Visit) -> set[tuple[str, int]]:
    return {(row["job"], row["item"]) for row in visit.database.execute("SELECT job, item FROM response")}


def _wanted(visit: Visit) -> tuple[JsonObject, int] | None:
    """The job and item that the path names, None when there are none such."""
    job, item = jobs().get(visit.parameter("job")), visit.parameter("item")
    if job is None or not item.isascii() or not item.isdigit() or int(item[:6]) >= len(job["items"]):
        return None
    return job, int(item)


def form_page(visit: Visit) -> Response:
    wanted = _wanted(visit)
    return visit.render("missing.html", status=404) if wanted is None else _form(visit, *wanted, {}, [])


def _form(visit: Visit, job: JsonObject, item: int, values: JsonObject, missing: list[str]) -> Response:
    status = 422 if missing else 200
    return visit.render(
        "job.html", status, job=job, item=item, content=job["items"][item], values=values, missing=missing
    )


def submit(visit: Visit) -> Response:
    wanted = _wanted(visit)
    if wanted is None:
        return visit.render("missing.html", status=404)
    job, item = wanted
    answers = {field["name"]: _answer(visit, field) for field in job["fields"]}
    missing = [field["label"] for field in job["fields"] if not answers[field["name"]]]
    if missing:
        return _form(visit, job, item, answers, missing)
    visit.database.execute(
        "INSERT OR REPLACE INTO response VALUES (?,?,?)", (job["name"], item, json.dumps(answers))
    )
    return visit.redirect(f"/done/{job['name']}/{item}")


def _answer(visit: Visit, field: JsonObject) -> str | list[str]:
    given = [text[:LONGEST_ANSWER].strip() for text in visit.form.get(field["name"], [])]
    if field["kind"] == "checkbox":
        return [text for text in given if text in field["options"]]
    return given[-1] if given else ""


def done(visit: Visit) -> Response:
    wanted = _wanted(visit)
    if wanted is None or (wanted[0]["name"], wanted[1]) not in _done(visit):
        return visit.render("missing.html", status=404)
    return visit.render("done.html", job=wanted[0])


def routes() -> Sequence[BaseRoute]:
    return [
        page("annotation", "/", home),
        page("annotation", "/job/{job}/{item}", form_page),
        page("annotation", "/job/{job}/{item}/submit", submit, "POST"),
        page("annotation", "/done/{job}/{item}", done),
    ]

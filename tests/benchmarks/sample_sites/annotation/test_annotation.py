"""The annotation site, over HTTP."""

from __future__ import annotations

import pytest

from tests.benchmarks.demo.sites import episode
from webbench.benchmarks.sample_sites.annotation.jobs import jobs

ANSWERS = {
    "sentiment": "Positive",
    "topic": "Quality",
    "problems": ["Late", "Broken"],
    "quote": "<b>the warmest</b>",
    "certainty": "90",
}


def test_every_item_of_every_job_opens() -> None:
    with episode() as visitor:
        for name, job in jobs().items():
            for item, content in enumerate(job["items"]):
                assert visitor.get(f"/annotation/job/{name}/{item}").status_code == 200
                if "picture" in content:
                    picture = f"{visitor.server.origin}/static/annotation/{content['picture']}.svg"
                    assert visitor.client.get(picture).status_code == 200


def test_answers_are_kept_as_given() -> None:
    with episode() as visitor:
        page = visitor.post("/annotation/job/review-sentiment/1/submit", ANSWERS)
        assert "Thank you" in page.text
        assert visitor.state()["annotation"] == {"submitted": {"review-sentiment/1": ANSWERS}}
        assert "✓" in visitor.get("/annotation/").text


def test_incomplete_form_is_not_submitted_and_keeps_its_values() -> None:
    with episode() as visitor:
        page = visitor.post("/annotation/job/review-sentiment/0/submit", {**ANSWERS, "sentiment": ""})
        assert page.status_code == 422
        assert "&lt;b&gt;the warmest&lt;/b&gt;" in page.text
        assert 'value="Late" checked' in page.text
        assert visitor.state()["annotation"]["submitted"] == {}


@pytest.mark.parametrize("path", ["job/nothing/0", "job/receipt/9", "job/receipt/x", "done/receipt/0"])
def test_unknown_jobs(path: str) -> None:
    with episode() as visitor:
        assert visitor.get(f"/annotation/{path}").status_code == 404

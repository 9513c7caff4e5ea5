"""The search page over an API in SerpAPI's form: what is asked and shown, and that no key gets out."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.conftest import Answer, Site
from webbench.benchmarks.assistantbench.agents.searching import TaskSearch
from webbench.benchmarks.assistantbench.benchmark import create
from webbench.benchmarks.assistantbench.search_page import SearchApi, api_of, search_page
from webbench.core.action.action import Click, ElementRef, Search
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.settings.load_settings import load_settings

KEY = "k3y-of-nobody"
GOOD = {
    "search_metadata": {"status": "Success"},
    "answer_box": {"type": "organic_result", "answer": "8,849 m"},
    "organic_results": [
        {
            "position": 1,
            "title": "Peaks <b>&",
            "link": "https://peaks.example/high",
            "snippet": "All of them",
        },
        {"position": 2, "title": "Run", "link": "javascript:alert(1)"},
        "no row",
    ],
}


class Api:
    """Answers as SerpAPI does, and keeps what it was asked."""

    def __init__(self, serve: Site, *, status: int = 200, body: object = GOOD) -> None:
        self.asked: list[dict[str, list[str]]] = []
        self.status, self.body = status, body
        self.url = serve(self._answer, "/search.json")

    def _answer(self, path: str) -> Answer:
        self.asked.append(parse_qs(urlsplit(path).query))
        content = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        return self.status, {"content-type": "application/json"}, content


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("WEBBENCH_SEARCH_KEY", KEY)
    return KEY


async def test_a_question_is_searched_for_over_the_api(
    environment: BrowserEnvironment,
    serve: Site,
    key: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    api = Api(serve)
    monkeypatch.setenv("WEBBENCH_SEARCH_API", f"{api.url}?engine=google")
    monkeypatch.setenv("WEBBENCH_BROWSER_LOCALE", "de-DE")
    monkeypatch.setenv("WEBBENCH_BROWSER_REGION", "AT")
    file = tmp_path / "dev.jsonl"
    file.write_text(json.dumps({"id": "q1", "task": "How high?", "answer": "8849", "set": "dev"}))
    benchmark = create(file)
    [task] = benchmark.tasks("dev")
    async with benchmark.stage(task) as stage:
        await environment.reset(stage.setup)
        with pytest.raises(EnvironmentDown, match="no page of the web could be opened"):
            await benchmark.evaluator.collect(environment, stage, "8849")  # the form is ours, and no web
        assert (await environment.act(Search(query="highest peak?"))).ok
        seen = await environment.observe()
        assert api.asked == [
            {"engine": ["google"], "q": ["highest peak?"], "api_key": [key], "hl": ["de"], "gl": ["at"]}
        ]
        tool = TaskSearch()
        assert [(hit.title, hit.url) for hit in tool.hits(seen)] == [
            ("Peaks <b>&", "https://peaks.example/high")
        ]
        said = tool.passages(seen, 500)
        assert said.splitlines() == ["8,849 m", "Peaks <b>&", "All of them", "2 more can't be shown."]
        assert await benchmark.evaluator.collect(environment, stage, "8849") == {"answer": "8849"}
        assert key not in f"{seen.url} {said} {[node.attributes for node in seen.nodes]}"
        await environment.act(Click(target=ElementRef(selector="button")))
        assert api.asked[-1]["q"] == ["highest peak?"], "the form holds what was searched for"


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (401, {"error": f"Invalid API key: {KEY}"}, "answers with status 401: Invalid API key: ..."),
        (200, b"<h1>no</h1>", "answers with status 200, and not with JSON"),
        (200, b"[" * 5_000_000, "answers with more than 4,000,000 bytes"),
        (
            200,
            {"error": "Google hasn't returned any results for this query."},
            "Nothing was found. Google hasn't returned",
        ),
        (200, {"organic_results": 7, "answer_box": ["x"]}, "Nothing was found."),
        (200, {"organic_results": [{"title": KEY, "link": f"https://x.test/{KEY}"}]}, "https://x.test/..."),
    ],
)
def test_what_an_api_answers_instead_of_results_is_told(
    status: int, body: object, told: str, serve: Site
) -> None:
    api = SearchApi(Api(serve, status=status, body=body).url, KEY)
    with search_page(api) as page:
        answer = httpx.get(page.address, params={"q": "x"})
        assert told in answer.text.replace("&#x27;", "'")
        assert KEY not in answer.text
        assert answer.status_code == (502 if "answers with" in told else 200)
        assert page.answered == (answer.status_code == 200)


def test_an_api_that_is_not_there_is_told(unused_tcp_port: int) -> None:
    with search_page(SearchApi(f"http://127.0.0.1:{unused_tcp_port}/", KEY)) as page:
        answer = httpx.get(page.address, params={"q": "x"})
    assert (answer.status_code, KEY in answer.text) == (502, False)
    assert f"http://127.0.0.1:{unused_tcp_port} can" in answer.text


def test_no_page_of_the_web_can_ask_in_our_name(serve: Site) -> None:
    api = Api(serve)
    with search_page(SearchApi(api.url, KEY)) as page:
        assert httpx.get(f"{page.origin}/?q=x").status_code == 404
        assert httpx.get(page.address, params={"q": "x"}, headers={"host": "evil.example"}).status_code == 404
    assert api.asked == []


def test_a_key_in_the_address_is_refused_and_one_in_a_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_SEARCH_API", f"https://api.example/search?api_key={KEY}")
    with pytest.raises(UsageError, match="has a key in its address"):
        api_of(load_settings())
    monkeypatch.setenv("WEBBENCH_SEARCH_API", "https://api.example/search")
    monkeypatch.setenv("WEBBENCH_SEARCH_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(BadData, match=r"key file .* can't be read"):
        api_of(load_settings())
    monkeypatch.setenv("WEBBENCH_SEARCH_API", "https://{query}.example/")
    with pytest.raises(BadData, match="search_api"):
        load_settings()

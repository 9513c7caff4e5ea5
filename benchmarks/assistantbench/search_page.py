"""A search page over a search API behind a key: what people and agents of the open web search with.

Section 4 of the paper gives the retrieval-augmented models a search engine by its API. Public engines keep
browsers of programs out; an API doesn't. Its results stand on a page of ours on loopback, so that a search is
a step like any other: seen, recorded, and asked again by a replay. The form is SerpAPI's: `GET ADDRESS?q=…&
api_key=…` answers with JSON whose `organic_results` have `title`, `link`, `snippet`, and which may have an
`answer_box` or an `error`.

The key is sent to the API alone. It is in no page, record or message.
"""

from __future__ import annotations

import html
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import msgspec

from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.models.endpoint_choice import key_from
from webbench.core.settings.proxies import proxies_checked
from webbench.core.settings.regions import AUTO
from webbench.core.settings.settings import Settings
from webbench.core.text.addresses import secrets_in
from webbench.core.text.plain_text import plain_clip

KEY_VARIABLE = "WEBBENCH_SEARCH_KEY"
SECONDS = 20.0
LARGEST = 4_000_000
"""Bytes of one answer."""
MOST_RESULTS = 50
COUNTRY_CODE = 2
LONGEST = 2_000
"""Characters of a title or snippet."""

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body{{font:16px sans-serif;max-width:45em;margin:2em auto;padding:0 1em}}
h2{{font-size:1.1em;margin:1em 0 0}}
p{{margin:.2em 0}}</style>
<header><form action="" role="search"><input type="search" name="q" aria-label="Search" value="{query}">
<button>Search</button></form></header><main>{main}</main></html>"""


class Result(msgspec.Struct, frozen=True):
    """A page that was found. `title` and `snippet` are plain text, "" where the API has none."""

    title: str
    url: str
    snippet: str = ""


class Results(msgspec.Struct, frozen=True):
    """What the API answered.

    Attributes:
        answer: what it says in the engine's own words, if it does.
        unusable: how many results had no address that a browser opens, or were beyond `MOST_RESULTS`.
        said: why there are none, where the API says so.
    """

    found: tuple[Result, ...] = ()
    answer: str = ""
    unusable: int = 0
    said: str = ""


class SearchApi:
    """Asks an API in SerpAPI's form.

    Args:
        address: with the parameters that don't change, such as `engine=google`.
        key: sent as `api_key`; "" for an API that asks for none.
        parameters: further ones, such as the language (`hl`) and country (`gl`).
    """

    def __init__(self, address: str, key: str, parameters: Mapping[str, str] | None = None) -> None:
        parts = urlsplit(address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._address = parts._replace(query="").geturl()
        self._key = key
        self._parameters = {**dict(parse_qsl(parts.query)), **(parameters or {})}

    def search(self, query: str) -> Results:
        """Raises `EnvironmentDown` where it can't be asked or refuses; the key is in no message."""
        import httpx

        given = {**self._parameters, "q": query, **({"api_key": self._key} if self._key else {})}
        until = time.monotonic() + SECONDS
        content = b""
        with proxies_checked():
            client = httpx.Client(timeout=SECONDS)
        try:
            with client, client.stream("GET", self._address, params=given) as answer:
                for piece in answer.iter_bytes():
                    content += piece
                    if len(content) > LARGEST:
                        raise EnvironmentDown(f"{self.origin} answers with more than {LARGEST:,} bytes")
                    if time.monotonic() > until:
                        raise httpx.ReadTimeout("")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            late = isinstance(error, httpx.TimeoutException)
            why = f"it did not answer within {SECONDS:g} s" if late else type(error).__name__
            raise EnvironmentDown(f"{self.origin} can't be asked: {why}", "look at search_api") from None
        if self._key:
            content = content.replace(self._key.encode(), b"...")
        return self._read(answer.status_code, content)

    def _read(self, status: int, content: bytes) -> Results:
        try:
            told = msgspec.json.decode(content)
        except (msgspec.DecodeError, RecursionError):
            told = None
        if status != HTTPStatus.OK or not isinstance(told, dict):
            error = told.get("error") if isinstance(told, dict) else None
            said = f": {plain_clip(str(error), 200)}" if error else ""
            hint = f"look at the key ({KEY_VARIABLE}, search_key_file)" if status in (401, 403) else ""
            form = "" if isinstance(told, dict) else ", and not with JSON"
            raise EnvironmentDown(f"{self.origin} answers with status {status}{form}{said}", hint)
        rows = told.get("organic_results")
        rows = rows if isinstance(rows, list) else []
        found = [result for row in rows if (result := _result(row)) is not None][:MOST_RESULTS]
        said = _text(told, "error")
        return Results(tuple(found), _answer(told.get("answer_box")), len(rows) - len(found), said)


def api_of(settings: Settings) -> SearchApi:
    """The API that the settings name, with its key, and the language and country that are pinned.

    Raises `UsageError` for an address with a key in it, `BadData` for a key file that can't be read.
    """
    if secrets_in(settings.search_api):
        raise UsageError(
            "search_api has a key in its address", f"write the key into {KEY_VARIABLE} or search_key_file"
        )
    browser = settings.browser
    language = browser.locale.partition("-")[0] if browser.locale != AUTO else ""
    country = browser.region.lower() if len(browser.region) == COUNTRY_CODE else ""
    pinned = {"hl": language, "gl": country}
    return SearchApi(
        settings.search_api,
        key_from(KEY_VARIABLE, settings.search_key_file, "search API"),
        {name: value for name, value in pinned.items() if value},
    )


@contextmanager
def search_page(api: SearchApi) -> Iterator[SearchPage]:
    """The page on a free port of loopback, until the block ends. Raises `EnvironmentDown`."""
    page = SearchPage(api)
    try:
        server = _QuietServer(("127.0.0.1", 0), page.handler())
    except OSError as error:
        raise EnvironmentDown(f"The search page can't listen on 127.0.0.1: {error}") from error
    page.origin = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, name="search-page", daemon=True)
    thread.start()
    try:
        yield page
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves early is no news, and standard error is the terminal of the screens."""


class SearchPage:
    """Answers searches on a path that nobody can guess, so that no page of the web asks in our name.

    Attributes:
        origin: where it listens.
        answered: how many searches the API has answered.
    """

    def __init__(self, api: SearchApi) -> None:
        self.origin = ""
        self.answered = 0
        self._api = api
        self._path = f"/{secrets.token_hex(8)}/"

    @property
    def address(self) -> str:
        """Of the empty search form."""
        return f"{self.origin}{self._path}"

    def handler(self) -> type[BaseHTTPRequestHandler]:
        """Of the requests to this page."""
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, _, asked = self.path.partition("?")
                own = self.headers.get("host") == urlsplit(page.origin).netloc
                if not own or path != page._path:
                    self.send_error(HTTPStatus.NOT_FOUND)
                    return
                query = dict(parse_qsl(asked)).get("q", "").strip()
                status, content = page.answer(query)
                self.send_response(status)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(content)))
                self.send_header("cache-control", "no-store")
                self.send_header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
                self.send_header("referrer-policy", "no-referrer")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Queries are in the record, and nowhere else."""

        return Handler

    def answer(self, query: str) -> tuple[int, bytes]:
        """Status and page for a query; for none the empty form."""
        if not query:
            return HTTPStatus.OK, _page("", "<p>Search the web.</p>")
        try:
            results = self._api.search(query)
        except (EnvironmentDown, BadData) as error:
            told = f'<p role="alert">{html.escape(str(error))}</p>'
            return HTTPStatus.BAD_GATEWAY, _page(query, told)
        self.answered += 1
        return HTTPStatus.OK, _page(query, _listed(results))


def _page(query: str, main: str) -> bytes:
    title = f"{query} - search" if query else "Search"
    return _PAGE.format(title=html.escape(title), query=html.escape(query), main=main).encode(
        "utf-8", "replace"
    )


def _listed(results: Results) -> str:
    answer = f"<p><strong>{html.escape(results.answer)}</strong></p>" if results.answer else ""
    found = "".join(map(_row, results.found)) or f"<p>Nothing was found. {html.escape(results.said)}</p>"
    left = f"<p>{results.unusable} more can't be shown.</p>" if results.unusable else ""
    return f"{answer}{found}{left}"


def _row(result: Result) -> str:
    url = html.escape(result.url)
    return (
        f'<article><h2><a href="{url}">{html.escape(result.title or result.url)}</a></h2>'
        f"<p>{html.escape(result.snippet)}</p></article>"
    )


def _result(row: object) -> Result | None:
    """A row of the API's, None where it has no address that a browser opens."""
    url = _text(row, "link")
    if not url.startswith(("http://", "https://")):
        return None
    return Result(_text(row, "title"), url, _text(row, "snippet"))


def _answer(box: object) -> str:
    """What an answer box says; SerpAPI has it under one of several names."""
    return next(filter(None, (_text(box, name) for name in ("answer", "snippet", "result"))), "")


def _text(row: object, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    return plain_clip(value, LONGEST) if isinstance(value, str) else ""

"""Settings, declared once: type, default and description here; file keys, variables and flags follow.

Precedence: flag, environment (`WEBBENCH_…`), project file (`webbench.toml` in the working folder or
above), the user's file, default.

A project file may come with somebody's repository. Each setting declares what such a file may do, by `extra`
of its description: `FREE` settings are a matter of looks or of how a score is read; of `SPARING` ones a lower
limit is taken, and of those with `from_loose` a stricter choice. All others it can't set: they say what is
executed, read and kept, where requests go, what counts against a limit, and what a key does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from webbench.core.settings import locations
from webbench.core.settings.guard_defaults import DEFAULT_ADDRESSES, DEFAULT_WORDS
from webbench.core.settings.regions import AUTO, checked_locale, checked_region, checked_timezone
from webbench.core.text.addresses import HIDDEN, without_secrets
from webbench.core.text.no_value import NO_VALUE

FREE: dict[str, Any] = {"project": "free"}
SPARING: dict[str, Any] = {"project": "lower"}


def spelt(check: Callable[[str], str]) -> dict[str, Any]:
    """A name that `check` gives in its usual spelling, or raises `ValueError` for; anybody may set it."""
    return {**FREE, "check": check}


def from_loose(*choices: str) -> dict[str, Any]:
    """The loosest choice first."""
    return {"project": choices}


class BrowserSettings(msgspec.Struct, frozen=True, kw_only=True):
    executable: Annotated[
        str, Meta(description="Chromium to start, or headless-shell; empty: the one that is found")
    ] = ""
    headless: Annotated[bool, Meta(description="Start the browser without a window")] = True
    sandbox: Annotated[
        Literal["auto", "on", "off"], Meta(description="Chromium's sandbox; auto: on, except for root")
    ] = "auto"
    driver: Annotated[
        Literal["playwright", "selenium", "firefox"],
        Meta(description="What drives the browser; firefox: Firefox, by Playwright"),
    ] = "playwright"
    endpoint: Annotated[
        str,
        Meta(
            description="Address of a running browser's DevTools, of a Playwright server, or with "
            "selenium of a Grid; empty: a browser is started"
        ),
    ] = ""
    input: Annotated[
        Literal["browser", "desktop"],
        Meta(description="Mouse and keyboard: the browser's own events, or real ones on a display"),
    ] = "browser"
    display: Annotated[
        str, Meta(description="X display for real mouse and keyboard; empty: a private one is started")
    ] = ""
    locale: Annotated[
        str,
        Meta(
            description="Language that pages are told, such as de-DE; auto: the benchmark's, else en-US",
            extra=spelt(checked_locale),
        ),
    ] = AUTO
    timezone: Annotated[
        str,
        Meta(
            description="Time zone of pages, as Europe/Berlin; auto: the benchmark's, else the browser's",
            extra=spelt(checked_timezone),
        ),
    ] = AUTO
    region: Annotated[
        str,
        Meta(
            description="Where pages are told to be: DE, Berlin or 'latitude, longitude'; auto: the "
            "benchmark's, else they aren't told",
            extra=spelt(checked_region),
        ),
    ] = AUTO


class ViewportSettings(msgspec.Struct, frozen=True, kw_only=True):
    width: Annotated[
        int, Meta(ge=100, le=10_000, description="Width of the page in CSS pixels", extra=FREE)
    ] = 1280
    height: Annotated[
        int, Meta(ge=100, le=10_000, description="Height of the page in CSS pixels", extra=FREE)
    ] = 720


class JudgeSettings(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[str, Meta(description="Base address of the judge's OpenAI-compatible endpoint")] = (
        "https://api.openai.com/v1"
    )
    model: Annotated[str, Meta(description="Model that judges where --judge says model")] = ""
    key_file: Annotated[
        str, Meta(description="File with the endpoint's key; empty: the variable WEBBENCH_JUDGE_KEY")
    ] = ""
    timeout: Annotated[float, Meta(gt=0, description="Seconds that one attempt at a reply may take")] = 60.0
    retries: Annotated[int, Meta(ge=0, le=20, description="Further attempts when one failed")] = 4
    input_price: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(description="US dollars per million tokens asked; 0: it costs nothing"),
    ] = None
    output_price: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(description="US dollars per million tokens replied; 0: it costs nothing"),
    ] = None


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[str, Meta(description="Base address of the OpenAI-compatible endpoint of agents")] = (
        "https://api.openai.com/v1"
    )
    name: Annotated[str, Meta(description="Model that agents ask where none is named for them")] = ""
    key_file: Annotated[
        str, Meta(description="File with the endpoint's key; empty: the variable WEBBENCH_MODEL_KEY")
    ] = ""
    timeout: Annotated[float, Meta(gt=0, description="Seconds that one attempt at a reply may take")] = 120.0
    retries: Annotated[int, Meta(ge=0, le=20, description="Further attempts when one failed")] = 4
    stream: Annotated[bool, Meta(description="Have replies sent as they are written")] = False
    stall: Annotated[
        float, Meta(ge=0, description="Seconds without a byte that end a reply once it has begun; 0: any")
    ] = 60.0


class BrowserGymSettings(msgspec.Struct, frozen=True, kw_only=True):
    pythons: Annotated[
        tuple[str, ...],
        Meta(description="Interpreters with packages of BrowserGym environments; empty: this one"),
    ] = ()
    seconds: Annotated[
        float, Meta(gt=0, description="Seconds that a BrowserGym environment may take to begin")
    ] = 180.0


class GuardSettings(msgspec.Struct, frozen=True, kw_only=True):
    actions: Annotated[
        Literal["auto", "on", "off"],
        Meta(
            description="Confirm purchases etc. of an agent; auto: but on sites made for the task",
            extra=from_loose("off", "auto", "on"),
        ),
    ] = "auto"
    hosts: Annotated[
        tuple[str, ...],
        Meta(description="Hosts that may be reached besides the task's own, such as *.a.test; empty: all"),
    ] = ()
    words: Annotated[
        tuple[str, ...],
        Meta(description="NAME: EXPRESSION over what is pressed; a person has to confirm it for an agent"),
    ] = DEFAULT_WORDS
    addresses: Annotated[
        tuple[str, ...],
        Meta(description="NAME: EXPRESSION over addresses that an agent may not ask for unconfirmed"),
    ] = DEFAULT_ADDRESSES


class Values(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting, with its description and default."""

    store: Annotated[str, Meta(description="Folder of recorded trajectories; empty: the data folder's")] = ""
    data: Annotated[dict[str, str], Meta(description="Data folder per benchmark: data.NAME")] = {}
    browser: BrowserSettings = BrowserSettings()
    viewport: ViewportSettings = ViewportSettings()
    theme: Annotated[str, Meta(description="Name of the colour theme", extra=FREE)] = "workbench-dark"
    pictures: Annotated[
        Literal["auto", "kitty", "sixel", "half-block", "text"],
        Meta(description="How screenshots are drawn in the terminal", extra=FREE),
    ] = "auto"
    ascii: Annotated[bool, Meta(description="Draw lines and signs with ASCII only", extra=FREE)] = False
    dialect: Annotated[str, Meta(description="Action language; empty: the benchmark's own", extra=FREE)] = ""
    rules: Annotated[str, Meta(description="Rule set of the headline score", extra=FREE)] = "published"
    judge: JudgeSettings = JudgeSettings()
    model: ModelSettings = ModelSettings()
    prices: Annotated[
        dict[str, str],
        Meta(description="US dollars per million tokens in and out: prices.MODEL = '2.50 10.00'"),
    ] = {}
    step_limit: Annotated[
        int,
        Meta(
            ge=0,
            description="Actions after which an episode ends; 0: the benchmark's own limit",
            extra=SPARING,
        ),
    ] = 0
    uploads: Annotated[
        str,
        Meta(
            description="Folder whose files may be uploaded where a task brings none of its own; empty: none"
        ),
    ] = ""
    search_engine: Annotated[
        str,
        Meta(
            pattern=r"^https?://[^/{}]+/.*\{query\}",
            description="Where tasks of the open web start and search: an address with {query}",
        ),
    ] = "https://duckduckgo.com/?q={query}"
    search_api: Annotated[
        str,
        Meta(
            pattern=r"^(https?://[^/{}\s]+(/[^{}\s]*)?)?$",
            description="A search API in the form of SerpAPI, such as "
            "https://serpapi.com/search.json?engine=google: AssistantBench's questions of the open web start "
            "at a page of ours that shows its results; empty: at search_engine",
        ),
    ] = ""
    search_key_file: Annotated[
        str, Meta(description="File with the search API's key; empty: the variable WEBBENCH_SEARCH_KEY")
    ] = ""
    page_clock: Annotated[
        bool,
        Meta(description="Let the time limit that a task's own page has (MiniWoB++) end the episode"),
    ] = False
    repeat_limit: Annotated[
        int,
        Meta(
            ge=-1,
            description="Times an agent may repeat an action on a page; 0: the benchmark's own, -1: any",
            extra=SPARING,
        ),
    ] = 0
    invalid_limit: Annotated[
        int,
        Meta(
            ge=-1,
            description="Texts in a row that may be no action; 0: the benchmark's own limit, -1: any",
            extra=SPARING,
        ),
    ] = 0
    seconds_limit: Annotated[
        float, Meta(ge=0, description="Seconds after which an episode ends; 0: never", extra=SPARING)
    ] = 0.0
    token_limit: Annotated[
        int,
        Meta(ge=0, description="Tokens of its agent after which an episode ends; 0: never", extra=SPARING),
    ] = 0
    cost_limit: Annotated[
        float,
        Meta(
            ge=0, description="US dollars of its agent after which an episode ends; 0: never", extra=SPARING
        ),
    ] = 0.0
    browsergym: BrowserGymSettings = BrowserGymSettings()
    guard: GuardSettings = GuardSettings()
    agent_env: Annotated[
        tuple[str, ...],
        Meta(description="Environment variables that programs of agents get besides PATH, HOME, LANG ..."),
    ] = ()
    approval: Annotated[
        Literal["always", "changes", "never"],
        Meta(
            description="Before which actions of an agent you are asked; changes: submit, navigate, type",
            extra=from_loose("never", "changes", "always"),
        ),
    ] = "never"
    sites: Annotated[dict[str, str], Meta(description="Address of a site: sites.BENCHMARK.SITE")] = {}
    accounts: Annotated[
        dict[str, str],
        Meta(description="Account on a site: accounts.BENCHMARK.SITE.user and .password (or .password_file)"),
    ] = {}
    reset: Annotated[
        dict[str, str],
        Meta(description="Command that puts a site back to its first state: reset.BENCHMARK.SITE"),
    ] = {}
    reset_first: Annotated[
        bool, Meta(description="Run these before a task, where its sites were changed since")
    ] = False
    ranking: Annotated[
        Literal["bm25", "dense", "none"],
        Meta(description="How candidate elements are ranked; dense needs the extra `ranking`", extra=FREE),
    ] = "bm25"
    ranker: Annotated[
        str, Meta(description="Encoder of dense rankings: minilm, hashed, or ./FOLDER of a trained one")
    ] = "minilm"
    relevant_html: Annotated[
        bool, Meta(description="Give the HTML around each form field with every observation", extra=FREE)
    ] = False
    annotator: Annotated[
        str, Meta(description="Pseudonym that labels and baselines are recorded under; no real name")
    ] = ""
    redact: Annotated[
        tuple[str, ...], Meta(description="Regular expressions whose matches are never recorded")
    ] = ()
    keys: Annotated[dict[str, str], Meta(description="Other keys for actions: keys.ACTION = 'ctrl+x'")] = {}


class Refused(msgspec.Struct, frozen=True):
    """What a project file may not set: the setting, the value as it may be shown, the file, and why not."""

    setting: str
    value: object
    file: str
    reason: str


class Settings(Values, frozen=True, kw_only=True):
    """The values in effect.

    Attributes:
        origins: where each value that is no default came from, by setting name.
        problems: what was left out: unknown names with the nearest known one, and what a project file
            may not set.
        refused: the latter, one by one.
        lowered: limits that a project file set; the benchmark's own one holds where it is lower still.
    """

    origins: dict[str, str] = {}
    refused: tuple[Refused, ...] = ()
    lowered: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()

    def store_folder(self) -> Path:
        """Where trajectories are kept."""
        return Path(self.store) if self.store else locations.default_store()

    def data_folder(self, benchmark: str) -> Path | None:
        """Where a benchmark's data is, None where no setting says so."""
        named = self.data.get(benchmark, "")
        return Path(named) if named else None

    def effective(self) -> list[tuple[str, object, str]]:
        """Every setting as (name, value, origin), in the order of declaration; passwords are hidden."""
        rows: list[tuple[str, object, str]] = []
        for declared in declarations():
            value = declared.of(self)
            if isinstance(value, dict):
                entries = [(f"{declared.name}.{key}", item) for key, item in sorted(value.items())]
            else:
                entries = [(declared.name, value)]
            rows += [(name, shown(name, item), self.origins.get(name, "default")) for name, item in entries]
        return rows


class Declaration(msgspec.Struct, frozen=True):
    """One setting as declared.

    Attributes:
        name: dotted, as in a settings file: "browser.headless".
        type: what a value must be, with its constraints.
        table: its values are given by further names: "data.NAME".
        project: what a project file may do: "free", "lower" (of a limit), the choices from loose to strict,
            or nothing.
        check: gives a text in its usual spelling, or raises `ValueError`.
    """

    name: str
    type: object
    default: object
    description: str
    table: bool = False
    project: str | tuple[str, ...] = ""
    check: Callable[[str], str] | None = None

    @property
    def variable(self) -> str:
        """The environment variable; for a table, what its names begin with."""
        return "WEBBENCH_" + self.name.upper().replace(".", "_") + ("_" if self.table else "")

    @property
    def choices(self) -> tuple[str, ...]:
        """What it can be, where that is one of few; empty for anything else."""
        kind = get_args(self.type)[0]
        if bool in (kind, *get_args(kind)):
            return "true", "false"
        return get_args(kind) if get_origin(kind) is Literal else ()

    def of(self, settings: Values) -> object:
        """Its value in these settings."""
        value: object = settings
        for part in self.name.split("."):
            value = getattr(value, part)
        return value


def shown(name: str, value: object) -> object:
    """The value of a setting without what is secret in it."""
    if is_secret(name):
        return HIDDEN
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, list | tuple):
        return tuple(shown(name, one) for one in value)
    return value


def value_text(value: object) -> str:
    """A value as tables tell it; a dash for an empty one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or NO_VALUE
    return str(value) if value not in ("", None) else NO_VALUE


def is_secret(name: str) -> bool:
    """Whether an entry of the table of accounts, which no other setting is named like, is a secret."""
    return name.lower().endswith(("password", "token"))


@cache
def declarations() -> tuple[Declaration, ...]:
    """All settings, in the order in which they are declared above."""
    return tuple(_declared(Values, ""))


def _declared(kind: type[msgspec.Struct], prefix: str) -> list[Declaration]:
    found: list[Declaration] = []
    for field in msgspec.structs.fields(kind):
        default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
        if isinstance(default, msgspec.Struct):
            found += _declared(type(default), f"{prefix}{field.name}.")
            continue
        note = field.type.__metadata__[0]
        extra = note.extra or {}
        name, table = prefix + field.name, isinstance(default, dict)
        found.append(
            Declaration(
                name,
                field.type,
                default,
                note.description,
                table,
                extra.get("project", ""),
                extra.get("check"),
            )
        )
    return found

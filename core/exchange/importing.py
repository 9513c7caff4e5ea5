"""Bringing foreign episodes into a store, and telling what was lost on the way."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.exchange.account import recorded_counts
from webbench.core.exchange.account.balance import UNCOUNTED, Row, balance, left_out, unexplained
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.tally import Tally
from webbench.core.exchange.account.told_losses import Losses
from webbench.core.exchange.detection import Found, find
from webbench.core.exchange.earlier_imports import Kept, Source, Sources, stamp
from webbench.core.exchange.episode_building import ONE_ATTEMPT
from webbench.core.exchange.import_format import Format, ImportedEpisode, ImportedStep, Picture
from webbench.core.exchange.known_tasks import KnownTasks
from webbench.core.exchange.own.carried_fields import LONGEST_NAME
from webbench.core.exchange.place import MOST_NAMES
from webbench.core.json_types import JsonObject, text_of
from webbench.core.labels.label import Done, Entry, imported_entries
from webbench.core.labels.ledger import ledger_of
from webbench.core.observation import Screenshot
from webbench.core.score.score import Status
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import StoreUnwritable
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.trajectory import IMPORTED, EpisodeHeader, Step, known_end, now

if TYPE_CHECKING:
    from webbench.core.store.store import Store

UNREADABLE = "the source can't be read any further"
UNFORESEEN = (
    *(LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, RecursionError, MemoryError),
)
"""What a format may trip over in files of strangers: it costs the file, not the import of a thousand."""
GIT_LFS = b"version https://git-lfs"


class Imported(Losses, msgspec.Struct, kw_only=True):
    """What became of one place.

    Attributes:
        format: name, "" where none knows it.
        state: "imported" (whole), "partial" (something was lost, or it goes on), "companion", "refused".
        why: for a companion what it is, for a refusal the reason.
        episodes: as read; `steps`, `screenshots`, `scores` and `labels` are counts of theirs.
        known: episodes among them that an earlier import had kept already, which are left as they are.
        changed: episodes among them that are kept beside what an earlier import kept of other files there.
        lost: what the source holds and the records don't, one line each; `again`: how often one came again.
        noticed: what is odd about the source and was taken over as it stands, or how it was read, one line
            each.
        uncounted: the format counts nothing, so that nobody knows whether anything is missing.
        account: what the source has and what the records have, a row a kind.

    Example:
        >>> [(place.path, place.lost) for place in wb.import_("downloads") if place.lost]
    """

    most_lost = 50

    path: str
    format: str = ""
    state: str = "imported"
    why: str = ""
    episodes: int = 0
    known: int = 0
    changed: int = 0
    steps: int = 0
    screenshots: int = 0
    scores: int = 0
    labels: int = 0
    lost: list[str] = []
    again: dict[str, int] = {}
    noticed: list[str] = []
    uncounted: bool = False
    account: list[Row] = []


class _Books:
    """The account of a place while it is read: the source's tally, and what has been recorded of it."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.recorded: Counter[Kind] = Counter()
        self.broken = ""
        self._record: list[bytes] = []
        self._exchanges = 0

    def step(self, one: ImportedStep, written: Step, picture: Screenshot | None) -> None:
        """A step as it was written."""
        seen = one.observation
        tree = seen is not None and bool(seen.nodes)
        recorded_counts.count_step(
            self.recorded, written, tree=tree, html=bool(one.html), picture=picture is not None
        )
        self._exchanges = max(self._exchanges, recorded_counts.count_exchanges(written))
        if self.tally.is_waiting:
            self._record.append(codec.encode(written))
            if seen is not None:
                self._record.append(codec.encode((seen.url, seen.title, seen.tabs, seen.viewport)))

    def episode(self, header: EpisodeHeader, episode: ImportedEpisode) -> None:
        """Its end: the header as it was written, labels and files."""
        recorded_counts.count_header(self.recorded, header)
        self.recorded["labels"] += len(episode.labels)
        self.recorded["exchanges"] += self._exchanges
        if self.tally.is_waiting:
            settings = {name: value for name, value in header.settings.items() if name != IMPORTED}
            own = msgspec.structs.replace(header, settings=settings, run="", episode="", versions={})
            text = b"\n".join([codec.encode(own), *self._record, codec.encode(episode.labels)])
            self.tally.settle(text)
            self.tally.concealed += text.count(MARKER.encode())
        self._record.clear()
        self._exchanges = 0


class Keeper:
    """Writes episodes into runs of a store: one run for each format, benchmark and actor.

    Args:
        store: None for a dry run, which reads everything and keeps nothing.
        source: what is imported, for the runs' settings.
        again: keep also what an earlier import has kept.
        called: what stands in the records in place of the source's path; "" for that.
    """

    def __init__(self, store: Store | None, source: Path, *, again: bool = False, called: str = "") -> None:
        self.store = store
        self.source = source
        self._called = called
        self.runs: dict[tuple[str, str, str, bool], str] = {}
        self._sources = Sources(store, again=again)
        self._orders: dict[str, int] = {}
        self._known = KnownTasks()

    def name_of(self, path: str) -> str:
        """A path of the source, as records name it."""
        return self._called + path.removeprefix(str(self.source)) if self._called else path

    def keep(self, source: Source, episode: ImportedEpisode, told: Imported, books: _Books) -> None:
        """Write one episode as far as it can be read; `told` counts what is in it, and what is lost."""
        steps = _Steps(episode, source.format, told)
        if steps.nothing:
            books.broken = steps.broken
            return
        if self._is_told_again(source, episode, steps, books):
            return
        kept = self._sources.kept(source)
        same = next((one for one in kept if one.stamp == source.stamp), None)
        if self.store is None or same is not None:
            for one in steps:
                picture = _picture(one.picture, told, books.tally)
                _count(told, one.step, picture)
                books.step(one, one.step, picture)
            books.episode(episode.header, episode)
        else:
            self._write(self.store, source, episode, steps, told, books, changed=bool(kept))
        if self.store is not None and same is not None:
            self._complete(self.store, same, episode, source.format, told)
        books.broken = books.broken or steps.broken
        told.episodes += 1
        told.known += same is not None
        told.changed += same is None and bool(kept)
        score = episode.header.score
        told.scores += score is not None and score.status is Status.SCORED
        told.labels += len(episode.labels)
        for what in episode.lost:
            told.lose(what)

    def _is_told_again(self, source: Source, episode: ImportedEpisode, steps: _Steps, books: _Books) -> bool:
        """Whether another file of this import has told of the attempt; what it has is counted as such."""
        named = episode.header.settings.get(ONE_ATTEMPT)
        if not named or not self._sources.told_elsewhere(source, str(named)):
            return False
        other = _Books(books.tally)
        for one in steps:
            other.step(one, one.step, None)
        other.episode(episode.header, episode)
        for kind, count in other.recorded.items():
            books.tally.again(kind, "the same person's attempt, which another file has told", count)
        return True

    def _write(
        self,
        store: Store,
        source: Source,
        episode: ImportedEpisode,
        steps: _Steps,
        told: Imported,
        books: _Books,
        *,
        changed: bool,
    ) -> None:
        header = episode.header
        run = self._run_of(store, source.format, header, changed=changed)
        order = self._orders[run]
        self._orders[run] = order + 1
        missing = self._known.missing(header.task)
        source = msgspec.structs.replace(source, at=now())
        told_of = source.setting() | _made_by(episode, told)
        if missing:
            told_of["filled_in"] = sorted(missing)
        if IMPORTED in header.settings:
            told_of["origin"] = header.settings[IMPORTED]
        header = msgspec.structs.replace(
            header,
            order=order,
            started=header.started or steps.began,
            task=msgspec.structs.replace(header.task, **missing),
            settings={**header.settings, IMPORTED: told_of},
        )
        recorder = store.recorder(run, header, durable=False)
        try:
            for one in steps:
                picture = _picture(one.picture, told, books.tally)
                written = recorder.write(
                    one.step, observation=one.observation, screenshot=picture, html=one.html
                )
                _count(told, one.step, picture)
                books.step(one, written, picture)
            for file in episode.files:
                recorder.keep_data(file.name, file.data)
            reason = UNREADABLE if steps.broken else header.end_reason or "imported"
            header = recorder.finish(header.score, reason, ended=known_end(episode.header) or source.at)
        finally:
            recorder.close()
        books.episode(header, episode)
        _keep_labels(store, episode, header, source.format, told)

    def close(self) -> None:
        """Say of each run how many episodes came, and see to it that all of it is on disk."""
        if self.store is None or not self.runs:
            return
        for run, episodes in self._orders.items():
            self.store.plan_run(run, episodes)
        os.sync()

    def _complete(
        self, store: Store, kept: Kept, episode: ImportedEpisode, format: str, told: Imported
    ) -> None:
        """Labels come after their episode; an import that was killed in between may lack them."""
        if (episode.labels or episode.entries) and not self._sources.is_labelled(kept):
            header = msgspec.structs.replace(episode.header, run=kept.run, episode=kept.episode)
            _keep_labels(store, episode, header, format, told)

    def _run_of(self, store: Store, format: str, header: EpisodeHeader, *, changed: bool) -> str:
        """An earlier import's run is gone on with; what has changed since comes into a run of its own."""
        benchmark, actor = header.task.benchmark, header.actor
        key = (format, benchmark, actor, changed)
        if key not in self.runs:
            source = Source(format, self.name_of(str(self.source)))
            earlier = "" if changed else self._sources.run(source, benchmark, actor)
            self.runs[key] = earlier or store.start_run(
                benchmark=benchmark, agent=actor, planned=0, settings={IMPORTED: source.setting()}
            )
            self._orders[self.runs[key]] = self._sources.episodes[earlier] if earlier else 0
        return self.runs[key]


def _keep_labels(
    store: Store, episode: ImportedEpisode, header: EpisodeHeader, format: str, told: Imported
) -> None:
    """Each annotator's labels; those of one whose name can't be kept are told as lost."""
    entries = _entries(episode, header, format)
    for annotator in dict.fromkeys(entry.annotator for entry in entries):
        try:
            ledger_of(store).add([entry for entry in entries if entry.annotator == annotator], durable=False)
        except UsageError as error:
            told.lose(f"labels: {error}")


def _entries(episode: ImportedEpisode, header: EpisodeHeader, format: str) -> list[Entry]:
    """What people wrote, for the episode as it is called here; who is through is told once."""
    own = [
        msgspec.structs.replace(entry, run=header.run, episode=header.episode) for entry in episode.entries
    ]
    told = {(one.taxonomy, one.annotator) for one in own if isinstance(one, Done)}
    from_labels = [
        one
        for one in imported_entries(episode.labels, header, format)
        if not isinstance(one, Done) or (one.taxonomy, one.annotator) not in told
    ]
    return [*from_labels, *own]


class _Steps:
    """The steps of an episode up to where they can't be read; why is told as a loss.

    Attributes:
        nothing: not even the first one can be read.
        began: the time of the first one, "" where the source doesn't tell it.
        broken: the error that they ended in, "" where they came to their end.
    """

    def __init__(self, episode: ImportedEpisode, format: str, told: Imported) -> None:
        self.broken = ""
        self._format, self._told = format, told
        self._source = iter(episode.steps)
        self._first = self._next()
        self.nothing = self._first is None and bool(self.broken)
        self.began = self._first.step.at if self._first is not None else ""

    def __iter__(self) -> Iterator[ImportedStep]:
        one = self._first
        while one is not None:
            yield one
            one = self._next()

    def _next(self) -> ImportedStep | None:
        try:
            return next(self._source, None)
        except (BadData, *UNFORESEEN) as error:
            self.broken = _why(error, self._format)
            self._told.lose(self.broken)
            return None


def _why(error: Exception, format: str) -> str:
    if isinstance(error, BadData):
        return str(error)
    return f"{format} does not foresee the shape of what it read ({type(error).__name__}: {str(error)[:200]})"


def bring_in(
    root: Path,
    formats: Sequence[Format],
    store: Store | None,
    *,
    only: str = "",
    again: bool = False,
    called: str = "",
    progress: Callable[[Imported], None] = lambda _told: None,
) -> Iterator[Imported]:
    """Import what lies at `root`, place by place; nothing but the store is written.

    Args:
        store: None to read everything and keep nothing.
        only: name of the one format to be tried.
        again: keep also what an earlier import has kept.
        called: what the records call `root`: the address that it was copied from; "" for its path.
        progress: told of a place after each of its episodes, and when it is done with.

    Raises `UsageError` where there is nothing at `root`; `StoreUnwritable`, after which a repeated import
    goes on where this one was.
    """
    if not root.exists():
        raise UsageError(f"There is nothing at {root}", "name a file or a folder of recorded episodes")
    keeper = Keeper(store, root, again=again, called=called)
    try:
        for found in find(root, formats, only):
            told = _one(keeper, found, progress)
            progress(told)
            yield told
    except BaseException:
        with contextlib.suppress(StoreUnwritable):
            keeper.close()
        raise
    keeper.close()


def _one(keeper: Keeper, found: Found, progress: Callable[[Imported], None]) -> Imported:
    told = Imported(path=str(found.place), format=found.format.name if found.format else "")
    if found.format is None or found.claim.kind != "episodes":
        told.state = "companion" if found.claim.kind == "companion" else "refused"
        told.why = found.claim.why
        return told
    told.state = "partial"
    made_of = stamp(found.place.path) if keeper.store is not None else ""
    books = _Books(found.place.tally)
    try:
        for number, episode in enumerate(found.format.episodes(found.place), 1):
            source = Source(found.format.name, keeper.name_of(told.path), number, made_of)
            keeper.keep(source, episode, told, books)
            progress(told)
    except (BadData, *UNFORESEEN) as error:
        books.broken = _why(error, found.format.name)
        told.lose(books.broken)
    for note in found.place.told:
        told.lose(note)
    _close(books, told)
    if not told.episodes:
        told.state, told.why = "refused", (told.lost or ["it holds no episode"])[0]
    elif not told.lost:
        told.state = "imported"
    return told


def _close(books: _Books, told: Imported) -> None:
    """Draw the balance; what is left out is told as lost, with its reason or as unexplained."""
    _count_files(books, Path(told.path))
    told.account = balance(books.tally, books.recorded, books.broken)
    told.noticed = [
        f"{what} ({times} times)" if times > 1 else what for what, times in books.tally.noticed.items()
    ]
    if not books.tally.used and told.episodes:
        told.uncounted = True
        told.noticed.append(UNCOUNTED)
        return
    for why, times in left_out(told.account, books.tally.told):
        told.lose(why, times)
    for line in unexplained(told.account):
        told.lose(line)


def _count_files(books: _Books, path: Path) -> None:
    """Of a folder: how many files it has, and of how many anything was read."""
    if not books.tally.used or not path.is_dir():
        return
    opened = set(map(os.path.normpath, books.tally.opened))
    files = [file for file, is_file in itertools.islice(_names_below(str(path)), MOST_NAMES) if is_file]
    books.tally.count("files", len(files))
    unread = [file for file in files if file not in opened]
    books.recorded["files"] = len(files) - len(unread)
    books.tally.missed_files += [os.path.relpath(file, path) for file in unread]


def _names_below(folder: str) -> Iterator[tuple[str, bool]]:
    """The path of everything in a folder and below, and whether it is a file; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry, os.path.normpath(entry.path)) for entry in entries]
    except OSError:
        return
    yield from ((path, _is_file(entry)) for entry, path in found)
    for entry, path in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _names_below(path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it leads to a file; a link that goes in a circle leads nowhere."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _count(told: Imported, step: Step, picture: Screenshot | None) -> None:
    told.steps += step.index > 0
    told.screenshots += picture is not None


def _measures(picture: Picture) -> tuple[float, bool, tuple[float, float]]:
    return picture.scale, picture.full_page, picture.origin


def _made_by(episode: ImportedEpisode, told: Imported) -> JsonObject:
    """What made a source, each field up to a length: a stranger's file may tell anything of itself."""
    kept: JsonObject = {}
    for name, value in msgspec.to_builtins(episode.made_by).items():
        text = text_of(value)
        kept[name] = text[:LONGEST_NAME]
        if len(text) > LONGEST_NAME:
            told.lose(f"what made it: the end of its {name.replace('_', ' ')}, which is too long for a name")
    return kept


def _picture(picture: Picture | None, told: Imported, tally: Tally) -> Screenshot | None:
    """The picture with its measures, None (and a loss told) where the data is none."""
    if picture is None:
        return None
    from webbench.core.store.records.pictures import screenshot

    kind = picture.format
    found = screenshot(picture.data, kind, *_measures(picture)) if kind else None
    if found is None or not found.width:
        pointer = picture.data.startswith(GIT_LFS)
        why = "only a pointer of Git LFS: fetch it with `git lfs pull`" if pointer else "no PNG, JPEG or WebP"
        told.lose(f"a screenshot is {why}")
        tally.left("pictures", f"a screenshot is {why}")
        return None
    return found

"""What a trajectory format has to keep: it knows its own files, counts what it reads, nothing trips it."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec

from webbench.core.conformance.generated import damaged_bytes, damaged_value
from webbench.core.conformance.rule import Broken, Ledger, LeftOut, Rule, raised, require, require_each
from webbench.core.errors import BadData
from webbench.core.exchange.detection import find
from webbench.core.exchange.export_format import find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import Format, ShowsSample, find_format, known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.exchange.place import Place
from webbench.core.json_types import Json
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import EXPORTERS
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

CONTRACT = "core/exchange/import_format.py::Format"
DAMAGED = 40
LARGEST_CHANGED = 200_000

FIELDS = Rule(
    name="format-fields",
    expected="`name` is that of its entry point; `title` and `looks_like` say what it is",
    why="lists name it, and an unknown file is told with what the nearest format looks like",
    contract=CONTRACT,
)
CLAIMS = Rule(
    name="format-claims",
    expected="`claim` never raises, and takes no empty folder, no empty file, no picture and no plain text",
    why="every file of a folder is shown to every format",
    contract=f"{CONTRACT}.claim",
)
SAMPLE = Rule(
    name="format-sample",
    expected="it has `write_sample`, which writes a small place of the format",
    why="without an example of its files nobody can try it",
    contract="core/exchange/import_format.py::ShowsSample",
)
OTHERS = Rule(
    name="format-leaves-others",
    expected="what another format shows as its sample is taken by that format, not by this one",
    why="a file that is read as what it isn't gives an episode that never was",
    contract="core/exchange/import_format.py::Claim.sure",
)
OWN = Rule(
    name="format-own",
    expected="of all formats it is the one that takes its own sample",
    why="else its files are read by another, or by none",
    contract="core/exchange/detection.py::surest",
)
IMPORTS = Rule(
    name="format-imports",
    expected="its sample is imported: at least one episode, steps from 0 on, with a task and an actor",
    why="that is what it is there for",
    contract=f"{CONTRACT}.episodes",
)
COUNTS = Rule(
    name="format-counts",
    expected="what is told of an import is what the records hold: episodes and steps",
    why="what is lost without a word is missed in an analysis months later",
    contract="core/exchange/importing.py::Imported",
)
HOSTILE = Rule(
    name="format-hostile",
    expected="a damaged file raises nothing but `BadData`",
    why="a thousand files of strangers are read at a time; one may be torn, and one may be meant to harm",
    contract=f"{CONTRACT}.episodes",
)
ROUND_TRIP = Rule(
    name="format-round-trip",
    expected="what is imported, exported in the format of the same name, and imported again has the "
    "same episodes, "
    "steps and actions",
    why="people take their records to other tools and back",
    contract="core/exchange/export_format.py::Exporter",
)


def check(name: str, ledger: Ledger, seed: int) -> None:
    """All rules; those that need a sample are left out where the format shows none."""
    asked = find_format(name)
    ledger.ask(FIELDS, lambda: fields(asked, name))
    with tempfile.TemporaryDirectory(prefix="webbench-check-") as folder:
        ledger.ask(CLAIMS, lambda: claims(asked, Path(folder)))
    ledger.ask(OTHERS, lambda: leaves_others(asked))
    if not shows_sample(asked):
        told = "it shows no sample of itself, so its files can't be tried"
        ledger.note(SAMPLE, "left out", told)
        return
    ledger.ask(OWN, lambda: takes_own(asked))
    ledger.ask(IMPORTS, lambda: imports(asked))
    ledger.ask(COUNTS, lambda: counts(asked))
    ledger.ask(HOSTILE, lambda: survives(asked, seed))
    ledger.ask(ROUND_TRIP, lambda: goes_round(asked))


def fields(format: Format, name: str) -> str:
    """Raises `Broken`."""
    require_each(
        name=lambda: "" if format.name == name else f"its name is {format.name!r}, its entry point {name!r}",
        title=lambda: "" if format.title.strip() else "title is blank",
        looks_like=lambda: "" if format.looks_like.strip() else "looks_like is blank",
    )
    return format.title


@cache
def our_samples() -> dict[str, dict[str, Json]]:
    """Of formats that are built in, files by name: a text as it is, everything else as JSON."""
    text = Path(__file__).with_name("samples.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, Json]])


def shows_sample(format: Format) -> bool:
    """Whether there is one."""
    return isinstance(format, ShowsSample) or format.name in our_samples()


@contextmanager
def sample_of(format: Format) -> Iterator[Path]:
    """A place with its sample, in a folder that goes again."""
    with tempfile.TemporaryDirectory(prefix="webbench-check-") as folder:
        if isinstance(format, ShowsSample):
            yield format.write_sample(Path(folder))
            return
        files = our_samples()[format.name]
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (Path(folder) / name).write_text(text, "utf-8")
        yield Path(folder)


def taken_by(path: Path) -> set[str]:
    """Names of the formats that the import would read this place with."""
    found = (one for one in find(path, known_formats()) if one.claim.kind == "episodes")
    return {one.format.name for one in found if one.format is not None}


def claims(format: Format, folder: Path) -> str:
    """Raises `Broken`, and what it raises."""
    places = {
        "empty": b"",
        "notes.txt": b"Nothing to see here.\n",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(64),
        "page.html": b"<!doctype html><title>x</title>",
        "list.json": b"[]",
        "object.json": b"{}",
        "torn.json": b'{"a": [',
        "lines.jsonl": b'{"a": 1}\n{"a": 2}\n',
        "wrong.json": b"\xff\xfe\x00",
        "packed.gz": b"\x1f\x8b\x08\x00",
    }
    empty = folder / "folder"
    empty.mkdir()
    for name, data in places.items():
        (folder / name).write_bytes(data)
    for path in (empty, *(folder / name for name in places)):
        claim = format.claim(Place(path, folder))
        taken = claim is not None and claim.kind == "episodes"
        require(not taken, f"it takes {path.name!r}, which is nothing")
    return f"{len(places)} files and an empty folder"


def leaves_others(format: Format) -> str:
    """Raises `Broken`."""
    tried = []
    for other in known_formats():
        if other.name != format.name and shows_sample(other):
            with sample_of(other) as path:
                require(format.name not in taken_by(path), f"it takes the sample of {other.name}")
            tried.append(other.name)
    if not tried:
        raise LeftOut("no other format shows a sample")
    return ", ".join(tried)


def takes_own(format: Format) -> str:
    """Raises `Broken`."""
    with sample_of(format) as path:
        taken = taken_by(path)
        require(taken == {format.name}, f"it is taken by {', '.join(sorted(taken)) or 'no format'}")
        return path.name


def imports(format: Format) -> str:
    """Raises `Broken`."""
    with _brought_in(format) as (_, told, records):
        require(bool(records), f"no episode: {_losses_told(told)}")
        for record in records:
            indexes = [step.index for step in record.steps]
            require(indexes == [*range(len(indexes))], f"the steps of an episode are {indexes[:10]}")
            require(bool(record.header.task.benchmark), "an episode has no benchmark")
            require(bool(record.header.actor), "an episode has no actor")
        return f"{len(records)} episodes, {sum(len(one.steps) for one in records)} steps"


def counts(format: Format) -> str:
    """Raises `Broken`."""
    with _brought_in(format) as (_, told, records):
        episodes = sum(one.episodes for one in told)
        require(episodes == len(records), f"{episodes} episodes are told, {len(records)} kept")
        steps = sum(one.steps for one in told)
        kept = sum(step.index > 0 for record in records for step in record.steps)
        require(steps == kept, f"{steps} steps are told, {kept} kept")
        return f"{episodes} episodes, {steps} steps"


@contextmanager
def _brought_in(format: Format) -> Iterator[tuple[Store, list[Imported], list[Trajectory]]]:
    with sample_of(format) as path, tempfile.TemporaryDirectory(prefix="webbench-check-") as folder:
        store = Store(Path(folder))
        try:
            told = list(bring_in(path, [format], store))
            yield store, told, _records(store)
        finally:
            store.close()


def _records(store: Store) -> list[Trajectory]:
    return [store.load(one.episode) for one in store.episodes()]


def _losses_told(told: list[Imported]) -> str:
    return "; ".join(line for one in told for line in (one.why, *one.lost) if line)[:300] or "nothing is told"


def survives(format: Format, seed: int) -> str:
    """Raises `Broken`."""
    chance = random.Random(seed)
    with sample_of(format) as path:
        files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
        whole = {file: file.read_bytes() for file in files if file.stat().st_size < LARGEST_CHANGED}
        if not whole:
            raise LeftOut("its sample has no small file")
        for number in range(DAMAGED):
            file = chance.choice(sorted(whole))
            file.write_bytes(_damaged(whole[file], chance, number))
            try:
                _read_through(format, path)
            except BadData:
                pass
            except Exception as error:
                kept = Path(tempfile.gettempdir()) / f"webbench-damaged-{format.name}{file.suffix}"
                shutil.copyfile(file, kept)
                raise Broken(
                    f"{file.name}, damaged with seed {seed} and kept as {kept}: {raised(error)}"
                ) from error
            finally:
                file.write_bytes(whole[file])
    return f"{DAMAGED} damaged files, drawn with seed {seed}"


def _damaged(data: bytes, chance: random.Random, number: int) -> bytes:
    """Wrong bytes, or where the file is JSON, every other time a wrong value in it."""
    if number % 2:
        for lines in (False, True):
            try:
                pieces = data.splitlines() if lines else [data]
                values = [msgspec.json.decode(piece) for piece in pieces]
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            at = chance.randrange(len(values)) if values else 0
            values[at : at + 1] = [damaged_value(values[at], chance)] if values else []
            return b"\n".join(_written(value) for value in values)
    return damaged_bytes(data, chance)


def _written(value: Json) -> bytes:
    return json.dumps(value).encode()


def _read_through(format: Format, path: Path) -> None:
    for found in find(path, [format]):
        if found.format is not None and found.claim.kind == "episodes":
            for episode in format.episodes(found.place):
                for _ in episode.steps:
                    pass


def goes_round(format: Format) -> str:
    """Raises `Broken`, and `LeftOut` where nothing writes the format."""
    if format.name not in entry_points.load(EXPORTERS):
        raise LeftOut("nothing exports this format")
    exporter = find_exporter(format.name)
    with _brought_in(format) as (store, _, records), tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"again{exporter.ending}"
        export(store, [store.find(one.header.episode) for one in records], exporter, out)
        second = Store(Path(folder) / "store")
        try:
            list(bring_in(out, [format], second))
            again = _records(second)
        finally:
            second.close()
        first_steps = sorted(_acted(one) for one in records)
        second_steps = sorted(_acted(one) for one in again)
        require(first_steps == second_steps, f"{first_steps} became {second_steps}")
        return f"{len(records)} episodes"


def _acted(record: Trajectory) -> list[str]:
    return [type(step.action).__name__ for step in record.steps if step.action is not None]

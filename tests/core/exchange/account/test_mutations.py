"""One thing is taken away or changed: the record is equal, or has the change, or the account tells."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.exchange.account.full_episode import picture, record_full
from tests.core.exchange.account.mutated_parts import Member, Part, Rows, WholeFile
from tests.core.exchange.account.mutations import MUTATIONS, documents
from tests.core.exchange.round_trip import folders, written
from webbench.core.exchange.import_format import Claim, Format, ImportedEpisode, ImportedStep, known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.exchange.place import Place
from webbench.core.store.records import codec
from webbench.core.store.store import Store

SOURCES = {
    "adp": "adp-standardized/go-browse-wa",
    "agent-reward-bench": "agent-reward-bench-annotations",
    "agenttuning": "agenttuning-mind2web",
    "mind2web-predictions": "mind2web-step-predictions",
    "nnetnav": "nnetnav",
    "online-mind2web": "online-mind2web/abp-claude-opus-4.6",
    "open-operator": "open-operator-evals/Notte",
    "openwebvoyager": "openwebvoyager",
    "turkingbench-log": "turkingbench-claude-logs",
    "webarena-traces": "webarena-successful",
    "webarena-verified": "webarena-verified-logs",
    "webcanvas-result": "webcanvas-result",
    "webvoyager": "webvoyager-gpt4v",
    "who-and-when": "who-and-when/Hand-Crafted",
    "wonderbread": "wonderbread-human-sops",
}
"""Formats, and a folder of each below the shared trajectories."""
OF_2026 = {
    "atif": "harbor_openhands.json",
    "browser-use": "history.json",
    "devtools-recorder": "desktop-test-flow.json",
    "har": "",
    "huggingface": "",
    "inspect": "log_formats.eval",
    "midscene": "*.json",
    "mind2web": "mind2web.sample_raw.trimmed.json",
    "mhtml": "hn.mhtml",
    "otel-genai": "helm.json",
    "verifiers": "results.jsonl",
}
"""Formats, and a file of each below the shared formats of 2026; data sets and logs are made for the test."""
SOURCES_2026 = {"inspect": "inspect-ai"}
"""Their folders there, where they have another name."""
_ESCAPE = re.compile(r"\\+(u[0-9a-fA-F]{4}|[nrtbf\"/])")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "/": "/"}
LARGEST = 600_000
"""Bytes of a file that is mutated."""


def ordered(value: Any) -> bytes:
    """As a record has it, whatever the order of keys was."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except (UnicodeEncodeError, OverflowError):
        return codec.encode(value)


class _Taped:
    """A format that notes what it gives to be recorded."""

    def __init__(self, format: Format, tape: list[bytes]) -> None:
        self._format, self._tape = format, tape
        self.name, self.title, self.looks_like = format.name, format.title, format.looks_like

    def claim(self, place: Place) -> Claim | None:
        return self._format.claim(place)

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        for episode in self._format.episodes(place):
            self._tape.append(codec.encode(msgspec.structs.replace(episode.header, settings={})))
            self._tape.append(ordered(episode.header.settings))
            episode.steps = self._noted(episode.steps)
            yield episode
            self._tape.append(codec.encode((episode.labels, episode.entries)))
            self._tape += [file.data for file in episode.files]

    def _noted(self, steps: Iterator[ImportedStep]) -> Iterator[ImportedStep]:
        for one in steps:
            picture = hashlib.sha256(one.picture.data).hexdigest() if one.picture else ""
            html = one.html.encode("utf-8", "surrogatepass")
            self._tape += [ordered(one.step), ordered(one.observation), picture.encode(), html]
            yield one


def recorded(folder: Path) -> tuple[list[bytes], list[Imported]]:
    """What would be recorded of a folder, and what the account says."""
    tape: list[bytes] = []
    formats: list[Format] = [_Taped(one, tape) for one in known_formats()]
    return tape, list(bring_in(folder, formats, None))


def told(account: list[Imported]) -> Counter[str]:
    return Counter(
        line
        for one in account
        for line in (*one.lost, *one.noticed, one.why, one.state, *map(str, one.again.items()))
    )


def counts(account: list[Imported]) -> list[tuple[str, int, int]]:
    return sorted((row.kind, row.source, row.recorded) for one in account for row in one.account)


def outcome(folder: Path, data: bytes, changed: bytes, before: tuple[list[bytes], list[Imported]]) -> str:
    """What became of a mutation.

    "equal": the record is the same; "told": the account has another line; "counted": it has another count;
    "carried": what was put in, or taken out, is so in the record too; else "silent".
    """
    tape, account = recorded(folder)
    if told(account) != told(before[1]):
        return "told"
    if sorted(tape) == sorted(before[0]):
        return "equal"
    if counts(account) != counts(before[1]):
        return "counted"
    whole, was = b"\n".join(tape), b"\n".join(before[0])
    if changed in whole:
        return "carried"
    new, old = leaves(changed), leaves(data)
    put_in, taken_out = new - old, old - new
    whole, was = plainly(whole), plainly(was)
    here, there = leaves_of(tape), leaves_of(before[0])
    if here[b"true"] < there[b"true"]:  # what it is now, false, a record may leave unsaid
        put_in.pop(b"false", None)
    added = {
        leaf: next((leaf.removeprefix(o) for o in taken_out if leaf.startswith(o)), leaf) for leaf in put_in
    }
    follows = all(
        whole.count(leaf) > was.count(leaf) or here[leaf] > there[leaf] or whole.count(end) > was.count(end)
        for leaf, end in added.items()
    )
    grown = {leaf: whole.count(leaf) - was.count(leaf) for leaf in put_in}
    gone = (
        was.count(leaf) > whole.count(leaf) - sum(one.count(leaf) * more for one, more in grown.items())
        or there[leaf] > here[leaf]
        or (grown and not was.count(leaf))  # it never stood there as a whole
        for leaf in taken_out
    )
    return "carried" if follows and all(gone) else "silent"


def plainly(data: bytes) -> bytes:
    """Without JSON's escapes, however many texts it stands in, so that a text is the same in any of them."""
    text = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1]) or chr(int(found[1][1:], 16)), data.decode())
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return whole.encode("utf-8", "surrogatepass")


def leaves_of(tape: list[bytes]) -> Counter[bytes]:
    """The texts and numbers of a record, each as a whole: 1 is not in -1."""
    found: Counter[bytes] = Counter()
    for entry in tape:
        found.update(leaves(entry))
    return found


def leaves(data: bytes) -> Counter[bytes]:
    """The texts and numbers of a file, as they would stand in a record."""
    read = documents(data)
    found: Counter[bytes] = Counter()
    for value in values(read[0]) if read is not None else ():
        if value not in (None, ""):
            written = codec.encode(value.strip() if isinstance(value, str) else value)
            found[plainly(written).strip(b'"')] += 1
    return found


def values(value: Any) -> Iterator[Any]:
    """The plain values in a JSON value, and whether there is a list or object in it that is empty."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        yield value
    else:
        for one in inner:
            yield from values(one)


def sample(shared: Path, name: str, target: Path) -> Path:
    """A small part of a format's folder: the files of its first place that isn't too large."""
    source = shared / "data" / "trajectories" / SOURCES[name]
    files = sorted(file for file in source.rglob("*") if file.is_file())
    text = [file for file in files if 200 < file.stat().st_size < LARGEST and file.suffix in SUFFIXES]
    first = (text or files)[0]
    folder = first.parent
    copied = target / folder.name
    copied.mkdir(parents=True)
    for file in sorted(folder.iterdir()):
        if file.is_file() and (file == first or name in WHOLE):
            shutil.copy(file, copied / file.name)
    return copied / first.name


SUFFIXES = (".json", ".jsonl", ".csv", ".txt", ".log")
WHOLE = frozenset({"openwebvoyager", "webarena-verified", "webvoyager"})
"""Formats whose episode is a folder."""


def tried(shared: Path, name: str, tmp_path: Path, seeds: range) -> dict[str, str]:
    """Outcome by mutation and seed."""
    return mutated(WholeFile(sample(shared, name, tmp_path / "source")), name, seeds)


def mutated(part: Part, name: str, seeds: range, folder: Path | None = None) -> dict[str, str]:
    """Outcome of a part of a file by mutation and seed.

    Args:
        folder: what is imported, if not the folder of the file.
    """
    data = part.read()
    folder = folder or part.file.parent
    before = recorded(folder)
    if not any(one.episodes for one in before[1]):
        pytest.skip(f"{name}: no file of its folder is small enough")
    found: dict[str, str] = {}
    for mutation, mutate in MUTATIONS.items():
        for seed in seeds:
            changed = mutate(data, random.Random(f"{name} {mutation} {seed}"))
            if changed is None or changed == data or not part.write(changed):
                continue
            found[f"{mutation} {seed}"] = outcome(folder, data, changed, before)
    part.write(data)
    return found


def in_2026(shared: Path, name: str, target: Path) -> Iterator[tuple[Part, Path]]:
    """The parts of a format of 2026 that are mutated, each with the folder that is imported then."""
    if name == "huggingface":
        yield from data_set(target)
        return
    if name == "har":
        yield from logs(target)
        return
    source = min(
        (shared / "data/formats-2026" / SOURCES_2026.get(name, name)).rglob(OF_2026[name]),
        key=lambda one: (one.stat().st_size, one),
    )
    file = target / source.name
    file.write_bytes(smaller(source.read_bytes()) if name == "midscene" else source.read_bytes())
    if name == "inspect":
        yield from ((Member(file, beginning), target) for beginning in ("samples/", "header.json"))
    else:
        yield WholeFile(file), target


def smaller(report: bytes) -> bytes:
    """A report of Midscene's whose pictures are small, each another one."""
    held = json.loads(report)
    held["images"] = {
        name: "data:image/png;base64," + base64.b64encode(picture(10 * number).data).decode()
        for number, name in enumerate(held["images"])
    }
    return json.dumps(held).encode()


def data_set(target: Path) -> Iterator[tuple[Part, Path]]:
    """A data set for Hugging Face as we export it: rows of both tables, and a file as it is."""
    store = Store(target / "store")
    record_full(store)
    made = target / "made" / "set"
    made.parent.mkdir()
    written("huggingface", store, [store.load(one) for one in folders(store)], made)
    for table in ("episodes", "steps"):
        [file] = (made / "data" / table).iterdir()
        yield from ((part, made.parent) for part in (Rows(file), WholeFile(file)))


def logs(target: Path) -> Iterator[tuple[Part, Path]]:
    """Logs of the network: ours, one of another tool, and one without pages."""
    store = Store(target / "store")
    record_full(store)
    (target / "ours").mkdir()
    written("har", store, [store.load(one) for one in folders(store)], target / "ours" / "tea.har")
    log = json.loads((target / "ours" / "tea.har").read_text())["log"]
    yield WholeFile(target / "ours" / "tea.har"), target / "ours"
    theirs: dict[str, Any] = {name: one for name, one in log.items() if not name.startswith("_")} | {
        "creator": {"name": "Firefox"}
    }
    for entry in theirs["entries"]:
        entry.pop("_step")
        entry["response"]["content"]["mimeType"] = "text/html"
    for page in theirs["pages"]:
        del page["_step"], page["_url"], page["_messages"]
    for name, one in (("theirs", theirs), ("without-pages", {**theirs, "pages": []})):
        (target / name).mkdir()
        (target / name / "tea.har").write_text(json.dumps({"log": one}))
        yield WholeFile(target / name / "tea.har"), target / name


def tried_2026(shared: Path, name: str, tmp_path: Path, seeds: range) -> dict[str, str]:
    """Outcome by mutation and seed, of all parts of a format of 2026."""
    found: dict[str, str] = {}
    for number, (part, folder) in enumerate(in_2026(shared, name, tmp_path)):
        of_part = mutated(part, name, seeds, folder)
        found |= {f"part {number}: {what}" if number else what: how for what, how in of_part.items()}
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", SOURCES)
def test_nothing_changes_in_silence(shared: Path, tmp_path: Path, name: str) -> None:
    found = tried(shared, name, tmp_path, range(1))

    silent = {what.rpartition(" ")[0] for what, how in found.items() if how == "silent"}
    assert silent == set()


@pytest.mark.thorough
@pytest.mark.parametrize("name", OF_2026)
def test_nothing_changes_in_silence_in_formats_of_2026(shared: Path, tmp_path: Path, name: str) -> None:
    found = tried_2026(shared, name, tmp_path, range(1))

    assert len(found) > 5
    silent = {what.rpartition(" ")[0].rpartition(": ")[2] for what, how in found.items() if how == "silent"}
    assert silent == set()


def test_nothing_changes_in_silence_in_small_files(shared: Path, tmp_path: Path) -> None:
    found = tried(shared, "webarena-traces", tmp_path, range(1))

    assert len(found) > 30
    assert [what for what, how in found.items() if how == "silent"] == []

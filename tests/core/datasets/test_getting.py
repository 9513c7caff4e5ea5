"""Downloads: what arrives whole and as published is put in place; anything else leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.core.datasets.source import Source, archive, open_source
from webbench.core.datasets.data_family import DataSet, Part
from webbench.core.datasets.installing import get_data
from webbench.core.errors import BadData, EnvironmentDown, WebbenchError

TASKS = b'[{"task_id": 1}]'


@pytest.fixture(scope="module")
def source() -> Iterator[Source]:
    with open_source() as opened:
        yield opened


def data_set(*parts: Part) -> DataSet:
    return DataSet(name="some", title="Some tasks", source="https://example.org", licence="MIT", parts=parts)


def get(folder: Path, *parts: Part, stalled: float = 5.0) -> list[Path]:
    return get_data(data_set(*parts), folder, lambda done, expected: None, stalled=stalled)


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_is_put_where_it_belongs(tmp_path: Path, source: Source) -> None:
    url = source.leads("/latest.json", source.gives("/tasks.json", TASKS))
    part = Part(url=url, path="sub/tasks.json", size=len(TASKS), sha256=hashlib.sha256(TASKS).hexdigest())
    assert get(tmp_path, part) == [tmp_path / "sub" / "tasks.json"]
    assert (tmp_path / "sub" / "tasks.json").read_bytes() == TASKS
    assert left(tmp_path) == ["sub/tasks.json"]


def troubled(source: Source) -> dict[str, tuple[Part, type[WebbenchError], str]]:
    """A part for every way in which a source can fail."""
    good = source.gives("/good", TASKS)
    long = source.gives("/long", b"x" * 5000)

    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"x" * 5000)

    return {
        "stall": (Part(url=source.stalls("/stall"), path="a"), EnvironmentDown, "stopped answering"),
        "cut": (
            Part(url=source.gives("/cut", b"x", content_length="9"), path="a"),
            EnvironmentDown,
            "can't be",
        ),
        "gone": (Part(url=f"{source.url}/gone", path="a"), EnvironmentDown, "HTTP 404"),
        "login": (Part(url=source.refuses("/own", 401), path="a"), EnvironmentDown, "asks for a login"),
        "down": (Part(url=source.refuses("/down", 503), path="a"), EnvironmentDown, "HTTP 503"),
        "nobody": (Part(url="http://127.0.0.1:1/x", path="a"), EnvironmentDown, "can't be reached"),
        "astray": (Part(url=source.leads("/astray", "http://["), path="a"), EnvironmentDown, "can't be"),
        "round": (Part(url=source.leads("/r", f"{source.url}/r"), path="a"), EnvironmentDown, "redirects"),
        "announced": (Part(url=long, path="a", largest=4999), BadData, "larger than the 4,999 bytes"),
        "endless": (Part(url=source.does("/endless", endless), path="a", largest=99), BadData, "larger"),
        "short": (Part(url=good, path="a", size=99), EnvironmentDown, "gave 16 bytes, published are 99"),
        "other": (Part(url=good, path="a", sha256="0" * 64), BadData, "other bytes than were published"),
        "no archive": (Part(url=good, path="a", unpack={"t": "t"}), BadData, "is damaged"),
    }


@pytest.mark.parametrize("kind", sorted(troubled(Source(""))))
def test_a_failed_download_changes_nothing_and_says_what_to_do(
    kind: str, tmp_path: Path, source: Source
) -> None:
    part, error, told = troubled(source)[kind]
    patience = 0.2 if kind == "stall" else 30.0
    (tmp_path / "a").write_text("as it was")
    with pytest.raises(error, match=told) as caught:
        get(tmp_path, Part(url=source.gives("/good", TASKS), path="b"), part, stalled=patience)
    assert left(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "as it was"
    assert "on another machine get" in caught.value.hint
    with pytest.raises(error):
        get(tmp_path / "new", part, stalled=patience)
    assert not (tmp_path / "new").exists()


def test_what_was_installed_comes_back_where_a_later_part_cannot_be_put(
    tmp_path: Path, source: Source
) -> None:
    (tmp_path / "tasks" / "Old").mkdir(parents=True)
    (tmp_path / "tasks" / "Old" / "batch.csv").write_text("old")
    (tmp_path / "a").write_text("old")
    (tmp_path / "mine").write_text("no folder")
    good = source.gives("/good", TASKS)
    with pytest.raises(EnvironmentDown, match="can't be written"):
        get(tmp_path, packed(source, *GOOD), Part(url=good, path="a"), Part(url=good, path="mine/b"))
    assert left(tmp_path) == ["a", "mine", "tasks/Old/batch.csv"]
    assert {(tmp_path / name).read_text() for name in ("a", "tasks/Old/batch.csv")} == {"old"}


def packed(source: Source, *members: tuple[str, bytes] | tarfile.TarInfo) -> Part:
    url = source.gives("/packed.tar.gz", archive(*members))
    return Part(url=url, path="packed.tar.gz", unpack={"tasks": "tasks", "data/splits": "splits"})


GOOD = (("top/tasks/One/batch.csv", b"a"), ("top/data/splits/easy.txt", b"One\n"))


def test_folders_of_an_archive_replace_those_that_are_there(tmp_path: Path, source: Source) -> None:
    (tmp_path / "tasks" / "Old").mkdir(parents=True)
    (tmp_path / "tasks" / "Old" / "batch.csv").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    link = tarfile.TarInfo("top/tasks/One/passwd")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    put = get(tmp_path, packed(source, *GOOD, link, ("top/src/run.py", b"print()")))
    assert put == [tmp_path / "tasks", tmp_path / "splits"]
    assert left(tmp_path) == ["mine.txt", "splits/easy.txt", "tasks/One/batch.csv"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("../outside.txt", "outside of itself"),
        ("top/tasks/../../../outside.txt", "outside of itself"),
        ("/tmp/outside.txt", "outside of itself"),
        ("top/tasks/..\\outside.txt", "outside of itself"),
    ],
)
def test_an_archive_stays_within_its_folder(name: str, told: str, tmp_path: Path, source: Source) -> None:
    folder = tmp_path / "deep" / "folder"
    with pytest.raises(BadData, match=told):
        get(folder, packed(source, *GOOD, (name, b"x")))
    assert left(tmp_path) == []


def test_a_cut_or_incomplete_archive_is_refused(tmp_path: Path, source: Source) -> None:
    whole = archive(*GOOD, ("top/tasks/One/template.html", bytes(range(256)) * 64))
    part = Part(url=source.gives("/half", whole[: len(whole) // 2]), path="half", unpack={"tasks": "tasks"})
    with pytest.raises(BadData, match="damaged"):
        get(tmp_path, part)
    with pytest.raises(BadData, match="has no folder data/splits"):
        get(tmp_path, packed(source, GOOD[0]))
    assert left(tmp_path) == []


def listed(source: Source, *entries: object, path: str = "demos/one") -> Part:
    tree = source.gives("/tree", json.dumps(entries).encode())
    return Part(url=f"{source.url}/files/", tree=tree, path=path, leave_out=("video.mp4",), largest=1000)


def entry(path: str, body: bytes, **more: object) -> dict[str, object]:
    return {"type": "file", "path": path, "size": len(body), **more}


def test_a_folder_is_taken_as_its_list_says(tmp_path: Path, source: Source) -> None:
    lfs = {"oid": hashlib.sha256(TASKS).hexdigest(), "size": len(TASKS)}
    second = json.dumps([entry("demos/one/pages/a b.html", b"<p>")]).encode()
    next_page = source.gives("/tree2", second)
    first = [
        {"type": "directory", "path": "demos/one/pages"},
        entry("demos/one/replay.json", b"pointer", lfs=lfs),
        entry("demos/one/video.mp4", b"long"),
    ]
    tree = source.gives("/tree1", json.dumps(first).encode(), link=f'<{next_page}>; rel="next"')
    source.gives("/files/demos/one/replay.json", TASKS)
    source.gives("/files/demos/one/pages/a%20b.html", b"<p>")
    part = Part(url=f"{source.url}/files/", tree=tree, path="demos/one", leave_out=("video.mp4",))
    get(tmp_path, part)
    assert left(tmp_path) == ["demos/one/pages/a b.html", "demos/one/replay.json"]


@pytest.mark.parametrize(
    ("entries", "error", "told"),
    [
        ([entry("demos/two/x", b"")], BadData, "outside of demos/one"),
        ([entry("demos/one/../../x", b"")], BadData, "outside of demos/one"),
        ([entry("demos/one/x", b"x" * 1001)], BadData, "more than the 1,000"),
        ([], EnvironmentDown, "lists no file"),
        ([7], BadData, "no list of files"),
    ],
)
def test_a_list_that_leads_elsewhere_is_refused(
    entries: list[object], error: type[WebbenchError], told: str, tmp_path: Path, source: Source
) -> None:
    with pytest.raises(error, match=told):
        get(tmp_path, listed(source, *entries))
    assert left(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, source: Source) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentDown, match="can't be written"):
        get(tmp_path / "file", Part(url=source.gives("/good", TASKS), path="a"))

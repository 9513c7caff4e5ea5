"""Sources at an address: copied within bounds, named with their revision, told where they can't be had."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import fsspec
import pytest

from tests.core.exchange.account.full_episode import record_full
from tests.core.exchange.round_trip import folders, written
from webbench.core.errors import BadData, UsageError
from webbench.core.exchange import fetched_source
from webbench.core.exchange.fetched_source import address_in, fetched
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store
from webbench.core.trajectory import IMPORTED

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    files = fsspec.filesystem("memory")
    yield files
    files.rm("/", recursive=True)


def test_an_address_is_told_from_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`Path` takes one of two slashes away; what lies here under such a name is a path."""
    assert address_in(Path("hf://datasets/a/b@v1/x")) == "hf://datasets/a/b@v1/x"
    assert address_in(Path("file:///tmp/x")) == "file:///tmp/x"
    for path in ("/tmp/x", "x.json", "C:/x", "a:b", "~/x", "."):
        assert address_in(Path(path)) == ""
    (tmp_path / "hf:" / "datasets").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert address_in(Path("hf:/datasets")) == ""


def test_what_is_copied_is_imported_under_its_address(
    memory: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    store = Store(tmp_path / "ours")
    record_full(store)
    written("jsonl", store, [store.load(one) for one in folders(store)], tmp_path / "episodes.jsonl")
    memory.pipe_file("/set/data/episodes.jsonl", (tmp_path / "episodes.jsonl").read_bytes())
    copy = fetched("memory://set", tmp_path / "copies")
    assert (copy.called, copy.files) == ("memory://set", 1)
    theirs = Store(tmp_path / "theirs")
    (told,) = bring_in(copy.root, known_formats(), theirs, called=copy.called)
    (kept,) = folders(theirs)
    setting = theirs.load(kept).header.settings[IMPORTED]
    assert setting["from"] == "memory://set/data/episodes.jsonl"
    assert told.episodes == 1
    again = fetched("memory://set", tmp_path / "copies")
    (told,) = bring_in(again.root, known_formats(), theirs, called=again.called)
    assert (told.known, len(folders(theirs))) == (1, 1)


def test_too_much_and_what_lies_elsewhere_is_refused(
    memory: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.pipe_file("/set/a", b"123")
    memory.pipe_file("/set/b", b"4567")
    with monkeypatch.context() as bounds:
        bounds.setattr(fetched_source, "LARGEST", 6)
        with pytest.raises(BadData, match="has more than the 6 bytes"):
            fetched("memory://set", tmp_path)
    with monkeypatch.context() as bounds:
        bounds.setattr(fetched_source, "MOST_FILES", 1)
        with pytest.raises(BadData, match="has more than the 1 files"):
            fetched("memory://set", tmp_path)
    memory.store["/set/../../c"] = memory.store["/set/a"]
    with pytest.raises(BadData, match="lies elsewhere"):
        fetched("memory://set", tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadData, match="no file at memory://nothing"):
        fetched("memory://nothing", tmp_path)
    with pytest.raises(UsageError, match="no address that can be read"):
        fetched("nosuch://x", tmp_path)


def test_a_list_is_given_up_where_it_is_too_long(
    memory: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is still to be listed then is not asked for."""
    for folder in range(50):
        for number in range(3):
            memory.pipe_file(f"/set/{folder}/{number}", b"1234")
    listed: list[str] = []
    ls = type(memory).ls

    def counted(self: Any, path: str, **more: Any) -> Any:
        listed.append(path)
        return ls(self, path, **more)

    monkeypatch.setattr(type(memory), "ls", counted)
    # the folder itself, and three of its fifty
    for bound, most, asked in (("MOST_FILES", 8, 4), ("LARGEST", 32, 4), ("MOST_FOLDERS", 40, 1)):
        listed.clear()
        with monkeypatch.context() as bounds:
            bounds.setattr(fetched_source, bound, most)
            with pytest.raises(BadData, match=f"has more than the {most} "):
                fetched("memory://set", tmp_path / "copies")
        assert len(listed) == asked


def test_a_copy_has_what_is_at_its_address_now_and_nothing_of_another(
    memory: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    memory.pipe_file("/set_a/one", b"1")
    memory.pipe_file("/set_a/two", b"2")
    memory.pipe_file("/set/a/three", b"3")
    first = fetched("memory://set_a", tmp_path)
    memory.rm("/set_a/one")
    again, other = fetched("memory://set_a", tmp_path), fetched("memory://set/a", tmp_path)
    assert first.root == again.root
    assert [one.name for one in again.root.iterdir()] == ["two"]
    assert [one.name for one in other.root.iterdir()] == ["three"]


def test_copies_that_nobody_uses_leave_a_cache_that_is_full(
    memory: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetched_source, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(fetched_source, "MOST_KEPT", 7)
    for name in ("oldest", "old", "new"):
        memory.pipe_file(f"/{name}/file", b"123")
    oldest, old = (fetched(f"memory://{name}").root for name in ("oldest", "old"))
    os.utime(oldest, (1, 1))
    os.utime(old, (2, 2))
    new = fetched("memory://new")
    assert (new.removed, oldest.exists(), old.exists(), new.root.exists()) == (1, False, True, True)


def test_links_and_files_of_no_size_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "link").symlink_to("/etc/hostname")
    with pytest.raises(BadData, match="holds a link: link"):
        fetched(f"file://{tmp_path}/set", tmp_path / "copies")
    (tmp_path / "set" / "link").unlink()
    (tmp_path / "set" / "file").write_text("x")
    files = type(fsspec.filesystem("file"))
    told = {"name": f"{tmp_path}/set/file", "type": "file", "size": None}
    monkeypatch.setattr(files, "ls", lambda *_, **__: [told])
    with pytest.raises(BadData, match="does not tell the size of file"):
        fetched(f"file://{tmp_path}/set", tmp_path / "copies")


@contextmanager
def hub(files: dict[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """The Hub's HTTP for one data set; its address, and what was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _json(self, value: object) -> None:
            self._answer(200, json.dumps(value).encode(), Content_Type="application/json")

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            asked.append(path)
            entries = [
                {"type": "file", "path": name, "size": len(data), "oid": "0" * 40}
                for name, data in files.items()
            ]
            if path.startswith("/api/datasets/own/endless/tree/"):
                # a page, and always one more
                body = json.dumps([{**entries[0], "path": f"{len(asked)}"}]).encode()
                more = f'<http://{self.headers["Host"]}{path}?cursor={len(asked)}>; rel="next"'
                self._answer(200, body, Content_Type="application/json", Link=more)
            elif path.startswith("/api/datasets/own/endless"):
                self._json({"id": "own/endless", "sha": SHA, "siblings": [], "private": False, "tags": []})
            elif path.startswith("/api/datasets/own/set/tree/"):
                self._json(entries)
            elif path.startswith("/api/datasets/own/set/paths-info/"):
                self._json([])
            elif path.startswith("/api/datasets/own/set"):
                self._json({"id": "own/set", "sha": SHA, "siblings": [], "private": False, "tags": []})
            elif path.startswith(prefix := f"/datasets/own/set/resolve/{SHA}/"):
                data = files[path.removeprefix(prefix)]
                if wanted := self.headers.get("Range", ""):
                    first, _, last = wanted.removeprefix("bytes=").partition("-")
                    part = data[int(first) : int(last or len(data)) + 1]
                    told = f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}"
                    self._answer(206, part, Content_Range=told, ETag='"e"', X_Repo_Commit=SHA)
                else:
                    self._answer(200, data, ETag='"e"', X_Repo_Commit=SHA)
            else:
                body = b'{"error": "Repository not found"}'
                self._answer(404, body, X_Error_Code="RepoNotFound", Content_Type="application/json")

        do_HEAD = do_POST = do_GET  # noqa: N815 - as the server looks for them

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_data_set_of_the_hub_is_copied_at_one_revision(tmp_path: Path) -> None:
    """In a program of its own: the library reads the Hub's address when it is imported."""
    if find_spec("huggingface_hub") is None:
        pytest.skip("huggingface_hub, which reads hf://, is not installed")
    files = {"README.md": b"# A set", "data/one.json": b'{"history": []}'}
    with hub(files) as (address, asked):
        once, again, gone = copied(address, tmp_path, "own/set", "own/set", "own/other")
    called = f"hf://datasets/own/set@{SHA}"
    assert (once["called"], once["files"], again["files"]) == (called, 2, 0), "one revision is copied once"
    root = Path(once["root"])
    assert {str(one.relative_to(root)): one.read_bytes() for one in root.rglob("*.*")} == files
    assert f"/datasets/own/set/resolve/{SHA}/README.md" in asked
    assert "hf download own/other --repo-type dataset" in gone["hint"]


def test_a_data_set_of_the_hub_that_has_no_end_is_given_up(tmp_path: Path) -> None:
    if find_spec("huggingface_hub") is None:
        pytest.skip("huggingface_hub, which reads hf://, is not installed")
    with hub({"README.md": b"# A set"}) as (address, asked):
        (told,) = copied(address, tmp_path, "own/endless", most=7)
    assert told["error"] == "hf://datasets/own/endless has more than the 7 files that are fetched"
    assert len([one for one in asked if "/tree/" in one]) <= 8


def test_without_a_network_it_is_told_what_to_do(tmp_path: Path) -> None:
    if find_spec("huggingface_hub") is None:
        pytest.skip("huggingface_hub, which reads hf://, is not installed")
    (told,) = copied("http://127.0.0.1:9", tmp_path, "own/set", HF_HUB_OFFLINE="1")
    assert "can't be read: OfflineModeIsEnabled" in told["error"]
    assert "hf download own/set" in told["hint"]


def copied(endpoint: str, into: Path, *names: str, most: int = 20_000, **more: str) -> list[dict[str, Any]]:
    """What became of each data set, at this address of the Hub."""
    program = f"""
import json, msgspec
from pathlib import Path
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.exchange import fetched_source
from webbench.core.exchange.fetched_source import fetched
fetched_source.MOST_FILES = {most}
for name in {names!r}:
    try:
        copy = fetched("hf://datasets/" + name, Path({str(into)!r}))
        print(json.dumps(msgspec.to_builtins(copy, enc_hook=str)))
    except (BadData, EnvironmentDown) as error:
        print(json.dumps({{"error": error.message, "hint": error.hint}}))
"""
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(into / "home"), **more}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={"PATH": os.environ["PATH"], "HOME": str(into), **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]

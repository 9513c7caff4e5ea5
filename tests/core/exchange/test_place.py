"""What is imported is read within bounds and never outside the folder that was named."""

import gzip
import os
from pathlib import Path

import pytest

from webbench.core.errors import BadData
from webbench.core.exchange import place as places
from webbench.core.exchange.place import Place


def place(path: Path) -> Place:
    return Place(path, path.parent)


def test_a_packed_file_is_read_as_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "a.json.gz"
    file.write_bytes(gzip.compress(b'{"a": [1]}'))

    assert place(file).json() == {"a": [1]}
    assert place(file).has_text('"a"')


def test_a_packed_file_may_not_unpack_to_more_than_allowed(tmp_path: Path) -> None:
    file = tmp_path / "bomb.json.gz"
    file.write_bytes(gzip.compress(b" " * 3_000_000))

    with pytest.raises(BadData, match="larger than 1 MiB"):
        place(file).json(largest=1 << 20)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x1f\x8b\x08cut", "can't be read"),
        (b'{"a": 1', "no readable JSON"),
        (b"[" * 99, "no readable JSON"),
    ],
)
def test_what_is_broken_is_told(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content)

    with pytest.raises(BadData, match=reason):
        place(file).json()


def test_a_byte_order_mark_and_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b'\xef\xbb\xbf["\xff"]')

    assert place(file).json() == ["�"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("[1]")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.json").symlink_to(tmp_path / "secret.json")

    linked = Place(inside / "link.json", inside)

    assert linked.head == b""
    with pytest.raises(BadData, match="does not lie in"):
        linked.read()


@pytest.mark.parametrize(
    ("named", "lies_below"),
    [
        ("a/file.json", True),
        ("a", True),
        ("to-a/file.json", True),
        ("a/to-file.json", True),
        ("a/../file.json", True),
        ("a/\udcff.json", True),
        ("to-outside/file.json", False),
        ("to-outside/a/file.json", False),
        ("a/../../outside/file.json", False),
        ("to-outside/../outside/file.json", False),
        ("a/pipe", False),
        ("a/missing.json", False),
        ("a/file.json/below", False),
    ],
)
@pytest.mark.parametrize("root", ["inside", "to-inside"])
def test_only_what_really_lies_below_the_root_is_confined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str, named: str, lies_below: bool
) -> None:
    """Links to places inside are followed, wherever in the path they stand; the root may be one itself."""
    for folder in ("inside", "outside"):
        (tmp_path / folder / "a").mkdir(parents=True)
        for file in ("file.json", "a/file.json"):
            (tmp_path / folder / file).write_text("[1]")
    inside = tmp_path / "inside"
    (tmp_path / "to-inside").symlink_to(inside)
    (inside / "to-a").symlink_to(inside / "a")
    (inside / "to-outside").symlink_to(tmp_path / "outside")
    (inside / "a" / "to-file.json").symlink_to(inside / "file.json")
    (inside / "a" / "\udcff.json").write_text("[1]")
    os.mkfifo(inside / "a" / "pipe")

    assert Place(tmp_path / root / named, tmp_path / root).confined is lies_below
    monkeypatch.chdir(tmp_path)
    assert Place(Path(root, named), Path(root)).confined is lies_below
    monkeypatch.chdir(tmp_path / root)
    assert Place(Path(named), Path()).confined is lies_below


def test_lines_are_numbered_and_one_that_is_too_long_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "LONGEST_LINE", 20)
    monkeypatch.setattr(places, "_CHUNK", 8)
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"one\r\n" + b"x" * 50 + b"\nthree")

    assert list(place(file).lines()) == [(1, b"one"), (2, b""), (3, b"three")]

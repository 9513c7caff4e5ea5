"""Zip files of strangers are read within bounds, and nothing of them reaches the disk."""

import stat
import zipfile
from pathlib import Path

import pytest

from webbench.core.errors import BadData
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading import archive as archives
from webbench.core.exchange.reading.archive import Archive


def packed(path: Path, entries: dict[str, bytes]) -> Place:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return Place(path, path.parent)


def test_what_lies_in_a_zip_is_read_without_being_unpacked(tmp_path: Path) -> None:
    with Archive(packed(tmp_path / "a.zip", {"in/one.txt": b"1\n22"})) as archive:
        assert archive.names == ("in/one.txt",)
        assert archive.read("in/one.txt") == b"1\n22"
        assert list(archive.lines("in/one.txt")) == [(1, b"1"), (2, b"22")]
        with pytest.raises(BadData, match="holds no other"):
            archive.read("other")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out", "in/../../out", "C:\\out", "in\\..\\..\\out"])
def test_names_that_lead_out_are_left_aside(tmp_path: Path, name: str) -> None:
    with Archive(packed(tmp_path / "a.zip", {name: b"x", "good": b"y"})) as archive:
        assert archive.names == ("good",)
        assert "leads out of the archive" in archive.left_aside[0]


def test_links_are_left_aside(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")

    with Archive(Place(tmp_path / "a.zip", tmp_path)) as archive:
        assert archive.names == ()
        assert archive.left_aside[0].endswith("'link' is a link")


def test_a_bomb_is_given_up_while_it_unpacks(tmp_path: Path) -> None:
    place = packed(tmp_path / "a.zip", {"zeros": bytes(12 << 20)})

    with Archive(place) as archive, pytest.raises(BadData, match="250 times its size"):
        archive.read("zeros")


def test_many_small_bombs_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_TOTAL", 1 << 20)
    place = packed(tmp_path / "a.zip", {f"{number}": bytes(400_000) for number in range(3)})

    with Archive(place) as archive:
        assert len(archive.read("0")) == len(archive.read("1"))
        with pytest.raises(BadData, match="unpacks to more than"):
            archive.read("2")


def test_too_many_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = packed(tmp_path / "a.zip", {f"{number}": b"" for number in range(9)})
    monkeypatch.setattr(archives, "MOST_ENTRIES", 8)
    with pytest.raises(BadData, match="9 entries; at most 8"):
        Archive(place)

    monkeypatch.setattr(archives, "LARGEST_DIRECTORY", 100)
    with pytest.raises(BadData, match=r"list of entries is larger|does not end as a zip"):
        Archive(place)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(9)])
def test_what_is_no_zip_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)

    with pytest.raises(BadData, match="is no zip file that can be read"):
        Archive(Place(tmp_path / "a.zip", tmp_path))


def test_a_broken_entry_is_told(tmp_path: Path) -> None:
    place = packed(tmp_path / "a.zip", {"a": b"the quick brown fox" * 40})
    data = bytearray(place.path.read_bytes())
    data[40:50] = bytes(10)
    place.path.write_bytes(data)

    with Archive(place) as archive, pytest.raises(BadData, match="a can't be read"):
        archive.read("a")

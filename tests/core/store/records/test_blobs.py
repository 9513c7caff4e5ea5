"""Blobs: small, whole or refused."""

from __future__ import annotations

import hashlib
import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.errors import BadData
from webbench.core.store.records.blobs import LONGEST_CHAIN, BlobStore, Stored


@pytest.fixture
def blobs(tmp_path: Path) -> BlobStore:
    return BlobStore(tmp_path)


def versions(count: int, size: int = 50_000) -> list[bytes]:
    """Contents that differ a little from one to the next."""
    source = random.Random(1)
    text = bytearray(source.choices(b"abcdefghij <>/=", k=size))
    found = []
    for number in range(count):
        at = source.randrange(size)
        text[at : at + 8] = b"%08d" % number
        found.append(bytes(text))
    return found


def files(blobs: BlobStore) -> list[Path]:
    return sorted(path for path in blobs.folder.rglob("*") if path.is_file())


def test_similar_contents_rest_on_each_other_with_a_full_copy_now_and_then(blobs: BlobStore) -> None:
    last: Stored | None = None
    depths = []
    contents = versions(25)
    for content in contents:
        last = blobs.put(content, last)
        depths.append(last.depth)
    assert depths == [n % (LONGEST_CHAIN + 1) for n in range(25)]
    for content in contents:
        assert blobs.get(hashlib.sha256(content).hexdigest()) == content
    sizes = {".delta" in path.name: path.stat().st_size for path in files(blobs)}
    assert sizes[True] * 50 < sizes[False]


def test_a_large_page_is_found_again_in_the_one_before(blobs: BlobStore) -> None:
    first, second = versions(2, 3_000_000)
    blobs.put(second, blobs.put(first))
    small, large = sorted(path.stat().st_size for path in files(blobs))
    assert small * 100 < large
    assert blobs.get(hashlib.sha256(second).hexdigest()) == second


def test_unlike_contents_are_kept_in_full(blobs: BlobStore) -> None:
    base = blobs.put(random.Random(2).randbytes(5_000))
    assert blobs.put(random.Random(3).randbytes(5_000), base).depth == 0


def test_a_full_copy_is_an_ordinary_zstd_file(blobs: BlobStore) -> None:
    import zstandard

    blobs.put(b"<html>" * 100)
    (path,) = files(blobs)
    assert zstandard.ZstdDecompressor().decompress(path.read_bytes()) == b"<html>" * 100


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.binary(max_size=300), max_size=12))
def test_any_contents_come_back(tmp_path_factory: pytest.TempPathFactory, contents: list[bytes]) -> None:
    blobs = BlobStore(tmp_path_factory.mktemp("blobs"))
    last: Stored | None = None
    for content in contents:
        last = blobs.put(content, last)
    for content in contents:
        assert blobs.get(hashlib.sha256(content).hexdigest()) == content


@pytest.mark.parametrize("keep", [0, 3, 20, 71, 72, 80, -1])
def test_a_damaged_blob_is_reported_and_never_given_out(blobs: BlobStore, keep: int) -> None:
    first, second = versions(2)
    name = blobs.put(second, blobs.put(first)).name
    path = next(path for path in files(blobs) if path.name.endswith(".delta.zst"))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(BadData, match="damaged"):
        blobs.get(name)
    assert "damaged" in blobs.check(name)


def test_a_blob_with_other_content_is_reported(blobs: BlobStore) -> None:
    import zstandard

    name = blobs.put(b"ten pounds").name
    files(blobs)[0].write_bytes(zstandard.ZstdCompressor().compress(b"ten pence"))
    with pytest.raises(BadData, match="does not match its name"):
        blobs.get(name)


def test_a_missing_base_is_named_and_writing_again_mends_it(blobs: BlobStore) -> None:
    first, second = versions(2)
    base = blobs.put(first)
    stored = blobs.put(second, base)
    next(path for path in files(blobs) if path.name == f"{base.name}.zst").unlink()
    with pytest.raises(BadData, match=f"{base.name[:12]}… is missing .* rests on"):
        blobs.get(stored.name)
    assert blobs.put(second, base).depth == 0
    assert blobs.get(stored.name) == second


def test_blobs_that_rest_on_each_other_in_a_circle_are_reported(blobs: BlobStore) -> None:
    first, second = versions(2)
    one = blobs.put(first)
    two = blobs.put(second, one)
    next(path for path in files(blobs) if path.name == f"{one.name}.zst").unlink()
    delta = next(path for path in files(blobs) if path.name.startswith(two.name))
    circle = delta.read_bytes()[:8] + two.name.encode() + delta.read_bytes()[72:]
    (blobs.folder / one.name[:2] / f"{one.name}.delta.zst").write_bytes(circle)
    with pytest.raises(BadData, match="endless"):
        blobs.get(two.name)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "a" * 63, "a" * 64 + "/x", "ä" * 64])
def test_names_that_lead_elsewhere_are_refused(blobs: BlobStore, name: str) -> None:
    with pytest.raises(BadData, match="no name of a blob"):
        blobs.get(name)
    with pytest.raises(BadData, match="no name of a blob"):
        blobs.get_picture(name)


def test_a_blob_that_unpacks_to_far_too_much_is_refused(blobs: BlobStore) -> None:
    """A frame's header may claim any size; it is believed only within bounds."""
    name = "ab" * 32
    path = blobs.folder / "ab" / f"{name}.zst"
    path.parent.mkdir(parents=True)
    head = (0xFD2FB528).to_bytes(4, "little") + bytes([0b11100000]) + (1 << 45).to_bytes(8, "little")
    path.write_bytes(head + b"\x01\x00\x00")
    with pytest.raises(BadData, match="damaged"):
        blobs.get(name)


def test_pictures_that_webp_cannot_hold_stay_as_they_are(blobs: BlobStore) -> None:
    import io

    from PIL import Image

    from webbench.core.store.records import pictures

    for picture in (Image.new("RGB", (2, 17_000)), Image.new("I;16", (8, 8), 40_000)):
        encoded = io.BytesIO()
        picture.save(encoded, "PNG")
        name = blobs.put_picture(encoded.getvalue(), "png")
        assert pictures.archive(blobs, name) is False
        assert blobs.get_picture(name) == (encoded.getvalue(), "png")
    broken = blobs.put_picture(b"\x89PNG but not really", "png")
    assert pictures.archive(blobs, broken) is False
    assert pictures.screenshot(*blobs.get_picture(broken), 1.0, False).width == 0


def test_the_zstd_command_reads_a_delta_with_its_base(blobs: BlobStore, tmp_path: Path) -> None:
    import shutil

    if not shutil.which("zstd"):
        pytest.skip("the zstd command is not installed")
    first, second = versions(2)
    (tmp_path / "base").write_bytes(first)
    blobs.put(second, blobs.put(first))
    delta = next(path for path in files(blobs) if path.name.endswith(".delta.zst"))
    command = ["zstd", "-dc", f"--patch-from={tmp_path / 'base'}", str(delta)]
    assert subprocess.run(command, capture_output=True, check=True).stdout == second

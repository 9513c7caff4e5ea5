"""What is recorded is on disk when the caller is told, and comes back as it was."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from webbench.core.action.action import Click, ElementRef
from webbench.core.errors import UsageError
from webbench.core.observation import Box, Screenshot
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.store.store import Store


def test_a_step_is_in_its_file_when_append_returns(store: Store, begin, step, page) -> None:
    recorder = begin(store)
    for index in range(3):
        asyncio.run(recorder.append(step(index), observation=page(index)))
        lines = (recorder.folder / "steps.jsonl").read_bytes().split(b"\n")
        assert [json.loads(line)["index"] for line in lines[:-1]] == list(range(index + 1))
        assert lines[-1] == b""


def test_everything_comes_back_as_it_was(store: Store, begin, step, page, picture) -> None:
    recorder = begin(store)
    target = ElementRef(id=7, role="link", name="Product 7", box=Box(1, 2.5, 3, 4))
    first = recorder.write(step(0), observation=page(0), screenshot=picture, html="<p>start \U0001f4a9")
    import msgspec

    second = msgspec.structs.replace(step(1), action=Click(target=target), score=not_scored("not yet"))
    second = recorder.write(second, observation=page(1), html="<p>start\r\n</p>")
    score = Score(status=Status.SCORED, value=0.5, combination="mean of 2 fields")
    header = recorder.finish(score, "submitted")

    trajectory = store.load(recorder.folder.name)
    assert trajectory.steps == (first, second)
    assert trajectory.header == header
    assert (header.score, header.end_reason, header.steps) == (score, "submitted", 2)
    assert trajectory.problems == ()
    assert store.observation(trajectory, first) == page(0)
    assert store.observation(trajectory, second) == page(1)
    assert [store.html(trajectory, step) for step in trajectory.steps] == [
        "<p>start \U0001f4a9",
        "<p>start\r\n</p>",
    ]
    assert store.screenshot(trajectory, second) is None
    assert store.check(recorder.folder) == []


def test_a_png_becomes_webp_with_the_same_pixels(store: Store, begin, step, picture) -> None:
    recorder = begin(store)
    recorded = recorder.write(step(0), screenshot=picture)
    trajectory = store.load(recorder.folder)
    before = store.screenshot(trajectory, recorded)
    store.close()
    after = store.screenshot(trajectory, recorded)
    assert before is not None
    assert after is not None
    assert after.format == "webp"
    assert (after.width, after.height, after.scale) == (320, 200, 1.0)
    with Image.open(io.BytesIO(picture.data)) as given, Image.open(io.BytesIO(after.data)) as kept:
        assert ImageChops.difference(given.convert("RGB"), kept.convert("RGB")).getbbox() is None
    assert not list(store.blobs.folder.rglob("*.png"))
    assert store.check(recorder.folder) == []


def test_a_jpeg_is_kept_byte_for_byte(store: Store, begin, step) -> None:
    encoded = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(encoded, "JPEG")
    given = Screenshot(encoded.getvalue(), "jpeg", 40, 30, 2.0, full_page=True, origin=(12.5, 3))
    recorder = begin(store)
    recorded = recorder.write(step(0), screenshot=given)
    store.close()
    assert store.screenshot(store.load(recorder.folder), recorded) == given


def test_the_same_page_is_kept_once_and_a_changed_one_costs_little(store: Store, begin, step, page) -> None:
    recorder = begin(store)
    names = [recorder.write(step(n), observation=page(n // 2)).observation for n in range(12)]
    assert len(set(names)) == 6
    sizes = sorted(path.stat().st_size for path in store.blobs.folder.rglob("*.zst"))
    assert len(sizes) == 6
    assert sum(sizes[:-1]) < sizes[-1]


def test_steps_of_several_threads_are_all_there_and_whole(store: Store, begin, step, page) -> None:
    recorder = begin(store)
    threads = [
        threading.Thread(target=recorder.write, args=(step(n),), kwargs={"observation": page(n)})
        for n in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = store.load(recorder.folder).steps
    assert sorted(step.index for step in steps) == list(range(16))
    assert store.blobs.check(steps[-1].observation) == ""


def test_an_ended_episode_takes_no_more_steps(store: Store, begin, step) -> None:
    recorder = begin(store)
    recorder.write(step(0))
    header = recorder.finish(None, "stopped")
    assert recorder.finish(None, "again") == header
    with pytest.raises(UsageError, match="has ended"):
        recorder.write(step(1))
    with pytest.raises(UsageError, match="has ended"):
        asyncio.run(recorder.append(step(1)))
    assert len(store.load(recorder.folder).steps) == 1


def test_text_that_is_no_unicode_comes_back(store: Store, begin, step, page) -> None:
    from webbench.core.observation import AccessibilityNode

    hostile = "\ud800 \udc00 \x00\x1b[2J \u2028 \ufeff ‮"
    recorder = begin(store, name="odd")
    import msgspec

    given = msgspec.structs.replace(step(0), text=hostile, evidence={hostile: [hostile, 2**70]})
    seen = page(0, AccessibilityNode(id=900, role="button", name=hostile))
    recorder.write(given, observation=seen, html=hostile)
    trajectory = store.load(recorder.folder)
    (read,) = trajectory.steps
    assert (read.text, list(read.evidence)) == (hostile, [hostile])
    assert store.observation(trajectory, read) == seen
    assert store.html(trajectory, read) == hostile


def test_downloads_are_kept_under_harmless_names(store: Store, begin, tmp_path: Path) -> None:
    recorder = begin(store)
    names = []
    for folder in ("a", "b"):
        download = tmp_path / folder / "bill\x1b[2J.pdf"
        download.parent.mkdir()
        download.write_bytes(folder.encode() * 3_000_000)
        names.append(recorder.keep_file(download))
    assert names == ["files/bill_[2J.pdf", "files/bill_[2J (2).pdf"]
    assert [path.stat().st_size for path in store.files(recorder.folder)] == [3_000_000, 3_000_000]
    assert (recorder.folder / names[1]).read_bytes() == b"b" * 3_000_000
    with pytest.raises(UsageError, match="no file"):
        recorder.keep_file(tmp_path / "nothing")


def test_a_header_can_learn_versions_while_the_episode_runs(store: Store, begin, step) -> None:
    recorder = begin(store)
    recorder.revise(versions={"browser": "Chrome/156"})
    recorder.write(step(0))
    recorder.close()
    assert store.load(recorder.folder).header.versions == {"browser": "Chrome/156"}

"""MHTML: the page, its address and title are in the record, its other parts are told and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store

PAGE = (
    "From: <Saved by Blink>\r\nSnapshot-Content-Location: http://shop.test/\r\n"
    "Subject: =?utf-8?Q?Tea_=E2=80=93_shop?=\r\nDate: Mon, 17 Dec 2018 11:17:47 -0000\r\n"
    "MIME-Version: 1.0\r\n"
    'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n'
    "--b\r\nContent-Type: text/html\r\n"
    "Content-Transfer-Encoding: quoted-printable\r\nContent-Location: http://shop.test/\r\n\r\n"
    '<html><body><button backend_node_id=3D"7">Buy caf=C3=A9</button></body></html>\r\n--b--\r\n'
)


def test_shared_pages_are_whole_and_their_parts_are_told(shared: Path, tmp_path: Path) -> None:
    for number, (file, counted) in enumerate(counted_in_readme(shared, "mhtml")):
        store = Store(tmp_path / f"{number}")

        [told], [record] = brought_in("mhtml", file, store)

        assert told.lost == []
        [start] = record.steps
        assert f"Snapshot-Content-Location {start.url}" in counted
        assert start.title
        assert start.at.startswith("2018-12-17T11:1")
        assert store.html(record, start).rstrip().endswith("</html>")
        values = next(row for row in told.account if row.kind == "values")
        parts = sum(reason.count for reason in values.reasons if reason.sort == "again")
        assert parts == number_in(counted, "parts") - 1
        [kept] = store.files(store.root / record.header.run / record.header.episode)
        assert store.file(kept) == file.read_bytes()


def test_words_and_headers_are_decoded(tmp_path: Path) -> None:
    (tmp_path / "page.mhtml").write_text(PAGE)
    [dry] = bring_in(tmp_path / "page.mhtml", [find_format("mhtml")], None)
    assert dry.lost == []
    store = Store(tmp_path / "s")

    [told], [record] = brought_in("mhtml", tmp_path / "page.mhtml", store)

    assert told.lost == []
    assert record.steps[0].title == "Tea – shop"
    seen = store.observation(record, record.steps[0])
    assert seen is not None
    button = seen.node(7)
    assert button is not None
    assert (button.role, button.name) == ("button", "Buy café")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("text/html\r\n", "image/png\r\n"),
        ('boundary="b"', 'boundary="c"'),
        ("quoted-printable", "base64"),
        ("17 Dec 2018", "99 Foo 99999"),
        ("=?utf-8?Q?", "=?nonsense?Q?"),
        ("Content-Type: text/html\r\n", "Content-Type: text/html; charset=nonsense\r\n"),
        ("Content-Type: text/html\r\n", "Content-Type: text/html; charset=undefined\r\n"),
        ("--b\r\n", "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" * 3_000),
    ],
)
def test_broken_messages_are_told(old: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "page.mhtml").write_text(PAGE.replace(old, new))

    [told], _ = brought_in("mhtml", tmp_path / "page.mhtml", Store(tmp_path / "s"))

    assert told.episodes or told.why
    assert not [line for line in (told.why, *told.lost) if "does not foresee" in line]

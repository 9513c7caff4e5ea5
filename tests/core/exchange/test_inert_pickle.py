"""Pickles are data here: a hostile one names what it would have run, and nothing runs."""

import datetime
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.errors import BadData
from webbench.core.exchange.pickles import Named, Record, field, read_inert, written

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=examples(150), deadline=None)
@given(PLAIN, st.integers(0, 5))
def test_plain_values_come_out_as_they_went_in(value: Any, protocol: int) -> None:
    """Before protocol 3 there were no bytes: those are calls there."""
    found = read_inert(pickle.dumps(value, protocol), "here")

    if protocol > 2 or not any(isinstance(leaf, bytes) for leaf in _leaves(value)):
        assert found == value


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for pair in value.items() for part in pair for leaf in _leaves(part)]
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, list | tuple) else [value]


class Hostile:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (f"open({str(self.mark)!r}, 'w').close()",)


@pytest.mark.parametrize("protocol", range(6))
def test_a_hostile_pickle_runs_nothing(tmp_path: Path, protocol: int) -> None:
    mark = tmp_path / "mark"
    data = pickle.dumps({"harmless": 1, "hostile": Hostile(mark)}, protocol)

    found = read_inert(data, "here")

    assert found["harmless"] == 1
    assert isinstance(found["hostile"], Record)
    assert found["hostile"].name.endswith(".exec")
    assert not mark.exists()
    # Without this the test could pass on a pickle that is harmless anyway: Python's own loader, which nothing
    # of the product calls, is given the bytes that were made above, and what they run is to make a file here.
    pickle.loads(data)
    assert mark.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"S'caf%s'\n.",
        b'S"caf%s"\n.',
        b"(lp0\nS'caf%s'\np1\na.",
        b"U\x05caf%s.",
        b"T\x05\x00\x00\x00caf%s.",
    ],
)
def test_texts_of_python_2_are_read(data: bytes) -> None:
    """Protocols 0 and 1, as Python 2 wrote them: bytes, or escapes of bytes."""
    escaped = b"\\xc3\\xa9" if b"S" in data else b"\xc3\xa9"
    for written_as in {escaped, b"\xc3\xa9"}:
        told: list[str] = []
        found = read_inert(data % written_as, "here", told.append)
        assert found in ("café", ["café"])
        assert told == []


def test_texts_of_python_2_that_are_no_utf_8_are_latin_1_and_counted() -> None:
    told: list[str] = []
    found = read_inert(
        b"(S'caf\\xe9'\nS'na\xefve'\nU\x02\xe9!T\x01\x00\x00\x00\xffS'plain'\nt.", "here", told.append
    )
    assert found == ("café", "naïve", "é!", "ÿ", "plain")
    assert told == ["here: 4 texts of Python 2 read as Latin-1, being no UTF-8"]


def test_objects_become_records_with_their_fields() -> None:
    found = read_inert(pickle.dumps(OrderedDict(a=1)), "here")
    day = read_inert(pickle.dumps(datetime.date(2026, 1, 2)), "here")

    assert (found.name, field(found, "a"), field(found, "b")) == ("collections.OrderedDict", 1, None)
    assert day.name == "datetime.date"
    assert field({"a": 2}, "a") == 2
    assert field(3, "a") is None
    assert isinstance(read_inert(pickle.dumps(Path), "here"), Named)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no pickle"),
        (b"hello", "no pickle"),
        (b"\x80\x04\x95", "no pickle"),
        (b"(", "no pickle"),
        (b"K\x01K\x02b.", "no pickle"),
        (b"I" + b"9" * 5000 + b"\n.", "too long"),
        (b"\x80\x04\x8c\xff.", "cut off"),
        (b"Pid\n.", "persistent id"),
        (b"\x82\x01.", "extension code"),
        (b"\x97.", "out-of-band"),
    ],
)
def test_what_is_no_whole_pickle_is_told(data: bytes, reason: str) -> None:
    with pytest.raises(BadData, match=reason):
        read_inert(data, "here")


TWICE = b"".join(b"h" + bytes([place]) + b"h" + bytes([place]) + b"\x86\x94" for place in range(60))
NESTED = b"\x80\x04)\x94" + TWICE
"""Tuples of the one before, twice: 2 to the 60 values in 300 bytes."""


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "ending",
    [b"}h\x3cNs.", b"(h\x3cNd.", b"h\x3c)R.", b"h\x3ch\x3c\x93.", b"(h\x3c)o.", b"}\x8c\x06actionh\x3cs."],
)
def test_values_that_take_for_ever_to_write_out_are_not(ending: bytes) -> None:
    """As a key, as what is called, as a name, and as a value that an importer wants as text."""
    try:
        found = read_inert(NESTED + ending, "here")
    except BadData:
        return
    assert len(written(field(found, "action"))) < 2000
    assert all(len(str(key)) < 2000 for key in found) if isinstance(found, dict) else len(found.name) < 100


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (NESTED + b"}\x94" + b"h\x3cNs" * 50_000 + b".", "too often"),
        (b"}(" + b"".join(b"M" + n.to_bytes(2, "little") + b"N" for n in range(50_000)) + b"u\x94"
         + b"cs\ns\n)h\x00\x92" * 1000 + b".", "too often"),
        (b"X" + (5000).to_bytes(4, "little") + b"n" * 5000 + b"\x94h\x00h\x00\x93.", "too long"),
    ],
)  # fmt: skip
def test_work_that_grows_faster_than_the_file_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadData, match=reason):
        read_inert(data, "here")


def test_what_is_wrong_is_told_in_short() -> None:
    """`pickletools` repeats what it can't read."""
    with pytest.raises(BadData) as caught:
        read_inert(b"S" + b"\x1b" * 100_000 + b"\n.", "here")
    assert len(caught.value.message) < 400
    assert "\x1b" not in caught.value.message

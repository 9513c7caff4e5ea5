"""The calculator's arithmetic: what comes out, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.benchmarks.sample_sites.homepage.arithmetic import Unreadable, calculated


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) × 3", "9"),
        ("0.1 + 0.2", "0.3"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2^-1", "0.5"),
        ("200 * 15%", "30"),
        ("10 / 3", "3.3333333333"),
        ("10 − 3 ÷ 2", "8.5"),
        ("round(201.00 / 7, 2)", "28.71"),
        ("round(2.5)", "3"),
        (f"abs(-1{'0' * 33}1)", f"1{'0' * 33}1"),
        ("min(4, 2, 3) + max(1, 2) + abs(-5) + sqrt(16)", "13"),
        ("1 - 1", "0"),
        ("100000000000000000000 + 1", "100000000000000000001"),
    ],
)
def test_lines_are_calculated(line: str, result: str) -> None:
    assert calculated(line) == result


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 +", "missing at the end"),
        ("1 2", "“2” can't be read"),
        ("(1", "bracket isn't closed"),
        ("5 / (3 - 3)", "divided by zero"),
        ("5 / 0.0", "divided by zero"),
        ("0^-1", "no result|divided by zero"),
        ("sqrt(-1)", "no result"),
        ("(0-2)^0.5", "no result"),
        ("9^64^64", "Powers go up to 64"),
        ("round(1, 99)", "0 to 10 places"),
        ("__import__('os')", "can't be read"),
        ("open(1)", "“open” can't be read"),
        ("1;2", "“;” can't be read"),
        ("(" * 40 + "1" + ")" * 40, "too many brackets"),
        ("-" * 60 + "1", "too many brackets"),
        ("1" * 201, "longer than 200"),
    ],
)
def test_what_is_no_arithmetic_is_refused_with_the_reason(line: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        calculated(line)


@given(st.text("0123456789.+-*/^%(), sqrtabsminmaxround", max_size=60))
def test_no_line_does_anything_but_give_a_number_or_a_reason(line: str) -> None:
    told = ""
    try:
        result = calculated(line)
    except Unreadable as error:
        told, result = str(error), ""
    assert told if not result else set(result) <= set("0123456789.-")

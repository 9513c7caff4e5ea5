"""The plan for noughts and crosses."""

from __future__ import annotations

from webbench.benchmarks.miniwob.plans.sight import Plan, Sight, click

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
OURS, THEIRS = "x", "o"


def noughts_and_crosses(sight: Sight) -> Plan:
    """Win where that is possible, block where that is needed, else take the square that may win most."""
    while True:
        yield from sight.look()
        board = [_mark(sight.one(f"#ttt-{square}").get("class") or []) for square in range(9)]
        yield click(f"#ttt-{_best(board)}")


def _mark(classes: str | list[str]) -> str:
    return OURS if "mark-x" in classes else THEIRS if "mark-o" in classes else ""


def _best(board: list[str]) -> int:
    free = [square for square, mark in enumerate(board) if not mark]
    return max(free, key=lambda square: _worth(board, square))


def _worth(board: list[str], square: int) -> float:
    """Lines through a square: to be finished, to be blocked, or still open to us."""
    worth = 0.0
    for line in (line for line in LINES if square in line):
        marks = [board[one] for one in line]
        if marks.count(OURS) == 2:
            worth += 1000
        elif marks.count(THEIRS) == 2:
            worth += 100
        elif THEIRS not in marks:
            worth += 3 if OURS in marks else 1
    return worth

"""The plan for noughts and crosses."""

from __future__ import annotations

from functools import cache

from webbench.benchmarks.miniwob.plans.sight import Plan, Sight, click

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
OURS, THEIRS, FREE = "x", "o", "."
WON, DRAWN, LOST = 1.0, -0.5, -0.75
"""Rewards of the page `tic-tac-toe`."""
AT_RANDOM = 0.55
"""How often its opponent takes any square; else it wins where it can, blocks where it must."""


def noughts_and_crosses(sight: Sight) -> Plan:
    """The square after which the whole game is won most, against the page's opponent as its script has it."""
    while True:
        yield from sight.look()
        board = "".join(_mark(sight.one(f"#ttt-{square}").get("class") or []) for square in range(9))
        yield click(f"#ttt-{_best(board)}")


def _mark(classes: str | list[str]) -> str:
    return OURS if "mark-x" in classes else THEIRS if "mark-o" in classes else FREE


def _best(board: str) -> int:
    return max(_free(board), key=lambda square: _expected(_put(board, square, OURS), ours_next=False))


@cache
def _expected(board: str, *, ours_next: bool) -> float:
    """The mean reward from here on: our best square, or all that the opponent may take."""
    if _won(board, OURS) or _won(board, THEIRS):
        return WON if _won(board, OURS) else LOST
    free = _free(board)
    if not free:
        return DRAWN
    if ours_next:
        return max(_expected(_put(board, square, OURS), ours_next=False) for square in free)
    chosen = _wins(board, THEIRS) or _wins(board, OURS) or free
    chances = {square: AT_RANDOM / len(free) for square in free}
    for square in chosen:
        chances[square] += (1 - AT_RANDOM) / len(chosen)
    return sum(
        chance * _expected(_put(board, square, THEIRS), ours_next=True) for square, chance in chances.items()
    )


def _free(board: str) -> list[int]:
    return [square for square, mark in enumerate(board) if mark == FREE]


def _put(board: str, square: int, mark: str) -> str:
    return board[:square] + mark + board[square + 1 :]


def _won(board: str, mark: str) -> bool:
    return any(all(board[square] == mark for square in line) for line in LINES)


def _wins(board: str, mark: str) -> list[int]:
    """The squares that end the game for this mark."""
    return [square for square in _free(board) if _won(_put(board, square, mark), mark)]

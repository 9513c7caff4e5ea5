"""How a judge's reply to "does this answer fit?" becomes a number."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.judge import Question, Reply
from webbench.core.scoring.judges.verdict import read_verdict

KIND = "webcanvas/semantic_match"
VERDICTS = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")

_LONGEST_SUM = 200
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_SIGNS: dict[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


class UnusableReply(BadData):
    """A judge's reply that failed or can't be read."""


def semantic_question(answer: str, requirement: str) -> Question:
    """How well `answer` (an address, a parameter, a value) meets what the annotator asked for."""
    return Question(kind=KIND, fields={"answer": answer, "requirement": requirement}, verdicts=VERDICTS)


def reply_value(question: Question, reply: Reply, rules: str = "published") -> float:
    """The verdict of one recorded reply as a number in [0, 1].

    A reply with a line "VERDICT: ..." has to keep to the form that was asked for. One without it may hold a
    ``` fenced number, the form that published code asks for, where that is the rule set. A reply is never
    guessed: raises `UnusableReply` for one that failed and for any other form, under every rule set.
    (Published code asks up to three times and gives 0 then; a recorded reply can't be asked again.)
    """
    if not reply.error and rules == "published" and "VERDICT:" not in reply.text:
        fenced = fenced_number(reply.text)
        if fenced is not None:
            return cut(fenced)
    try:
        return float(read_verdict(question, reply))
    except BadData as error:
        raise UnusableReply(error.message, error.hint) from error


def cut(score: float) -> float:
    """Within [0, 1], with two decimals."""
    score = max(0, min(1, score))
    return score if score in (0, 1) else round(score, 2)


def fenced_number(reply: Json) -> int | float | None:
    """A number or a sum of numbers; upstream evaluates what is fenced as program text, which we don't."""
    fenced = _FENCED.search(reply) if isinstance(reply, str) else None
    if fenced is None or len(fenced[1]) > _LONGEST_SUM:
        return None
    try:
        return _calculated(ast.parse(fenced[1].lstrip(" \t"), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _calculated(node: ast.expr) -> int | float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)](_calculated(node.operand))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_calculated(node.left), _calculated(node.right))
    raise ValueError("not a number")

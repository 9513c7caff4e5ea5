"""Every published case has a test of ours, or a reason that the page on BrowserGym's agents tells."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.parity.browsergym.published import CASES

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
GYMNASIUM = ROOT / "tests" / "test_gym.py"


def ours() -> set[str]:
    """Names of our tests."""
    files = [*HERE.glob("test_*.py"), GYMNASIUM]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)}


def test_every_published_case_has_a_test_or_a_reason() -> None:
    written = ours()
    missing = [
        case.name for case in CASES if case.verdict != "without" and (case.ours or case.name) not in written
    ]
    assert missing == []
    page = (ROOT / "docs" / "browsergym-agents.md").read_text("utf-8")
    untold = {case.reason for case in CASES if case.verdict != "same" and f"| {case.reason} |" not in page}
    assert untold == set()
    assert not [case.name for case in CASES if case.verdict == "same" and case.reason]


def test_the_page_has_the_figures() -> None:
    run, skipped = Counter[str](), Counter[str]()
    for case in CASES:
        (skipped if case.skipped else run)[case.verdict] += case.runs
    told = (
        f"of {run.total()} cases, {run['same']} hold here as they are, {run['differs']} but for a row below, "
        f"and {run['without']} are about what there isn't here; "
        f"the {skipped['same']} that are skipped there hold, too"
    )
    page = " ".join((ROOT / "docs" / "browsergym-agents.md").read_text("utf-8").split())
    assert told in page, told

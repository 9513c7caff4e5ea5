"""`webarena instance` on a bundled shop: played before it is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.sample_sites.server import running_server

pytestmark = pytest.mark.thorough


def test_an_instance_is_written_once_its_reference_list_solves_it(here: Here, tmp_path: Path) -> None:
    server = running_server()
    world = server.open({}, ["shop"])
    shop = server.origin + world.base("shop")
    page = f"{shop}/product/spruce-candle"
    entry = {
        "sites": [],
        "task_id": 7,
        "require_login": False,
        "storage_state": None,
        "start_url": f"{shop}/products",
        "geolocation": None,
        "intent_template": "What does the {{product}} cost?",
        "instantiation_dict": {"product": "Spruce Candle"},
        "intent": "What does the Spruce Candle cost?",
        "require_reset": False,
        "eval": {
            "eval_types": ["string_match", "program_html"],
            "reference_answers": {"must_include": ["28.00"]},
            "reference_url": "",
            "program_html": [
                {"url": "last", "locator": "", "required_contents": {"must_include": ["Spruce Candle"]}}
            ],
        },
        "intent_template_id": 7,
        "reference_actions": [{"verb": "goto", "url": page}, {"verb": "stop", "answer": "$28.00"}],
    }
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps([entry]))
    call = ("webarena", "instance", str(file), "--of", "7", "--name", "8", "--json")
    try:
        wrong = here(tmp_path, *call, "--value", "product=No Such Cap", "--change", "28.00=34.00")
        assert (wrong.code, wrong.json["written"]) == (1, "")
        assert len(json.loads(file.read_text())) == 1
        right = here(tmp_path, *call, "--value", "product=Watch Cap", "--change", "28.00=34.00")
    finally:
        server.close(world)
    assert (right.code, right.json["scores"]) == (0, {"own": 1.0, "other": 0.0})
    assert [task["intent"] for task in json.loads(file.read_text())] == [
        "What does the Spruce Candle cost?",
        "What does the Watch Cap cost?",
    ]

"""Every file below a path is imported, belongs to something imported, or is refused with a reason."""

import json
from pathlib import Path

import pytest

from webbench.core.action.action import Click, ElementRef, Stop
from webbench.core.errors import UsageError
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.score.score import Status
from webbench.core.store.store import Store

FIRST_TREE = "[1] RootWebArea 'Shop'\n\t[2] link 'Lamp'"
EPISODE = {
    "task_id": 7,
    "intent": "Find the price",
    "source": "model-a",
    "trajectory": [
        {"url": "http://shop/", "axtree": FIRST_TREE, "screenshot_path": ""},
        {"metadata": {"cot": "open it"}, "action": {"action_name": "click", "element_id": "2"}},
        {"url": "http://shop/lamp", "axtree": "[1] RootWebArea 'Lamp'\n\t[5] StaticText '$5'"},
        {"metadata": {"cot": "done"}, "action": {"action_name": "stop", "answer": "$5"}},
    ],
}


def imported(root: Path, store: Store | None = None) -> dict[str, Imported]:
    return {Path(told.path).name: told for told in bring_in(root, known_formats(), store)}


def test_an_episode_is_kept_with_its_actions_and_states(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "traces.json").write_text(json.dumps([EPISODE]))
    store = Store(tmp_path / "store")

    told = imported(tmp_path / "in", store)["traces.json"]

    assert (told.state, told.episodes, told.steps, told.lost) == ("imported", 1, 2, [])
    (episode,) = store.episodes()
    trajectory = store.load(episode.episode)
    assert [step.text for step in trajectory.steps] == ["", "click [2]", "stop [$5]"]
    assert trajectory.steps[1].action == Click(target=ElementRef(id=2, role="link", name="Lamp"))
    assert trajectory.steps[2].action == Stop(answer="$5")
    assert [node.name for node in store.observation(trajectory, trajectory.steps[1]).nodes] == ["Lamp", "$5"]
    assert trajectory.header.score is not None
    assert trajectory.header.score.status is Status.NOT_SCORED
    assert trajectory.header.started == ""
    assert trajectory.header.settings["imported"]["format"] == "webarena-traces"
    assert [(run.planned, run.episodes) for run in store.runs()] == [(1, 1)]
    store.close()


def test_a_tree_of_which_nothing_can_be_read_is_told_with_its_step(tmp_path: Path) -> None:
    text = json.dumps([EPISODE]).replace(json.dumps(FIRST_TREE), '"a page in prose"')
    (tmp_path / "traces.json").write_text(text)

    told = imported(tmp_path)["traces.json"]

    assert (told.state, told.lost) == ("partial", ["step 0: a tree that holds no node"])
    (trees,) = (row for row in told.account if row.kind == "trees")
    assert (trees.source, trees.recorded, [one.sort for one in trees.reasons]) == (2, 1, ["left"])


@pytest.mark.parametrize("nothing", ["", [], {}, None])
def test_an_empty_tree_is_none_that_could_be_lost(tmp_path: Path, nothing: object) -> None:
    text = json.dumps([EPISODE]).replace(json.dumps(FIRST_TREE), json.dumps(nothing))
    (tmp_path / "traces.json").write_text(text)

    told = imported(tmp_path)["traces.json"]

    assert (told.state, told.lost) == ("imported", [])
    assert [(row.source, row.recorded) for row in told.account if row.kind == "trees"] == [(1, 1)]


def test_a_broken_episode_costs_only_itself_and_what_follows(tmp_path: Path) -> None:
    (tmp_path / "traces.json").write_text(json.dumps([EPISODE, {"task_id": 8}]))

    told = imported(tmp_path)["traces.json"]

    assert (told.state, told.episodes) == ("partial", 1)
    assert "episode 2 has no list trajectory" in told.lost[0]


def test_what_made_a_source_is_kept_up_to_a_length(tmp_path: Path) -> None:
    log = {"version": "1.2", "creator": {"name": "x" * 5000, "version": 7}, "pages": [], "entries": []}
    (tmp_path / "a.har").write_text(json.dumps({"log": log}))
    store = Store(tmp_path / "store")

    told = imported(tmp_path / "a.har", store)["a.har"]

    (episode,) = store.episodes()
    made = store.load(episode.episode).header.settings["imported"]
    assert (made["tool"], made["version"], made["format_version"]) == ("x" * 200, "7", "1.2")
    assert "what made it: the end of its tool, which is too long for a name" in told.lost


def test_an_unknown_file_is_refused_with_the_nearest_guess(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text('[{"task_id": 1, "trajectory": "..."}]')
    (tmp_path / "x.bin").write_bytes(b"\x00\x01")
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n")

    told = imported(tmp_path)

    assert told["notes.json"].state == "refused"
    assert told["notes.json"].why.startswith("unknown format; the nearest is ")
    assert told["x.png"].why == "unknown format; it is a picture that no episode beside it names"
    assert told["x.bin"].why == "unknown format; nothing in it is like a format we know"


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "traces.json").write_text(json.dumps([EPISODE]))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "traces.json").symlink_to(tmp_path / "traces.json")

    told = imported(tmp_path / "in")["traces.json"]

    assert told.state == "refused"
    assert told.why == "it is a link that leads out of the folder that is imported, or nowhere"


def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "traces.json").write_text(json.dumps([EPISODE]))
    (tmp_path / "locked").mkdir()
    monkeypatch.setattr("os.access", lambda path, _mode: Path(path).name != "locked")

    told = imported(tmp_path)

    assert (told["traces.json"].state, told["locked"].state) == ("imported", "refused")
    assert "no permission" in told["locked"].why


def test_a_dry_run_reads_and_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "traces.json").write_text(json.dumps([EPISODE]))

    assert imported(tmp_path)["traces.json"].steps == 2
    assert [path.name for path in tmp_path.iterdir()] == ["traces.json"]


def test_nothing_at_the_path_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing at"):
        list(bring_in(tmp_path / "absent", [], None))


def test_what_the_source_leaves_open_of_a_task_is_filled_in_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = {"task_id": 7, "intent": "Find it", "intent_template_id": 3, "sites": ["shopping"]}
    evaluated = {"eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": "$5"}}}
    (tmp_path / "test.raw.json").write_text(json.dumps([task | evaluated]))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "traces.json").write_text(json.dumps([EPISODE, EPISODE | {"task_id": 8}]))
    monkeypatch.setenv("WEBBENCH_DATA_WEBARENA", str(tmp_path / "test.raw.json"))
    store = Store(tmp_path / "store")

    imported(tmp_path / "in", store)
    store.close()

    found, unknown = (store.load(one.episode).header for one in store.episodes())
    assert (found.task.site, found.task.template, found.task.intent) == ("shopping", "3", "Find the price")
    assert found.settings["imported"]["filled_in"] == ["kind", "site", "split", "template"]
    assert unknown.task.template == ""


def test_runs_begin_when_their_source_says_so_and_never_at_their_import(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "traces.json").write_text(json.dumps([EPISODE]))
    sop = 'task_id,demo_name,gt_ranking,sop\n7,7 @ 2023-12-20-10-11-12,1,"Find it\n1. Click on Lamp"\n'
    (tmp_path / "in" / "human_sops.csv").write_text(sop)
    store = Store(tmp_path / "store")
    imported(tmp_path / "in", store)
    own = store.start_run("demo", "oracle", 1)

    began = {run.run: run.started for run in store.runs()}
    assert list(began.values())[1:] == ["2023-12-20T10:11:12.000+00:00", ""]
    assert next(iter(began)) == own, "the newest first, those of an unknown time last"
    assert [bool(run.imported) for run in store.runs()] == [False, True, True]
    assert {one.ended for one in store.episodes() if not one.started} == {""}


def test_files_of_a_folder_are_counted_whichever_way_it_is_named_and_links_go(tmp_path: Path) -> None:
    """A link that goes in a circle is no file, and breaks nothing off."""
    folder = tmp_path / "agent" / "7"
    folder.mkdir(parents=True)
    result = {
        "task_id": "7",
        "task": "Find it",
        "action_history": ["Click at (3, 4)"],
        "thoughts": ["Go on."],
    }
    (folder / "result.json").write_text(
        json.dumps({**result, "final_result_response": "There.", "result_status": "success"})
    )
    (folder / "circle").symlink_to(folder / "circle")

    (told,) = bring_in(tmp_path / "agent" / ".." / "agent" / "7", known_formats(), None)

    assert told.episodes == 1
    (files,) = (row for row in told.account if row.kind == "files")
    assert (files.source, files.recorded) == (1, 1)

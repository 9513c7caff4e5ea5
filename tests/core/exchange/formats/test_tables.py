"""Formats that are tables: a row a recording, a row a judgement."""

from pathlib import Path

from tests.core.exchange.reading import read
from webbench.core.action.action import Click
from webbench.core.exchange.formats.agent_reward_bench import AgentRewardBench
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.webarena.wonderbread import Wonderbread
from webbench.core.labels.codebook import load_codebook
from webbench.core.score.score import Status
from webbench.core.store.store import Store

JUDGED = "annotator_name,benchmark,task_id,model_name,exp_name,trajectory_success,trajectory_side_effect,"
COLUMNS = JUDGED + "trajectory_optimality,trajectory_looping\n"
ROWS = """A,webarena,webarena.7,agent-x,x_on_webarena,Successful,No,4. Completely Optimal,No
 H,webarena,webarena.7,agent-x,x_on_webarena,Unsuccessful,No,2. Suboptimal,Yes
A,webarena,webarena.8,agent-x,x_on_webarena,Unsuccessful,Yes,1. Complete Failure,Yes
B,webarena,webarena.8,agent-x,x_on_webarena,Unsuccessful,No,2. Suboptimal,No
B,workarena,workarena.order,agent-x,x_on_workarena,Unsure,Unsure,Unsure,No
"""


def test_every_recording_of_a_task_is_an_episode_with_its_rank(tmp_path: Path) -> None:
    table = tmp_path / "sops.csv"
    first = '7,7 @ 2023-12-25-15-10-58,1,"Find it\n1. Click ""Go""\n2. It is in the first row."'
    table.write_text(
        f"\ufefftask_id,demo_name,gt_ranking,sop\n{first}\n7,someone,2,1. Press enter\n", "utf-8"
    )

    (best, steps), (other, _) = read(Wonderbread(), table)

    header = best.header
    assert (header.task.benchmark, header.task.name, header.task.intent) == ("webarena", "7", "Find it")
    assert (header.actor, header.started) == ("human", "2023-12-25T15:10:58.000+00:00")
    assert header.settings == {
        "annotator": "wonderbread-7-2023-12-25-15-10-58",
        "recording": "7 @ 2023-12-25-15-10-58",
        "rank": 1,
        "ranked": 2,
    }
    assert header.score is not None
    assert header.score.status is Status.NOT_SCORED
    assert isinstance(steps[1].step.action, Click)
    assert (steps[2].step.action, steps[2].step.text) == (None, "It is in the first row.")
    assert (other.header.settings["rank"], other.header.started) == (2, "")


def test_judgements_of_one_episode_are_kept_apart(tmp_path: Path) -> None:
    table = tmp_path / "annotations.csv"
    table.write_text(COLUMNS + ROWS)
    store = Store(tmp_path / "store")

    (told,) = bring_in(table, [AgentRewardBench()], store)

    assert (told.episodes, told.steps, told.scores, told.labels) == (3, 0, 1, 20)
    scores = {one.task: store.load(one.episode).header.score for one in store.episodes()}
    assert scores["7"] is not None
    assert scores["7"].reason == "the experts disagree (expert A: Successful; expert H: Unsuccessful)"
    assert [check.value for check in scores["7"].checks] == [1.0, 0.0]
    assert scores["8"] is not None
    assert (scores["8"].value, scores["8"].combination) == (0.0, "2 experts agree")
    assert scores["order"] is not None
    assert scores["order"].status is Status.NOT_SCORED


def test_labels_are_codes_of_the_shipped_taxonomy(tmp_path: Path) -> None:
    table = tmp_path / "annotations.csv"
    table.write_text(COLUMNS + ROWS)
    known = load_codebook().taxonomies["agent-reward-bench"]
    codes = {(question.name, code.name) for question, code in known.codes()}

    given = {
        (one.question, one.code) for episode, _ in read(AgentRewardBench(), table) for one in episode.labels
    }

    assert given <= codes
    assert len(given) == 12

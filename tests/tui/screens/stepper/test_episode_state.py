"""Events fold into the state that screens render."""

from __future__ import annotations

from webbench.core.engine.wire import messages
from webbench.core.observation import Observation, PageMessage
from webbench.core.score.score import Score, Status
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.screens.stepper.episode_state import EpisodeState, fold

HEADER = EpisodeHeader(
    run="r", episode="e", task=Task(benchmark="demo", name="t"), actor="human", dialect="webarena"
)


def folded(*events: messages.Event) -> EpisodeState:
    state = EpisodeState()
    for event in events:
        state = fold(state, event)
    return state


def test_a_new_episode_forgets_the_one_before() -> None:
    state = folded(
        messages.EpisodeStarted(header=HEADER),
        messages.StepRecorded(step=Step(index=0, at="")),
        messages.Scored(step=0, score=Score(status=Status.SCORED, value=1.0)),
        messages.EpisodeStarted(header=HEADER),
    )
    assert state.steps == ()
    assert state.score is None


def test_steps_keep_an_equal_score_once() -> None:
    scores = [Score(status=Status.SCORED, value=value) for value in (0.5, 0.5, 1.0)]
    recorded = (Step(index=index, at="", url="/a", score=score) for index, score in enumerate(scores))
    first, second, third = folded(*(messages.StepRecorded(step=step) for step in recorded)).steps
    assert second.score is first.score
    assert [step.score for step in (first, second, third)] == scores
    assert [step.index for step in (first, second, third)] == [0, 1, 2]


def test_page_messages_add_up_over_steps() -> None:
    first = PageMessage(kind="console", level="info", text="a")
    second = PageMessage(kind="error", level="error", text="b")
    state = folded(
        messages.Observed(step=0, observation=Observation(messages=(first,))),
        messages.Observed(step=1, observation=Observation(messages=(second,))),
    )
    assert state.page_messages == (first, second)


def test_a_recorded_step_settles_the_proposal() -> None:
    from webbench.core.agent import Proposal

    proposed = messages.Proposed(proposal=Proposal(), text="click [1]")
    assert folded(proposed).proposal is proposed
    assert folded(proposed, messages.StepRecorded(step=Step(index=1, at=""))).proposal is None
    said = messages.StepRecorded(step=Step(index=1, at="", note="instructor: wait"))
    assert folded(proposed, said).proposal is proposed, "it stays open while somebody speaks"


def test_what_cost_something_is_under_way() -> None:
    from webbench.core.agent import Proposal
    from webbench.core.provenance import Provenance

    begun = messages.StepRecorded(step=Step(index=0, at=""))
    noted = messages.StepRecorded(step=Step(index=1, at="", note="hm"))
    rejected = Provenance(proposed_by="one", decision="rejected")
    assert not folded(begun).under_way
    assert folded(begun, noted).under_way
    assert folded(begun, messages.Proposed(proposal=Proposal(), text="click [1]")).under_way
    assert folded(begun, messages.Progress(text="one is thinking", stage="agent")).under_way
    assert folded(begun, messages.StepRecorded(step=Step(index=1, at="", provenance=rejected))).under_way
    assert folded(begun, messages.StepRecorded(step=Step(index=1, at="", text="click [1]"))).under_way


def test_a_proposal_goes_with_its_agent() -> None:
    from webbench.core.agent import Proposal

    chosen = messages.AgentChanged(name="one", running=False)
    proposed = messages.Proposed(proposal=Proposal(), text="click [1]")
    assert folded(chosen, proposed, chosen).proposal is proposed
    assert folded(chosen, proposed, messages.AgentChanged(name="two", running=False)).proposal is None


def test_the_end_carries_its_reason_and_stops_the_agent() -> None:
    import msgspec

    ended = msgspec.structs.replace(HEADER, end_reason="the actor stopped")
    state = folded(messages.AgentChanged(name="oracle", running=True), messages.EpisodeEnded(header=ended))
    assert state.ended == "the actor stopped"
    assert not state.agent_running


def test_changed_names_what_the_last_event_touched() -> None:
    state = folded(messages.Progress(text="acting", stage="action"))
    assert state.busy
    assert state.changed == {"progress", "stage"}

"""Loops, oscillations, and steps that could not be done."""

import msgspec

from tests.core.analysis.compare.test_align import moment, walk
from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.divergence import diverge
from webbench.core.analysis.compare.wasted_steps import Stretch, circles


def at_states(*states: int, verb: str = "click") -> list[Moment]:
    return [msgspec.structs.replace(moment(at, state, verb), state=state) for at, state in enumerate(states)]


def test_a_loop_reaches_from_an_action_to_its_last_repetition() -> None:
    assert circles(at_states(1, 2, 3, 2, 4)) == (Stretch("loop", 1, 3),)


def test_the_same_action_on_another_state_is_no_loop() -> None:
    assert circles(at_states(1, 2, 3)) == ()


def test_what_is_not_known_of_pages_makes_no_loop() -> None:
    assert circles(walk(1, 1, 1)) == ()


def test_two_states_that_take_turns_oscillate() -> None:
    steps = [
        msgspec.structs.replace(one, value=str(at)) for at, one in enumerate(at_states(9, 1, 2, 1, 2, 1, 7))
    ]

    assert circles(steps) == (Stretch("oscillation", 1, 5),)


def test_three_swings_are_not_enough() -> None:
    steps = [msgspec.structs.replace(one, value=str(at)) for at, one in enumerate(at_states(1, 2, 1, 3))]

    assert circles(steps) == ()


def test_scrolling_on_is_no_loop() -> None:
    steps = at_states(1, 1, 1, verb="scroll")
    scrolled = [msgspec.structs.replace(one, scrolled=600.0 * at) for at, one in enumerate(steps)]

    assert circles(steps) == (Stretch("loop", 0, 2),)
    assert circles(scrolled) == ()


def test_what_could_not_be_done_and_what_was_repeated_is_wasted() -> None:
    steps = at_states(1, 2, 2, 3)
    steps[3] = msgspec.structs.replace(steps[3], ok=False)

    found = diverge(align([steps, steps]), [steps, steps])

    assert found.wasted[0] == (2, 3)

"""Where attempts part and meet again; loops, oscillations, steps that had no effect."""

import msgspec

from tests.core.analysis.compare.test_align import moment, walk
from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.analysis.compare.divergence import Detour, Stretch, circles, diverge


def at_states(*states: int, verb: str = "click") -> list[Moment]:
    return [msgspec.structs.replace(moment(at, state, verb), state=state) for at, state in enumerate(states)]


def test_a_detour_parts_nobody() -> None:
    straight, longer = walk(0, 1, 2), walk(0, 40, 41, 1, 2)

    found = diverge(align([straight, longer]), [straight, longer])

    assert (found.first, found.reconvergences) == (None, ())
    assert found.detours == (Detour(actor=1, first=1, last=2),)
    assert found.detours[0].length == 2


def test_who_takes_longer_to_get_to_the_first_common_step_makes_a_detour() -> None:
    straight, longer = walk(0, 1), walk(40, 41, 0, 1)

    found = diverge(align([straight, longer]), [straight, longer])

    assert found.detours == (Detour(actor=1, first=0, last=1),)


def test_steps_alone_at_the_end_are_no_detour() -> None:
    short, longer = walk(0, 1), walk(0, 1, 50)

    found = diverge(align([short, longer]), [short, longer])

    assert (found.first, found.detours, found.reconvergences) == (2, (), ())


def test_equal_attempts_never_part() -> None:
    steps = walk(0, 1, 2)

    found = diverge(align([steps, steps]), [steps, steps])

    assert (found.first, found.detours, found.wasted) == (None, (), ((), ()))


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


def test_what_had_no_effect_and_what_was_repeated_is_wasted() -> None:
    steps = at_states(1, 2, 2, 3)
    steps[3] = msgspec.structs.replace(steps[3], ok=False)

    found = diverge(align([steps, steps]), [steps, steps])

    assert found.wasted[0] == (2, 3)

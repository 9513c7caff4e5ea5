"""Where attempts part and meet again, and the steps and time of each phase."""

from tests.core.analysis.compare.test_align import walk
from webbench.core.analysis.compare.alignment import align
from webbench.core.analysis.compare.divergence import Detour, diverge, phases
from webbench.core.analysis.compare.parting_rows import Row


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


def test_time_is_told_per_stretch_and_only_where_it_is_recorded() -> None:
    rows = [Row((0, 0)), Row((1, None)), Row((2, None)), Row((3, 1))]

    together, apart, end = phases(rows, [[1.0, 2.0, 4.0, 8.0], [0.0, 0.0]], [[1, 2, 3, 4], [1, 2]])

    assert (together.kind, together.first, together.last) == ("together", 0, 0)
    assert (apart.kind, apart.steps, apart.seconds) == ("apart", (2, 0), (6.0, None))
    assert (end.first, end.last, end.seconds) == (3, 3, (8.0, None))


def test_a_step_that_tells_several_acts_is_one_step_of_a_phase() -> None:
    rows = [Row((0,)), Row((1,)), Row((2,)), Row((3,))]

    (phase,) = phases(rows, [[1.0, 0.0, 2.0, 0.0]], [[1, 1, 2, 2]])

    assert (phase.steps, phase.seconds) == ((2,), (3.0,))


def test_a_step_counts_in_the_phase_in_which_the_first_of_its_acts_stands() -> None:
    rows = [Row((0, None)), Row((1, 0)), Row((2, 1))]

    apart, together = phases(rows, [[1.0, 0.0, 2.0], [4.0, 8.0]], [[1, 1, 2], [1, 2]])

    assert (apart.kind, apart.steps) == ("apart", (1, 0))
    assert (together.kind, together.steps) == ("together", (1, 2))

"""Steps and time of each stretch of rows."""

from webbench.core.analysis.compare.parting_rows import Row
from webbench.core.analysis.compare.phases import phases


def test_time_is_told_per_stretch_and_only_where_it_is_recorded() -> None:
    rows = [Row((0, 0)), Row((1, None)), Row((2, None)), Row((3, 1))]

    together, apart, end = phases(rows, [[1.0, 2.0, 4.0, 8.0], [0.0, 0.0]])

    assert (together.kind, together.first, together.last) == ("together", 0, 0)
    assert (apart.kind, apart.steps, apart.seconds) == ("apart", (2, 0), (6.0, None))
    assert (end.first, end.last, end.seconds) == (3, 3, (8.0, None))

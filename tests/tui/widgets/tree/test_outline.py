from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.widgets import pages
from webbench.core.observation import Viewport
from webbench.tui.widgets.tree.link_hints import hint_labels
from webbench.tui.widgets.tree.outline import NodeFilter, Outline, sibling_bits

depths = st.lists(st.integers(0, 6), max_size=40).map(
    lambda steps: [min(step, before + 1) for step, before in zip(steps, [-1, *steps], strict=False)]
)


def is_followed(levels: list[int], row: int, depth: int) -> bool:
    for level in levels[row + 1 :]:
        if level <= depth:
            return level == depth
    return False


@given(depths)
def test_sibling_bits_agree_with_looking_ahead(levels: list[int]):
    for row, bits in enumerate(sibling_bits(levels)):
        for depth in range(levels[row] + 1):
            assert bool(bits >> depth & 1) == is_followed(levels, row, depth)


@given(st.lists(st.integers(0, 6), max_size=40))
def test_parents_and_ends_agree_with_looking_around(levels: list[int]):
    outline = Outline([pages.node(number, "link", depth=depth) for number, depth in enumerate(levels)])
    for index, depth in enumerate(levels):
        above = [one for one in range(index) if levels[one] < depth]
        after = (one for one in range(index + 1, len(levels)) if levels[one] <= depth)
        assert outline.parents[index] == max(above, default=-1)
        assert outline.ends[index] == next(after, len(levels))


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.booleans()), max_size=60))
def test_rows_never_jump_more_than_one_level_and_folds_only_hide(shape):
    nodes = [
        pages.node(number, "link" if kept else "generic", depth=depth, interactive=kept)
        for number, (depth, kept, _) in enumerate(shape)
    ]
    outline = Outline(nodes, Viewport())
    kept = outline.kept(NodeFilter())
    everything = outline.rows(kept, frozenset())
    folded = outline.rows(kept, {number for number, (_, _, fold) in enumerate(shape) if fold})
    assert [nodes[index].interactive for index in everything.indices] == [True] * sum(kept)
    assert set(folded.indices) <= set(everything.indices)
    for before, depth in zip([-1, *everything.depths], everything.depths, strict=False):
        assert depth <= before + 1


@given(st.integers(0, 600))
def test_no_hint_is_a_prefix_of_another(count: int):
    labels = hint_labels(count)
    assert len(set(labels)) == count
    assert all(len(label) <= 2 for label in labels)
    singles = {label for label in labels if len(label) == 1}
    assert not any(label[0] in singles for label in labels if len(label) == 2)

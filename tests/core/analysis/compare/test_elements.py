"""Elements told by what stays the same between runs."""

from webbench.core.action.action import Click, ClickAt, ElementRef, Noop
from webbench.core.analysis.compare.element_identity import element_of
from webbench.core.observation import AccessibilityNode, Box, Observation

PAGE = Observation(
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Shop", box=Box(0, 0, 800, 600)),
        AccessibilityNode(id=2, role="heading", name="Lamps", depth=1, box=Box(0, 0, 800, 600)),
        AccessibilityNode(id=3, role="image", depth=1, box=Box(10, 10, 20, 20)),
        AccessibilityNode(id=4, role="link", name=" Big  Lamp", depth=1, box=Box(40, 10, 80, 20)),
        AccessibilityNode(id=5, role="image", depth=1),
    )
)


def test_elements_without_a_name_are_told_by_what_is_around_them() -> None:
    first, second = (element_of(Click(target=ElementRef(id=number, role="image")), PAGE) for number in (3, 5))

    assert first == ("image", "between lamps and big lamp")
    assert second == ("image", "between big lamp and")


def test_a_point_is_the_smallest_named_element_there_else_a_part_of_the_page() -> None:
    assert element_of(ClickAt(x=50, y=15), PAGE) == ("link", "big lamp")
    assert element_of(ClickAt(x=50, y=15), None) == element_of(ClickAt(x=60, y=30), None) == ("point", "1,0")


def test_what_is_known_of_an_element_is_used() -> None:
    assert element_of(Click(target=ElementRef(id=4)), PAGE) == ("link", "big lamp")
    assert element_of(Click(target=ElementRef(id=9)), PAGE) == ("", "[9]")
    assert element_of(Click(target=ElementRef(role="button", selector="#go")), None) is None
    assert element_of(Noop(), PAGE) is None

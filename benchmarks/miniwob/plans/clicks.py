"""Plans that find something and click it: buttons, links, tabs, sections, menus, boxes to tick, trees."""

from __future__ import annotations

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Planner, Sight, at, click, part, words
from webbench.core.action.action import Hover, Noop, Select
from webbench.core.errors import ActionFailed

PIE_TURNS = 8
"""How often a pie is folded or spread again for a slice that did not hear the click."""

MENU_SECONDS = 0.6
"""A jQuery menu opens a submenu this long after the pointer came to its item."""


def only(selector: str) -> Planner:
    """Click the one thing that there is to click."""

    def plan(_: Sight) -> Plan:
        yield click(selector)

    return plan


def quoted(selector: str) -> Planner:
    """Click the element whose text the task quotes."""

    def plan(sight: Sight) -> Plan:
        yield from sight.look()
        yield click(sight.named(selector, sight.quoted[0]))

    return plan


def both_buttons(_: Sight) -> Plan:
    yield click("#subbtn")
    yield click("#subbtn2")


def numbered_button(sight: Sight) -> Plan:
    (name,) = sight.said(r"button (\w+)\.")
    yield from sight.look()
    yield click(sight.named("#area button", name))


def dialog(sight: Sight) -> Plan:
    """The button of the dialog's title bar is called "x" in the task."""
    if sight.quoted[0] == "x":
        yield click(".ui-dialog-titlebar button")
    else:
        yield from quoted(".ui-dialog-buttonset button")(sight)


def widget(sight: Sight) -> Plan:
    yield from sight.look()
    yield click(sight.one(f'#area [data-type="{sight.quoted[0]}"]'))


def coloured_box(sight: Sight) -> Plan:
    (colour,) = sight.said(r"Click on the (.+) colored box")
    yield click(f'#area .color[data-color="{colour}"]')


def tab(sight: Sight) -> Plan:
    (number,) = sight.said(r"Tab #(\d)")
    yield click(f'a[href="#tabs-{number}"]')


def link_on_tab(sight: Sight) -> Plan:
    """Where no tab that is filled holds the link, it is behind the other one, which counts."""
    yield from sight.look()
    try:
        link = sight.named(".alink", sight.quoted[0])
    except ActionFailed:
        yield click('a[href="#tabs-2"]')
        return
    panel = next(one for one in link.parents if str(one.get("id", "")).startswith("tabs-"))
    if "display: none" in str(panel.get("style", "")):
        yield click(f'a[href="#{panel["id"]}"]')
    yield click(link)


def section(_: Sight) -> Plan:
    yield click("#area h3")
    yield click(SUBMIT)


def link_in_section(sight: Sight) -> Plan:
    yield from sight.look()
    link = sight.named(".alink", sight.quoted[0])
    panel = next(one for one in link.parents if "ui-accordion-content" in (one.get("class") or ()))
    header = panel.find_previous_sibling("h3")
    assert header is not None
    yield click(header)
    yield Noop(seconds=MENU_SECONDS)
    yield click(link)


def menu_path(sight: Sight) -> Plan:
    (path,) = sight.said(r"Select (.+)$")
    *parents, leaf = path.split(">")
    yield from sight.look()
    for parent in parents:
        yield Hover(target=at(sight.named("#menu div", parent)))
        yield Noop(seconds=MENU_SECONDS)
    yield click(sight.named("#menu div", leaf))


def menu_item(sight: Sight) -> Plan:
    """By its label, or by its icon, which stands in the question itself."""
    yield click("#open-menu")
    yield from sight.look()
    if sight.quoted[1:]:
        item = sight.named("#menu div", sight.quoted[1])
    else:
        (icon,) = (name for name in sight.one("#query .ui-icon")["class"] if name != "ui-icon")
        item = sight.one(f"#menu div:has(> .{icon})")
    above = item.find_parent("ul")
    if above is not None and above.get("id") != "menu":
        yield Hover(target=at(sight.named("#menu div", "Playback")))
        yield Noop(seconds=MENU_SECONDS)
    yield click(item)


def option(sight: Sight) -> Plan:
    (name,) = sight.said(r"Select (.+) and click Submit")
    yield from sight.look()
    yield click(sight.named("#area label", name))
    yield click(SUBMIT)


def tick_boxes(sight: Sight) -> Plan:
    (listed,) = sight.said(r"Select (.+) and click Submit")
    wanted = [] if listed == "nothing" else listed.split(", ")
    yield from sight.look()
    for name in wanted:
        yield click(sight.named("#area label", name))
    yield click(SUBMIT)


def tick_similar(sight: Sight) -> Plan:
    """Which words mean the same stands in the page's own script."""
    (listed,) = sight.said(r"similar to (.+) and click Submit")
    yield from sight.look()
    groups = [set(group) for group in sight.literal("SYNONYMS")]
    for word in listed.split(", "):
        same = set().union(*(group for group in groups if word in group))
        yield click(next(label for label in sight.all("#area label") if words(label) in same))
    yield click(SUBMIT)


def choose(sight: Sight) -> Plan:
    """One item of a list, or several; a name may hold a comma itself."""
    (listed,) = sight.said(r"Select (.+) from the (?:scroll )?list")
    yield from sight.look()
    names = {words(one) for one in sight.all("#options option")}
    wanted = [name for name in names if f", {name}, " in f", {listed}, "]
    yield Select(target=at("#options"), options=tuple(wanted))
    yield click("#area button")


def shades(sight: Sight) -> Plan:
    (colour,) = sight.said(r"shades of (\w+)")
    yield from sight.look()
    for one in sight.all(f'#area span[data-color="{colour}"]'):
        yield click(one)
    yield click("#submit")


def nth_box(sight: Sight) -> Plan:
    (number,) = sight.said(r"(\d)\w\w input textbox")
    yield click(f"#tt{number}")


def tree(sight: Sight) -> Plan:
    """Unfold from the outside in, then click the name."""
    yield from sight.look()
    found = [one for one in sight.all("#tree span") if words(one) == sight.quoted[0]]
    name = min(found, key=lambda one: len(list(one.parents)))
    for folder in reversed(name.find_parents("li")[1:]):
        yield click(part(folder, "span"))
    yield click(name)


def pie(sight: Sight) -> Plan:
    """Spread the pie by its middle, then click the slice of the label.

    The slice that is selected at first hears clicks only while the pie spreads or folds: else the page puts
    it in anew below the mouse. A click that comes at another time does nothing, and is made again while the
    pie moves the next time.
    """
    yield from sight.look()
    middle = sight.all("#divWheel svg text")[-1]
    yield click(middle)
    yield Noop(seconds=2)
    yield from sight.look()
    label = next(one for one in sight.all("#divWheel svg text") if words(one) == sight.quoted[0])
    wanted = "#" + str(label["id"]).replace("-title-", "-slice-")
    yield click(wanted)
    for _ in range(PIE_TURNS):
        yield click(middle)
        yield click(wanted)
        yield Noop(seconds=2)

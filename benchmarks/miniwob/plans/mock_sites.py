"""Plans for pages that play a site: a mailbox, posts, a search engine, contacts, menus, flights, cards."""

from __future__ import annotations

import calendar
import re
from typing import TYPE_CHECKING

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Sight, at, click, fill, part, words
from webbench.core.action.action import Hover, Noop
from webbench.core.errors import ActionFailed

if TYPE_CHECKING:
    from bs4 import Tag

BUTTONS = {
    "Share via DM": "share",
    "Copy link to Tweet": "copy",
    "Embed Tweet": "embed",
    "Mute": "menu-user",
    "Block": "block-user",
    "Report": "report",
}
"""What the menu of a post calls its items, by what they are called in the page's code."""
PICKINGS, FADINGS = 3, 5
"""How often a day of a calendar is clicked, and how often is looked whether the calendar is gone."""
_DELETES = re.compile(r"delet|trash|remove|get rid|erase|discard", re.IGNORECASE)
_STARS = re.compile(r"\bstar|important", re.IGNORECASE)
_REPLIES = re.compile(r"repl|respon|answer|write back|say", re.IGNORECASE)
_SENDER = (
    r"(?:from|by|sent by|of) {0}\b",
    r"\b{0}(?:'s)? (?:sent|email|mail|message|wants|gave|wrote)",
    r"\b{0}\b",
)
"""How a request names who sent the mail that it is about, the surest way first; {0} is the name."""


def mail(sight: Sight) -> Plan:
    """Whatever is asked of a mail: to be deleted, starred, answered or forwarded."""
    yield from sight.look()
    threads = sight.all("#main .email-thread")
    names = {words(part(one, ".email-sender")) for one in threads}
    sender = _sender(sight.intent, names)
    thread = next(one for one in threads if words(part(one, ".email-sender")) == sender)
    forwarded = _forwarded_to(sight.intent, sender)
    if forwarded is None and _DELETES.search(sight.intent):
        yield click(part(thread, ".trash"))
    elif forwarded is None and _STARS.search(sight.intent):
        yield click(part(thread, ".star"))
    elif forwarded is not None and not _REPLIES.search(sight.intent):
        yield click(thread)
        yield click(".email-forward")
        yield fill(".forward-sender", forwarded)
        yield click("#send-forward")
    else:
        yield click(thread)
        yield click(".email-reply")
        yield fill("#reply-text", sight.quoted[0])
        yield click("#send-reply")


def _sender(intent: str, names: set[str]) -> str:
    for way in _SENDER:
        for name in sorted(names, key=len, reverse=True):
            if re.search(way.format(re.escape(name)), intent):
                return name
    raise ActionFailed(f"nobody in the mailbox is named in: {intent[:200]}")


def _forwarded_to(intent: str, sender: str) -> str | None:
    """Whoever else is named: a capital inside the sentence, or its first word before "wants", "is" ..."""
    rest = re.sub(rf"\b{re.escape(sender)}\b('s)?", "", intent)
    found = re.search(r"\b(?:to|[Ss]end|[Ff]orward|[Gg]ive|[Ff]wd) ([A-Z][\w-]+(?: [A-Z]\w+)?)", rest)
    found = found or re.search(r"^([A-Z][\w-]+(?: [A-Z]\w+)?) (?:wants|is|needs|would|should|has)", rest)
    return found[1] if found else None


def post(sight: Sight) -> Plan:
    """A button below one user's post, or an item of its menu."""
    (user,) = sight.said(r"For the user (\S+), click")
    yield from sight.look()
    found = next(one for one in sight.all(".media") if words(part(one, ".username")) == user)
    item = BUTTONS.get(sight.quoted[0])
    if item:
        yield from _icon(part(found, ".more"))
        yield click(part(found, f".{item}"))
    else:
        yield from _icon(part(found, f".{sight.quoted[0].lower()}"))


def _icon(icon: Tag) -> Plan:
    """Below the pointer it is another picture, nothing until that is loaded: the pointer goes first."""
    yield Hover(target=at(icon))
    yield click(icon)


def posts(sight: Sight) -> Plan:
    """The same button below all of a user's posts, or below so many of them."""
    count, user = sight.said(r"on (all posts|\d+ posts?) by (\S+) and then")
    yield from sight.look()
    found = [one for one in sight.all(".media") if words(part(one, ".username")) == user]
    for one in found if count == "all posts" else found[: int(count.split()[0])]:
        yield from _icon(part(one, f".{sight.quoted[0].lower()}"))
    yield click("#submitRow button")


def search_result(sight: Sight) -> Plan:
    """Three results stand on a page."""
    (number,) = sight.said(r"the (\d+)\w\w search result")
    page, place = divmod(int(number) - 1, 3)
    yield fill("#search-text", sight.quoted[0])
    yield click("#search")
    yield from sight.look()
    if page:
        yield click(sight.named("#pagination a", str(page + 1)))
        yield from sight.look()
    yield click(sight.all("#page-content .search-title")[place])


def contact(sight: Sight) -> Plan:
    name, detail = sight.said(r"Find (.+) in the contact book and click on their (\w+)")
    for _ in range(5):
        yield from sight.look()
        if words(sight.one("#contact .name")) == name:
            break
        yield click(sight.named("#pagination a", ">"))
    yield click(f"#contact a.{detail}")


def food(sight: Sight) -> Plan:
    """Each dish that is named, or so many of the first one of a kind."""
    kind = re.search(r"Order (\d+) items that are (.+)", sight.intent)
    yield from sight.look()
    items = sight.all(".food-item")
    if kind:
        item = next(one for one in items if one.select(f'img[alt="{kind[2]}"]'))
        chosen = [item] * int(kind[1])
    else:
        (listed,) = sight.said(r"each item: (.+)")
        chosen = [one for one in items if words(part(one, ".item-name")) in re.split(r",\s+", listed)]
    for item in chosen:
        yield click(part(item, ".add"))
    yield click("#submit-order button")


def calendar_date(sight: Sight) -> Plan:
    month, day, year = sight.said(r"(\d\d)/(\d\d)/(\d{4})")
    yield from _picked(sight, int(month), int(day), int(year))
    yield click(SUBMIT)


def _picked(sight: Sight, month: int, day: int, year: int) -> Plan:
    """Turn the calendar's pages to the month, then click the day, until the calendar is gone.

    It fades in and out, and lies over the button that comes next.
    """
    yield click("#datepicker")
    yield from sight.look()
    month_shown = [*calendar.month_name].index(words(sight.one(".ui-datepicker-month")))
    distance = (year - int(words(sight.one(".ui-datepicker-year")))) * 12 + month - month_shown
    for _ in range(abs(distance)):
        yield click(".ui-datepicker-next" if distance > 0 else ".ui-datepicker-prev")
    for _ in range(PICKINGS):
        yield from sight.look()
        yield click(sight.named(".ui-datepicker-calendar td a", str(day)))
        for _ in range(FADINGS):
            yield from sight.look()
            if all(map(_hidden, sight.all("#ui-datepicker-div"))):
                return
            yield Noop(seconds=0.3)


def flight(sight: Sight) -> Plan:
    """Fill the form by its suggestions, then take the cheapest or the shortest of what is found."""
    which, origin, destination, date = sight.said(
        r"Book the (\w+) one-way flight from: (.+) to: (.+) on (\S+?)\.?$"
    )
    for field, place in (("#flight-from", origin), ("#flight-to", destination)):
        yield fill(field, place)
        yield Noop(seconds=0.6)
        yield from sight.look()
        offered = [one for one in sight.all("ul.ui-autocomplete li div") if place in words(one)]
        yield click(next(one for one in offered if not _hidden(one.find_parent("ul"))))
    month, day, year = map(int, date.split("/"))
    yield from _picked(sight, month, day, year)
    yield click("#search")
    yield from sight.look()
    by_price = which == "cheapest"
    shown, key = (".flight-price", "data-price") if by_price else (".time-duration", "data-duration")
    best = min(sight.all(".flight"), key=lambda one: int(str(part(one, shown)[key])))
    yield click(part(best, ".flight-price"))


def _hidden(tag: Tag | None) -> bool:
    return tag is not None and "display: none" in str(tag.get("style", ""))


def ticket(sight: Sight) -> Plan:
    yield from sight.look()
    by_price = "cost" in sight.intent
    shown, key = (".buy-ticket", "data-price") if by_price else (".time-duration", "data-duration")
    best = max if re.search("longest|most", sight.intent) else min
    chosen = best(sight.all(".flight"), key=lambda one: int(str(part(one, shown)[key])))
    yield click(part(chosen, ".buy-ticket"))


def card(sight: Sight) -> Plan:
    yield from sight.look()
    yield click(max(sight.all(".card"), key=lambda one: int(words(one))))
    yield click("#submit")


def numbers(sight: Sight) -> Plan:
    yield from sight.look()
    for row in sight.all("#numbers .row"):
        odd = int(words(part(row, ".display-number"))) % 2
        yield click(part(row, ".odd" if odd else ".even"))
    yield click("#submit")


def drawn_digit(sight: Sight) -> Plan:
    """Which boxes make up a digit stands in the page's own script."""
    yield from sight.look()
    pattern = sight.literal("PATTERNS")[int(sight.quoted[0])]
    marks = [mark for row in pattern for mark in row]
    for mark, box in zip(marks, sight.all("#checkboxes input"), strict=True):
        if mark:
            yield click(box)
    yield click(SUBMIT)


def list_and_button(sight: Sight) -> Plan:
    """A list that is drawn by the page: it is opened, and its item clicked."""
    (item,) = sight.said(r"Choose (.+) from the dropdown")
    yield click(".selectric")
    yield from sight.look()
    yield click(sight.named(".selectric-items li", item))
    yield from sight.look()
    yield click(sight.named("#buttons button", sight.quoted[0]))

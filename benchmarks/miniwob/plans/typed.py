"""Plans that type: what the task says, what the page shows, or what comes of calculating with it."""

from __future__ import annotations

import re

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Planner, Sight, at, click, fill, words
from webbench.core.action.action import Noop, Press, Scroll, Type
from webbench.core.errors import ActionFailed

ORDINALS = {"1st": 1, "2nd": 2, "3rd": 3}


def quoted_into(*fields: str) -> Planner:
    """Type what the task quotes: the first text into the first field, and so on; the last one repeats."""

    def plan(sight: Sight) -> Plan:
        for place, field in enumerate(fields):
            yield fill(field, sight.quoted[min(place, len(sight.quoted) - 1)])
        yield click(SUBMIT)

    return plan


def cased(sight: Sight) -> Plan:
    text = sight.quoted[0]
    yield fill("#tt", text.upper() if "upper case" in sight.intent else text.lower())
    yield click(SUBMIT)


def date(sight: Sight) -> Plan:
    month, day, year = sight.said(r"(\d\d)/(\d\d)/(\d{4})")
    yield fill("#tt", f"{year}-{month}-{day}")
    yield click(SUBMIT)


def time(sight: Sight) -> Plan:
    hour, minute, half = sight.said(r"(\d+):(\d\d)\s*([AP])M")
    yield fill("#tt", f"{int(hour) % 12 + (12 if half == 'P' else 0):02}:{minute}")
    yield click(SUBMIT)


def login_with_popup(sight: Sight) -> Plan:
    """A pop-up may come as soon as a field gets the focus; it is sent away."""
    for field, text in zip(("#username", "#password"), sight.quoted, strict=False):
        yield click(field)
        yield from sight.look()
        if sight.all("#popup"):
            yield click("#popup-cancel")
        yield fill(field, text)
    yield click(SUBMIT)


def nth_word(sight: Sight) -> Plan:
    (number,) = sight.said(r"the (\d+)\w\w word")
    yield from sight.look()
    word = words(sight.one("#area p")).split()[int(number) - 1]
    yield fill("#answer-input", re.sub(r"[^A-Za-z]", "", word))
    yield click(SUBMIT)


def last_word(sight: Sight) -> Plan:
    yield from sight.look()
    yield fill("#answer-input", words(sight.one("#text-area")).split()[-1].rstrip(".,"))
    yield click(SUBMIT)


def table_value(sight: Sight) -> Plan:
    (key,) = sight.said(r"value of (.+) into the text field")
    yield from sight.look()
    yield fill("#tt", _table(sight)[key])
    yield click(SUBMIT)


def table_values(sight: Sight) -> Plan:
    yield from sight.look()
    for number in (1, 2):
        key = words(sight.one(f"#ll{number}")).rstrip(":")
        yield fill(f"#tt{number}", _table(sight)[key])
    yield click(SUBMIT)


def _table(sight: Sight) -> dict[str, str]:
    rows = [[words(cell) for cell in row.select("td")] for row in sight.all("#tab tr")]
    return {key: value for key, value in rows}  # noqa: C416 - each row is a list of two


def arithmetic(sight: Sight) -> Plan:
    yield from sight.look()
    one, sign, two = words(sight.one("#math-problem")).split()[:3]
    a, b = int(one), int(two)
    yield fill("#math-answer", str({"+": a + b, "-": a - b, "x": a * b}[sign]))
    yield click(SUBMIT)


def algebra(sight: Sight) -> Plan:
    """Of "x + 3 = 7" or "3 - x = 7"."""
    yield from sight.look()
    left, sign, right, _, total = words(sight.one("#math-problem")).split()
    result = int(total)
    if sign == "+":
        answer = result - int(right if left == "x" else left)
    else:
        answer = result + int(right) if left == "x" else int(left) - result
    yield fill("#math-answer", str(answer))
    yield click(SUBMIT)


def count_blocks(sight: Sight) -> Plan:
    yield from sight.look()
    yield fill("#math-answer", str(len(sight.all(".addition-block"))))
    yield click(SUBMIT)


def bent_text(sight: Sight) -> Plan:
    yield from sight.look()
    yield fill("#tt", sight.one("#captcha").get_text())
    yield click(SUBMIT)


def copied(sight: Sight) -> Plan:
    """What a field holds is seen on the page, not in its HTML."""
    place = next((number for word, number in ORDINALS.items() if word in sight.intent), 0)
    yield Type(target=at("#answer-input"), text=sight.value(f"text-{place}" if place else "to-copy"))
    yield click(SUBMIT)


def film_search(sight: Sight) -> Plan:
    """Each field is known by the words that stand around it."""
    genre, director, year = sight.said(r"Search for (.+) movies directed by (.+) from year (\d+)")
    yield from sight.look()
    for field in sight.all("#area input"):
        around = next(words(one) for one in field.parents if words(one))
        yield fill(field, genre if "Genre" in around else director if "Director" in around else year)
    yield click(sight.one("#area button, #area .final, #area .ui-submit"))


def completion(sight: Sight) -> Plan:
    begin, *end = sight.quoted
    yield fill("#tags", begin)
    yield Noop(seconds=0.6)
    yield from sight.look()
    items = [one for one in sight.all("ul.ui-autocomplete li div") if not end or words(one).endswith(end[0])]
    yield click(next(one for one in items if words(one).startswith(begin)))
    yield click(SUBMIT)


def terminal(sight: Sight) -> Plan:
    """List the files, then remove one with the ending that is asked for."""
    ending = re.search(r"extension (\.\S+)", sight.intent)
    yield click("#terminal-contents")
    yield Type(text="ls", clear=False, enter=True)
    yield from sight.look()
    files = words(sight.all(".output")[-1]).split()
    wanted = (one for one in files if (one.endswith(ending[1]) if ending else "." not in one))
    yield Type(text=f"rm {next(wanted)}", clear=False, enter=True)


def guess(sight: Sight) -> Plan:
    low, high = 0, 9
    while low <= high:
        middle = (low + high) // 2
        yield fill("#tt", str(middle))
        yield click(SUBMIT)
        yield from sight.look()
        if "hide" in (sight.one("#lower").get("class") or ()):
            low = middle + 1
        else:
            high = middle - 1


def generated_number(sight: Sight) -> Plan:
    less, more = re.search(r"less than (\d+)", sight.intent), re.search(r"greater than (\d+)", sight.intent)
    while True:
        yield click("#generate")
        yield from sight.look()
        number = int(words(sight.one("#display-number")))
        odd = "odd" in sight.intent
        if number < int(less[1]) if less else number > int(more[1]) if more else number % 2 == odd:
            break
    yield click("#submit")


def spinner(sight: Sight) -> Plan:
    (number,) = sight.said(r"Select (-?\d+) with")
    yield fill("#spinner", number)
    yield click(SUBMIT)


def hexadecimal(sight: Sight) -> Plan:
    """The colour's code is typed; a click elsewhere closes the wheel."""
    from PIL import ImageColor

    named = re.search(r"Select (\w+) with the color picker", sight.intent)
    if named:
        red, green, blue = ImageColor.getrgb(named[1])[:3]
    else:
        yield from sight.look()
        style = str(sight.one("#query .cc")["style"])
        found = re.search(r"#[0-9a-f]{6}", style)
        if found is None:
            raise ActionFailed(f"no colour in {style[:80]}")
        red, green, blue = ImageColor.getrgb(found[0])[:3]
    yield fill("#col", f"{red:02X}{green:02X}{blue:02X}")
    yield click("#query")
    yield click(SUBMIT)


def agreement(sight: Sight) -> Plan:
    if not sight.quoted:
        yield click("#cancel")
        return
    yield Scroll(target=at("#text-area"), dy=5000)
    yield fill("#name", sight.quoted[0])
    yield click("#agree" if "Agree" in sight.quoted else "#cancel")


def form_of_boxes(sight: Sight) -> Plan:
    """A radio button and a number into a text field, by their places."""
    radio, number, field = sight.said(r'the (\w+) radio button .* "(-?\d+)" into the (\w+) textbox')
    yield click(f'#area input[type=radio][value="{ORDINALS[radio]}"]')
    yield fill(f"#input-{ORDINALS[field]}", number)
    yield click(SUBMIT)


STYLES = {"bold": ".ql-bold", "italics": ".ql-italic", "underlined": ".ql-underline"}
COLOURS = {
    "red": "#e60000",
    "orange": "#ff9900",
    "yellow": "#ffff00",
    "green": "#008a00",
    "blue": "#0066cc",
    "purple": "#9933ff",
}
"""What the editor's palette has under these names."""

STYLE_TRIES, HEARD_SECONDS = 3, 0.1
CARET = "\ufeff"
"""What the editor puts where the next letter is to have a style."""


def styled_text(sight: Sight) -> Plan:
    """Mark a word by the keyboard, or everything, then press what gives it its style.

    The editor hears a little later than the page what is marked, and gives nothing its style before: then it
    is done again.
    """
    word, _, wish = sight.said(r"(?:give|make) (?:the text (.+)|everything) the (style|color) (\w+)")
    for _ in range(STYLE_TRIES):
        yield click(".ql-editor")
        if word is None:
            yield Press(keys="Control+a")
        else:
            yield from sight.look()
            yield Press(keys="Control+Home")
            for _ in range(sight.one(".ql-editor").get_text().index(word)):
                yield Press(keys="ArrowRight")
            for _ in word:
                yield Press(keys="Shift+ArrowRight")
        yield Noop(seconds=HEARD_SECONDS)
        if wish in STYLES:
            yield click(f".ql-toolbar {STYLES[wish]}")
        else:
            yield click(".ql-color .ql-picker-label")
            yield click(f'.ql-color .ql-picker-item[data-color="{COLOURS[wish]}"]')
        yield from sight.look()
        if any(words(styled).strip(CARET) for styled in sight.all(".ql-editor p *")):
            break
    yield click(SUBMIT)

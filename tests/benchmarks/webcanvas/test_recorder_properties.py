"""Whatever addresses and values a recording has: what is suggested for a step is met by that step."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from webbench.benchmarks.webcanvas.recording import RecordedStep, Recording
from webbench.benchmarks.webcanvas.tasks import read_task
from webbench.benchmarks.webcanvas.upkeep.draft import Draft
from webbench.core.action.action import Click, ElementRef, Select, Type

PAGE = """<form><input id="q" title="Words"><select name="s"><option value="1">One, two<option value="2">"%20"
</select><p><a href="/x">X &amp; y</a></p></form>"""
PIECES = st.text("ab /%20é+&=?#:@[]", max_size=8)
PATHS = st.builds("/{}".format, PIECES)
QUERIES = st.builds("?{}={}&{}={}".format, st.sampled_from("qr"), PIECES, st.sampled_from("st"), PIECES)
FRAGMENTS = st.builds("#{}".format, PIECES)
HOSTS = st.sampled_from(["https://www.shop.example", "http://127.0.0.1:8080", "https://m.shop.example"])
ADDRESSES = st.builds("{}{}{}{}".format, HOSTS, PATHS, QUERIES | st.just(""), FRAGMENTS | st.just(""))
ACTIONS = st.one_of(
    st.builds(lambda text: Type(target=ElementRef(selector="#q"), text=text), PIECES),
    st.builds(
        lambda one: Select(target=ElementRef(selector='[name="s"]'), options=(one,)), st.sampled_from("12")
    ),
    st.just(Click(target=ElementRef(selector='a[href="/x"]', name="X & y"))),
    st.just(Click(target=ElementRef(selector="#gone >>> b", role="button", name="Inside"))),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(ACTIONS, ADDRESSES), min_size=1, max_size=3), ADDRESSES, PIECES)
def test_every_suggestion_is_met_by_its_own_recording(
    done: list[tuple[Type | Select | Click, str]], start: str, answer: str
) -> None:
    before = [start, *(address for _, address in done)]
    steps = tuple(
        RecordedStep(
            number=at, index=at, text="", action=action, before=before[at - 1], after=after, html=PAGE
        )
        for at, (action, after) in enumerate(done, start=1)
    )
    recording = Recording(episode="e", start=start, steps=steps, answer=answer)
    for number in Draft(recording).numbers:
        for place, choice in enumerate(Draft(recording).choices(number)):
            if choice.for_judge:
                continue
            draft = Draft(recording)
            draft.mark(number, place)
            assert draft.trials()[number].verdict in ("holds", "early"), choice
            task = read_task(json.loads(json.dumps(draft.annotation("a", "Do it"))))
            assert draft.score(task).value == 1, choice

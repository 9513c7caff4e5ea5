"""What holds for every dialect, over generated actions and arbitrary text."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.turkingbench import dialect as turkingbench
from webbench.benchmarks.webarena import dialect as webarena
from webbench.core.action import action as actions
from webbench.core.action.action import Action, ElementRef
from webbench.core.action.references import map_references, without_id
from webbench.core.conformance.dialect_contract import (
    answered,
    errors_help,
    help_kept,
    read_back,
    renders,
    shared_notation,
)
from webbench.core.dialects.dialect import Dialect, ParseError
from webbench.core.dialects.notations import browsergym_calls as browsergym
from webbench.core.dialects.wording import wording
from webbench.core.observation import Box

DIALECTS: list[Dialect] = [webarena.create(), browsergym.create(), turkingbench.create()]
every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)

texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.text(st.sampled_from("ab[]()'\"\\,=01 \n\t{}`;"), max_size=20),
    st.sampled_from(
        ["", "[0]", "] [1", "] [", "]", "```", "infeasible: ", "a|b", 'it\'s "so"', "\ud800", "1e5"]
    ),
)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-4000, 4000).map(float)
shares = st.floats(0, 100)
insides = st.none() | st.tuples(shares, shares)
ids = st.integers(0, 50_000) | st.integers()
references = st.one_of(
    st.builds(ElementRef, id=ids),
    st.builds(ElementRef, field=texts, option=texts),
    st.builds(ElementRef, field=texts, option=texts, role=st.just("radio")),
    st.builds(
        ElementRef,
        id=st.none() | ids,
        role=texts,
        name=texts,
        path=texts,
        selector=texts,
        box=st.none() | st.builds(Box, numbers, numbers, numbers, numbers),
    ),
)
keys = st.sampled_from(["Enter", "Control+a", "Ctrl+a", "Control++", "ß", "é+]"]) | texts
buttons = st.sampled_from(["left", "right", "middle"])
counts = st.integers(1, 3)
several = st.lists(texts, max_size=3).map(tuple)
targets = st.none() | references
GENERATED: dict[type, st.SearchStrategy[Action]] = {
    actions.Click: st.builds(
        actions.Click, target=references, button=buttons, count=counts, modifiers=several, at=insides
    ),
    actions.ClickAt: st.builds(actions.ClickAt, x=numbers, y=numbers, button=buttons, count=counts),
    actions.Type: st.builds(
        actions.Type, target=targets, text=texts, clear=st.booleans(), enter=st.booleans()
    ),
    actions.Select: st.builds(actions.Select, target=references, options=several),
    actions.Check: st.builds(actions.Check, target=references, checked=st.booleans()),
    actions.SetRange: st.builds(actions.SetRange, target=references, value=numbers),
    actions.Hover: st.builds(actions.Hover, target=references, at=insides),
    actions.HoverAt: st.builds(actions.HoverAt, x=numbers, y=numbers),
    actions.Focus: st.builds(actions.Focus, target=references),
    actions.MouseDown: st.builds(actions.MouseDown, x=numbers, y=numbers, button=buttons),
    actions.MouseUp: st.builds(actions.MouseUp, x=numbers, y=numbers, button=buttons),
    actions.KeyDown: st.builds(actions.KeyDown, key=keys),
    actions.KeyUp: st.builds(actions.KeyUp, key=keys),
    actions.Press: st.builds(actions.Press, keys=keys, target=targets),
    actions.Scroll: st.builds(
        actions.Scroll,
        dx=numbers | st.sampled_from([0.0, 1.0, -1.0]),
        dy=numbers | st.sampled_from([0.0, 1.0, -1.0]),
        unit=st.sampled_from(["pixels", "viewports"]),
        target=targets,
    ),
    actions.ScrollTo: st.builds(actions.ScrollTo, target=references),
    actions.Drag: st.builds(
        actions.Drag, source=references, target=references, source_at=insides, target_at=insides
    ),
    actions.DragAt: st.builds(actions.DragAt, x=numbers, y=numbers, to_x=numbers, to_y=numbers),
    actions.Upload: st.builds(actions.Upload, target=references, files=several),
    actions.UploadAt: st.builds(actions.UploadAt, x=numbers, y=numbers, files=several),
    actions.Goto: st.builds(actions.Goto, url=texts),
    actions.Back: st.just(actions.Back()),
    actions.Forward: st.just(actions.Forward()),
    actions.Reload: st.just(actions.Reload()),
    actions.NewTab: st.builds(actions.NewTab, url=texts),
    actions.FocusTab: st.builds(actions.FocusTab, index=ids),
    actions.CloseTab: st.builds(actions.CloseTab, index=st.none() | ids),
    actions.AnswerDialog: st.builds(actions.AnswerDialog, accept=st.booleans(), text=texts),
    actions.GetHtml: st.builds(actions.GetHtml, target=targets),
    actions.CaptureScreen: st.builds(actions.CaptureScreen, target=st.none() | targets),
    actions.Maximize: st.just(actions.Maximize()),
    actions.Say: st.builds(actions.Say, text=texts),
    actions.Search: st.builds(actions.Search, query=texts),
    actions.Remember: st.builds(actions.Remember, text=texts),
    actions.Submit: st.builds(actions.Submit, target=targets),
    actions.Stop: st.builds(actions.Stop, answer=texts),
    actions.Noop: st.builds(actions.Noop, seconds=numbers),
}
any_action = st.one_of(*GENERATED.values())


def test_every_kind_of_action_is_generated() -> None:
    assert set(GENERATED) == set(Action.__args__)  # type: ignore[attr-defined]


@every_dialect
@settings(max_examples=examples(300), deadline=None)
@given(action=any_action)
def test_what_is_written_is_read_back_as_the_same_action(dialect: Dialect, action: Action) -> None:
    read_back(dialect, action)


@every_dialect
@settings(max_examples=examples(250), deadline=None)
@given(text=st.text(st.characters(exclude_categories=()), max_size=60) | texts)
def test_no_text_makes_a_dialect_raise(dialect: Dialect, text: str) -> None:
    answered(dialect, text)
    dialect.complete(text, None)


@every_dialect
@settings(max_examples=examples(400), deadline=None)
@given(
    action=any_action,
    cut=st.integers(0, 60),
    length=st.integers(0, 4),
    put=st.text(st.sampled_from("[](){}'\"\\,= 1aN\n\x00\ud800"), max_size=3),
)
@example(action=actions.Reload(), cut=6, length=0, put="[")
def test_no_mutation_of_a_valid_text_makes_a_dialect_raise(
    dialect: Dialect, action: Action, cut: int, length: int, put: str
) -> None:
    text = dialect.format(action)
    mutated = text[:cut] + put + text[cut + length :]
    answered(dialect, mutated)
    dialect.complete(mutated, None)


HUGE = [
    "x" * 1_000_000,
    "[" * 1_000_000,
    "(" * 1_000_000,
    '{"a":' * 200_000,
    "{" * 1_000_000,
    "click " + "[" * 1_000_000,
    "click [" + "1" * 1_000_000 + "]",
    "click(" + "[" * 1_000_000,
    "click(" + "1" * 1_000_000 + ")",
    "click('" + "\\x41" * 250_000 + "')",
    "click('" + "\\" * 1_000_000,
    "fill('1', " + "'a' " * 250_000 + ")",
    "fill('1', " + "1," * 500_000 + ")",
    "select_option('1', [" + "'a'," * 250_000 + "])",
    "select [1] " + "[a] " * 250_000,
    "type [1] [" + "] [" * 330_000 + "] [1]",
    "modify_text(" + '"' * 1_000_000,
    "self.actions." * 80_000,
    " " * 1_000_000,
    "click" + " " * 1_000_000,
    "type [1] [a]" + " " * 1_000_000 + "[1",
    "```" * 330_000,
    '{"verb": "noop", "seconds": ' + "1" * 1_000_000 + "}",
    '{"verb": "noop", "seconds": NaN}',
    '{"verb": "click", "target": ' + '{"id": ' * 150_000 + "1" + "}" * 150_000 + "}",
    "\ud800" * 1_000_000,
]


@every_dialect
@pytest.mark.parametrize("text", HUGE, ids=lambda text: text[:24].encode("ascii", "replace").decode())
@pytest.mark.timeout(20)
def test_a_megabyte_is_answered(dialect: Dialect, text: str) -> None:
    answer = dialect.parse(text)
    if isinstance(answer, ParseError):
        assert 0 <= answer.position <= len(text)
        assert 0 < len(answer.nearest) < 600
        assert len(answer.reason) < 400
    dialect.complete(text, None)


@every_dialect
def test_a_long_text_is_typed_whole(dialect: Dialect) -> None:
    action = actions.Type(target=ElementRef(id=5), text="múltiple [brackets] 'and' \"quotes\"\n" * 20_000)
    assert dialect.parse(dialect.format(action)) == action
    assert not dialect.format(action).startswith("{")


@every_dialect
def test_the_rules_that_plug_ins_are_asked(dialect: Dialect) -> None:
    assert help_kept(dialect)
    assert shared_notation(dialect)
    assert errors_help(dialect)
    assert renders(dialect)


@settings(max_examples=examples(100), deadline=None)
@given(action=any_action)
def test_references_are_dropped_without_harm(action: Action) -> None:
    assert map_references(action, lambda reference: reference) == action
    moved = without_id(action)
    source = msgspec.to_builtins(action)
    for field in ("target", "source"):
        if source.get(field, {}).keys() - {"id"}:
            assert getattr(moved, field).id is None


def test_a_fingerprint_is_kept_by_json_and_left_out_of_the_wording() -> None:
    action = actions.Click(target=ElementRef(id=12, role="button", name="Go", box=Box(1, 2, 3, 4)))
    dialect = DIALECTS[0]
    assert dialect.format(action).startswith('{"verb": "click"')
    assert wording(dialect, action) == "click [12]"


def test_a_radio_button_keeps_its_verb_in_the_wording() -> None:
    chosen = actions.Check(target=ElementRef(field="agree", option="3", role="radio", name="Often"))
    assert wording(DIALECTS[2], chosen) == 'modify_radio("agree", "3")'
    assert wording(DIALECTS[0], chosen).startswith('{"verb": "check"')


@every_dialect
@settings(max_examples=examples(100), deadline=None)
@given(action=any_action)
def test_every_wording_is_an_action_of_the_same_kind(dialect: Dialect, action: Action) -> None:
    assert type(dialect.parse(wording(dialect, action))) is type(action)

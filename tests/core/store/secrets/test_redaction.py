"""Secrets are nowhere in the store: not in steps, not in blobs, not in names."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import msgspec
import pytest
import zstandard

from webbench.core.action.action import Action, ElementRef, Press, Type
from webbench.core.errors import BadData
from webbench.core.model_call import ModelCall, SentMessage, ToolUse
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.store.records import codec
from webbench.core.store.records.blobs import BlobStore
from webbench.core.store.secrets.redaction import MARKER, Redaction
from webbench.core.store.store import Store
from webbench.core.trajectory import Step

SECRETS = ["hunter2-Über", "a b&c<d>\"e'f", r"back\slash]1", "密码密码", "p@ss/w+rd?=1"]


def field(value: str | None = None, **attributes: str) -> AccessibilityNode:
    return AccessibilityNode(
        id=5,
        role="textbox",
        name="Password",
        value=value,
        depth=2,
        tag="input",
        attributes={"type": "password"} | attributes,
    )


def login(*nodes: AccessibilityNode, focused: int | None = None) -> Observation:
    root = AccessibilityNode(id=1, role="RootWebArea", name="Log in")
    return Observation(nodes=(root, *nodes), focused=focused)


def act(action: Action, text: str, **more: Any) -> Step:
    return Step(index=1, at="", text=text, action=action, **more)


def everything(root: Path) -> bytes:
    """All bytes of all files, blobs also unpacked."""
    found = []
    blobs = BlobStore(root)
    for path in root.rglob("*"):
        found.append(str(path).encode("utf-8", "surrogateescape"))
        if path.is_file():
            found.append(path.read_bytes())
            if path.suffix == ".zst":
                found.append(blobs.get(path.name.partition(".")[0]))
    return b"\n".join(found)


def spellings(secret: str) -> set[bytes]:
    import html
    import json

    texts = {secret, html.escape(secret), quote_plus(secret), json.dumps(secret)[1:-1], repr(secret)[1:-1]}
    texts |= {json.dumps(text)[1:-1] for text in texts}
    return {text.encode() for text in texts}


@pytest.mark.parametrize("secret", SECRETS)
def test_what_is_typed_into_a_password_field_is_nowhere(store: Store, begin, step, secret: str) -> None:
    import html
    import json

    recorder = begin(store)
    recorder.write(step(0), observation=login(field()), html='<input type="password">')
    typed = act(
        Type(target=ElementRef(id=5), text=secret),
        f"fill('5', {secret!r})",
        reasoning=f"the password is {secret}",
        calls=(
            ModelCall(
                model="m",
                messages=(SentMessage(role="user", text=f"Use {secret}."),),
                reply=f"type [5] [{secret}]",
                tools=(ToolUse(name="act", arguments=json.dumps({"action": secret})),),
            ),
        ),
        prompt=json.dumps({"observation": secret}),
        reply=json.dumps(json.dumps({"text": secret})),
        url=f"http://127.0.0.1/login?password={quote_plus(secret)}",
        evidence={"form": {"password": secret}, secret: 1},
    )
    shown = login(field(value=secret), AccessibilityNode(id=9, role="StaticText", name=f"You are {secret}"))
    page = f'<input type="password" value="{html.escape(secret)}"><p>{html.escape(secret)}</p>'
    recorder.write(typed, observation=shown, html=page)
    recorder.write(msgspec.structs.replace(step(2), note=f"again {secret}"), html=f"<i>{secret}</i>")
    header = recorder.revise(settings={"credentials": secret})
    recorder.finish(None, f"ended with {secret}")
    store.episodes()

    written = everything(store.root)
    for spelling in spellings(secret):
        assert spelling not in written, spelling
    trajectory = store.load(recorder.folder)
    assert trajectory.problems == ()
    (action,) = [step.action for step in trajectory.steps if step.action]
    assert isinstance(action, Type)
    assert (action.text, action.target) == (MARKER, ElementRef(id=5))
    assert trajectory.steps[1].reasoning == f"the password is {MARKER}"
    assert header.settings == {"credentials": MARKER}
    assert store.observation(trajectory, trajectory.steps[1]).nodes[2].name == f"You are {MARKER}"


def test_a_password_in_relevant_html_is_masked(store: Store, begin, step) -> None:
    around = {"pw": '<p>Password<input type="password" name="pw" value="prefilled-9"></p>'}
    recorder = begin(store)
    recorder.write(step(0), observation=msgspec.structs.replace(login(field()), relevant_html=around))
    recorder.finish(None, "done")
    assert b"prefilled-9" not in everything(store.root)
    trajectory = store.load(recorder.folder)
    assert MARKER in store.observation(trajectory, trajectory.steps[0]).relevant_html["pw"]


def test_what_the_caller_is_given_back_is_what_was_written(store: Store, begin, step) -> None:
    recorder = begin(store)
    recorder.write(step(0), observation=login(field()))
    typed = recorder.write(act(Type(target=ElementRef(id=5), text="hunter2"), "type [5] [hunter2]"))
    assert typed == store.load(recorder.folder).steps[1]
    assert typed.text == f"type [5] [{MARKER}]"


@pytest.mark.parametrize(
    "target",
    [
        None,
        ElementRef(field="pw"),
        ElementRef(selector="form > #secret"),
        ElementRef(selector="input[type='password']"),
        ElementRef(name="Password"),
        ElementRef(id=77, secret=True),
    ],
)
def test_a_password_field_is_known_however_it_is_named(store: Store, begin, step, target) -> None:
    recorder = begin(store)
    recorder.write(step(0), observation=login(field(name="pw", id="secret"), focused=5))
    recorder.write(act(Type(target=target, text="hunter2"), "hunter2"))
    recorder.close()
    assert b"hunter2" not in everything(store.root)


@pytest.mark.parametrize("secret", ["x", "abc"])
def test_a_short_password_is_replaced_where_it_was_typed(store: Store, begin, step, secret: str) -> None:
    recorder = begin(store)
    recorder.write(step(0), observation=login(field()))
    typed = recorder.write(
        act(
            Type(target=ElementRef(id=5), text=secret),
            f"type [5] [{secret}]",
            proposed=f"type {secret}",
            reply=f"```type [5] [{secret}]```",
            calls=(ModelCall(model="m", reply=f"```type [5] [{secret}]```"),),
            agent_state={"plan": f"type {secret}"},
        ),
        observation=login(
            field(value=secret), AccessibilityNode(id=6, role="StaticText", name=secret, depth=3)
        ),
        html=f"<input type=password value={secret}>",
    )
    assert (typed.text, typed.proposed) == (MARKER, MARKER)
    assert (typed.reply, typed.calls[0].reply) == (MARKER, MARKER)
    assert typed.agent_state == {}
    assert isinstance(typed.action, Type)
    assert typed.action.text == MARKER
    trajectory = store.load(recorder.folder)
    nodes = store.observation(trajectory, typed).nodes
    assert [(node.name, node.value) for node in nodes[1:]] == [("Password", MARKER), (MARKER, None)]
    assert store.html(trajectory, typed) == f'<input type=password value="{MARKER}">'


def test_a_password_that_is_typed_key_by_key_is_not_recorded(store: Store, begin, step) -> None:
    recorder = begin(store)
    recorder.write(step(0), observation=login(field(), focused=5))
    pressed = [recorder.write(act(Press(keys=key), f"press [{key}]")) for key in ("q", "Shift+Q", "7")]
    enter = recorder.write(act(Press(keys="Enter"), "press [Enter]"))
    chord = recorder.write(act(Press(keys="Control+a"), "press [Control+a]"))
    assert [step.text for step in pressed] == [MARKER] * 3
    assert all(isinstance(step.action, Press) and step.action.keys == MARKER for step in pressed)
    assert (enter.text, chord.text) == ("press [Enter]", "press [Control+a]")


def test_other_fields_are_recorded_as_they_are(store: Store, begin, step) -> None:
    recorder = begin(store)
    name = AccessibilityNode(id=4, role="textbox", name="User", attributes={"type": "text"})
    recorder.write(step(0), observation=login(name, field()))
    typed = recorder.write(act(Type(target=ElementRef(id=4), text="alice"), "type [4] [alice]"))
    assert typed.text == "type [4] [alice]"


def test_patterns_and_credentials_are_redacted_everywhere(tmp_path: Path, begin, step) -> None:
    redaction = Redaction([r"sk-[A-Za-z0-9]{8,}", r"(?i)bearer \S+"], ["s3same-open"])
    store = Store(tmp_path / "store", redaction)
    run = store.start_run("shop", "model sk-abcdefgh1", 1, settings={"key": "sk-abcdefgh1"})
    recorder = begin(store, run=run, name="open with s3same-open")
    note = msgspec.structs.replace(
        step(0), prompt="Authorization: Bearer abc.def", note="sk-12345678 s3same-open"
    )
    seen = login(
        AccessibilityNode(id=2, role="link", name="sk-12345678", attributes={"href": "/?k=s3same-open"})
    )
    recorder.write(note, observation=seen, html="<a href='?k=sk-12345678'>s3same-open</a>")
    download = tmp_path / "download"
    download.write_bytes(b"x" * ((1 << 20) - 5) + b"s3same-open" + b"y" * 100)
    kept = recorder.keep_file(download)
    recorder.finish(None, "done")
    written = everything(store.root)
    for secret in (b"s3same-open", b"sk-1234", b"sk-abcdefgh1", b"abc.def"):
        assert secret not in written
    assert (recorder.folder / kept).read_bytes().endswith(f"x{MARKER}".encode() + b"y" * 100)


@pytest.mark.parametrize("secret", ["type", "click", "script", "human", "agent", "crashed", "error", "info"])
def test_a_password_that_is_a_word_of_the_format_leaves_the_record_readable(
    store: Store, begin, step, secret: str
) -> None:
    recorder = begin(store)
    recorder.write(step(0), observation=login(field()))
    seen = msgspec.structs.replace(login(field(value=secret)), source="script", condition="crashed")
    typed = act(Type(target=ElementRef(id=5), text=secret), secret, actor="human")
    recorder.write(typed, observation=seen)
    recorder.finish(None, "done")
    trajectory = store.load(recorder.folder)
    assert trajectory.problems == ()
    assert (trajectory.steps[1].actor, trajectory.steps[1].text) == ("human", MARKER)
    assert store.observation(trajectory, trajectory.steps[1]).condition == "crashed"


def test_a_record_without_secrets_is_the_same_object() -> None:
    seen = login(field(value="•••"))
    assert Redaction().record(seen) is seen
    assert Redaction(secrets=["unrelated"]).record(seen) is seen


def test_a_record_that_is_nested_too_deeply_is_refused_in_words(step) -> None:
    state: dict[str, object] = {}
    for _ in range(2_000):
        state = {"a": state}
    with pytest.raises(BadData, match="nested too deeply"):
        Redaction(secrets=["lavender"]).record(msgspec.structs.replace(step(0), agent_state=state))


def test_episodes_do_not_share_what_was_typed(store: Store, begin, step) -> None:
    first = begin(store)
    first.redact({"lavender"})
    assert first.write(msgspec.structs.replace(step(0), note="lavender")).note == MARKER
    second = begin(store)
    assert second.write(msgspec.structs.replace(step(0), note="lavender tea")).note == "lavender tea"


@pytest.mark.parametrize("pattern", ["(", "a*", "[z-a]"])
def test_a_pattern_that_is_none_or_matches_everything_is_refused(pattern: str) -> None:
    with pytest.raises(BadData, match="redaction pattern"):
        Redaction([pattern])


def test_redacted_observations_are_ordinary_blobs(store: Store, begin, step) -> None:
    recorder = begin(store)
    recorder.redact({"marigold"})
    recorded = recorder.write(
        step(0), observation=login(AccessibilityNode(id=2, role="link", name="marigold"))
    )
    path = next(store.blobs.folder.rglob(f"{recorded.observation}.zst"))
    unpacked = zstandard.ZstdDecompressor().decompress(path.read_bytes())
    assert codec.decode(unpacked, Observation).nodes[1].name == MARKER


def test_a_password_that_the_task_itself_tells_leaves_its_words_as_they_are(
    store: Store, begin, step
) -> None:
    told = 'Enter the password "b7Xq2" and press login.'
    recorder = begin(store)
    recorder.revise(task=msgspec.structs.replace(recorder.header.task, intent=told))
    recorder.write(step(0), observation=login(field()))
    recorder.write(act(Type(target=ElementRef(id=5), text="b7Xq2"), "type [5] [b7Xq2]"))
    recorder.finish(None, "done")
    assert recorder.header.task.intent == told

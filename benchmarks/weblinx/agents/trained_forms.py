"""Asking models in the forms that WebLINX' published checkpoints were trained on (appendix B.5).

`chat`: page, instructions and candidates are the system's message, the latest turns are messages of user and
assistant. `instruct`: all of it is one text that ends with "Assistant:". `template`: a published file such as
`templates/llama.txt` of the data set, filled in. `picture`: the text is drawn above the screenshot, as
Pix2Act reads it, and coordinates are what it answers. `mindact`: page and choices in Mind2Web's format, the
history as calls of one kind (B.8.1). The sentences of `chat`, `instruct` and `mindact` are ours, in the
prompts `weblinx/trained` and `weblinx/mindact`; whoever has those of the appendix gives a prompt of that name
in a folder.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from webbench.benchmarks.weblinx.agents.described_actions import ACTIONS
from webbench.benchmarks.weblinx.agents.mindact_text import MindActText, mindact_text
from webbench.benchmarks.weblinx.agents.optimal_text import Budgets, TrainedText, header_text, trained_text
from webbench.benchmarks.weblinx.benchmark import WebLINXBenchmark
from webbench.benchmarks.weblinx.candidates.candidates import SHOWN
from webbench.benchmarks.weblinx.candidates.encoder_text import StateText
from webbench.benchmarks.weblinx.demonstrations.turn_observation import page_markup
from webbench.benchmarks.weblinx.pages.accessibility_tree import parsed
from webbench.benchmarks.weblinx.turns.history_window import INSTRUCTOR
from webbench.core.agent import AgentView
from webbench.core.agents.model.prompts import Prompt
from webbench.core.errors import BadData, UsageError
from webbench.core.model_call import Role
from webbench.core.models.chat import Message, Picture

if TYPE_CHECKING:
    from PIL.Image import Image

Form = Literal["own", "chat", "instruct", "template", "picture", "mindact"]
LARGEST_TEMPLATE = 1 << 20
"""Bytes."""
FIELDS = ("clean_html", "utterances", "viewport", "candidates", "action_history")
"""What a published template may have between curly brackets."""
_FIELD = re.compile(r"\{(\w+)\}")
_ROLES: dict[str, Role] = {INSTRUCTOR: "user"}
HEADER_FONT, HEADER_MARGIN, HEADER_LINE = 36, 5, 80
"""Pixels, pixels, characters: as Pix2Struct draws a header (its published processor)."""


class TurnInHand(msgspec.Struct, frozen=True):
    """The present turn's text, its state, that in one line for a header, and its text for MindAct."""

    text: TrainedText
    state: StateText
    header: str
    mindact: MindActText | None = None


def turn_in_hand(
    benchmark: WebLINXBenchmark, view: AgentView, budgets: Budgets, *, mindact: bool = False
) -> TurnInHand:
    """Of what was recorded up to now: nothing after it is read. Raises `BadData` where it can't be read.

    Args:
        mindact: make its text for MindAct, too.
    """
    name = str(view.task.data.get("demonstration", view.task.name))
    course, candidates = benchmark.opened(name)
    index = len(view.observation.dialogue)
    state = StateText(view.observation.viewport, view.observation.dialogue)
    if index >= len(course.turns):
        raise BadData("the demonstration is over")
    texts = benchmark.candidate_texts(course, index)
    ranked = candidates(name, index, state, texts)[:SHOWN]
    markup = page_markup(course, index)
    root = parsed(markup) if markup else None
    before = course.turns[:index]
    chosen = [text for text, _ in ranked]
    text = trained_text(before, chosen, root, budgets)
    other = mindact_text(before, chosen, root, budgets) if mindact else None
    return TurnInHand(text, state, header_text(before, state), other)


def trained_messages(
    form: Form,
    prompt: Prompt,
    turn: TurnInHand,
    view: AgentView,
    *,
    template: str = "",
    described: bool = False,
    examples: str = "",
    pictures: Sequence[Picture] = (),
) -> list[Message]:
    """What the model is sent; pictures go with its last message. Raises `BadData` as `Prompt.messages`."""
    if form == "template":
        return [Message(role="user", text=filled(template, turn), pictures=tuple(pictures))]
    if form == "picture":
        return [Message(role="user", text="", pictures=(under_header(view, turn.header),))]
    if form == "mindact" and turn.mindact is not None:
        parts: dict[str, object] = msgspec.structs.asdict(turn.mindact)
        head, *end = prompt.messages(parts)
        said = [Message(role="assistant", text=turn.mindact.history), *end]
        return [Message(role="user", text=flattened(head.text, said), pictures=tuple(pictures))]
    size = turn.state.viewport
    fields: dict[str, object] = {
        "page": turn.text.page,
        "utterances": turn.text.utterances,
        "candidates": turn.text.candidates,
        "height": size.height,
        "width": size.width,
        "actions": list(ACTIONS.values()),
        "described": described,
        "examples": examples,
    }
    system, *rest = prompt.messages(fields)
    last = rest[-1].text if rest else ""
    turns = merged(turn.text.turns, last)
    if form == "instruct":
        return [Message(role="user", text=flattened(system.text, turns), pictures=tuple(pictures))]
    turns[-1] = msgspec.structs.replace(turns[-1], pictures=tuple(pictures))
    return [system, *turns]


def merged(turns: Sequence[tuple[str, str]], last: str) -> list[Message]:
    """Turns in a row of one speaker are one message; the last message is the user's, and ends with `last`."""
    found: list[Message] = []
    for speaker, text in (*turns, (INSTRUCTOR, last)):
        role = _ROLES.get(speaker, "assistant")
        if found and found[-1].role == role:
            found[-1] = msgspec.structs.replace(found[-1], text=f"{found[-1].text} {text}".strip())
        else:
            found.append(Message(role=role, text=text))
    if found[0].role == "assistant":
        # Chat templates of models want user and assistant in turn, the user first.
        found.insert(0, Message(role="user", text=""))
    return found


def flattened(system: str, turns: Sequence[Message]) -> str:
    """One text: "User: …" and "Assistant: …", and at its end an "Assistant:" that the model goes on from."""
    told = "".join(f"{one.role.capitalize()}: {one.text}\n" for one in turns if one.text)
    return f"{system}\n{told}\nAssistant:"


def read_template(path: str) -> str:
    """A published template. Raises `UsageError` where it isn't there, or has fields that nothing fills."""
    file = Path(path).expanduser()
    try:
        if not path or file.stat().st_size > LARGEST_TEMPLATE:
            raise UsageError(f"{path or 'no file'} is no template", "template=FILE names one")
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the template {file} can't be read: {error}") from error
    unknown = sorted(set(_FIELD.findall(text)) - set(FIELDS))
    if unknown or not _FIELD.search(text):
        what = f"fields that nothing fills: {', '.join(unknown)}" if unknown else "no field"
        raise UsageError(f"the template {file} has {what}", f"its fields may be {', '.join(FIELDS)}")
    return text


def filled(template: str, turn: TurnInHand) -> str:
    """The template with its fields; curly brackets in what fills them mean nothing."""
    size = turn.state.viewport
    values = {
        "clean_html": turn.text.page,
        "utterances": turn.text.utterances,
        "viewport": f"{size.height}h x {size.width}w",
        "candidates": turn.text.candidates.rstrip("\n"),
        "action_history": " ".join(text for _, text in turn.text.turns),
    }
    return _FIELD.sub(lambda found: values[found[1]], template)


def under_header(view: AgentView, text: str) -> Picture:
    """The screenshot with the text drawn above it, both of one width; without one the text alone."""
    from PIL import Image

    parts = [drawn_text(text)]
    if view.screenshot is not None:
        with Image.open(io.BytesIO(view.screenshot.data)) as opened:
            parts.append(opened.convert("RGB"))
    width = max(part.width for part in parts)
    parts = [part.resize((width, max(1, round(part.height * width / part.width)))) for part in parts]
    whole = Image.new("RGB", (width, sum(part.height for part in parts)), "white")
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height
    stream = io.BytesIO()
    whole.save(stream, "PNG")
    return Picture(
        data=stream.getvalue(),
        format="png",
        width=whole.width,
        height=whole.height,
        note="with its header drawn above it",
    )


def drawn_text(text: str) -> Image:
    """Black on white, wrapped at 80 characters."""
    from PIL import Image, ImageDraw, ImageFont

    lines = "\n".join(textwrap.wrap(text, HEADER_LINE)) or " "
    font = ImageFont.load_default(HEADER_FONT)
    left, top, right, bottom = ImageDraw.Draw(Image.new("RGB", (1, 1))).textbbox((0, 0), lines, font)
    size = (int(right - left) + 2 * HEADER_MARGIN, int(bottom - top) + 2 * HEADER_MARGIN)
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text((HEADER_MARGIN - left, HEADER_MARGIN - top), lines, "black", font)
    return picture

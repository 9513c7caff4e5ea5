"""A call of a model in words: what a person reads of it."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.model_call import ModelCall, SentPicture
from webbench.core.text.plural import counted


def asked_text(call: ModelCall) -> str:
    """The prompt, message by message under the role of each, pictures named at the end of theirs."""
    parts = []
    for message in call.messages:
        pictures = [f"[{picture_words(picture)}]" for picture in message.pictures]
        parts.append("\n".join([f"--- {message.role}", message.text, *pictures]))
    return "\n\n".join(parts)


def answer_text(call: ModelCall) -> str:
    """What came back: the model's reasoning, its text, the tools it called, and what went wrong."""
    thinking = f"(thinking) {call.thinking}" if call.thinking else ""
    tools = [f"(tool) {tool.name}({tool.arguments})" for tool in call.tools]
    error = f"(no reply: {call.error})" if call.error else ""
    cut = "(cut off at the limit of tokens)" if call.finish == "length" else ""
    return "\n".join(filter(None, (thinking, call.reply, *tools, cut, error)))


def picture_words(picture: SentPicture) -> str:
    """`screenshot of step 3, 1280 x 720, boxes drawn`."""
    what = "picture" if picture.step is None else f"screenshot of step {picture.step}"
    size = f"{picture.width} x {picture.height}" if picture.width else ""
    return ", ".join(filter(None, (what, size, picture.note)))


def call_facts(call: ModelCall) -> str:
    """`plan: gpt-x at api.example.org, 1,602 in, 105 out, $0.0096, 2.9 s, 2 requests`."""
    who = f"{call.model} at {call.host}" if call.host else call.model
    facts = [
        "" if call.prompt_tokens is None else f"{call.prompt_tokens:,} in",
        "" if call.completion_tokens is None else f"{call.completion_tokens:,} out",
        "" if call.cost is None else f"${call.cost:.4f}",
        f"{call.seconds:.1f} s",
        counted(call.attempts, "request") if call.attempts > 1 else "",
    ]
    told = ", ".join(filter(None, (who, *facts)))
    return f"{call.purpose}: {told}" if call.purpose else told


def call_texts(calls: Sequence[ModelCall]) -> list[tuple[str, str]]:
    """Heading and text of each part of the calls in order: what was sent, what came back.

    Headings are "prompt" and "reply", numbered and with their purpose where there are several.
    """
    texts = []
    for number, call in enumerate(calls, 1):
        mark = f" {number}" if len(calls) > 1 else ""
        mark += f" ({call.purpose})" if call.purpose else ""
        texts.append((f"reply{mark}", f"{answer_text(call)}\n{call_facts(call)}".strip()))
        texts.append((f"prompt{mark}", asked_text(call)))
    return [(heading, text) for heading, text in texts if text]

"""FanOutQA's questions as AssistantBench's second development set: the same answers in this benchmark's form.

Paper, section 5.2 and appendix A.7. A published row has `id`, `question`, `decomposition` (the questions that
it falls into, each with its `answer` and the `evidence`, a page of Wikipedia), `answer` and `categories`. The
paper keeps answers that are a dictionary of at most five entries, and turns `{"Albania": 67, …}` into a list
of dictionaries with the same keys. It names those keys by hand (`Country`) and does not publish them: here
they are `name` and `value`, and the question says so.

The paper then leaves out what a model answers from memory, and by hand what is ambiguous or outdated. Its 31
questions are not published.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.json_types import Json, JsonObject

SPLIT = "fanoutqa"
KEYS = ("question", "decomposition", "categories")
"""Of every published row; no file of AssistantBench's own has the first two."""
MOST_ENTRIES = 5
MOST_PARTS = 200
"""Questions that one may fall into, in all; the longest published one has 46."""
NAME, VALUE = "name", "value"
_FORM = f'Answer with a list of dictionaries with the keys "{NAME}" and "{VALUE}".'

NO_DICTIONARY = "the answer is no dictionary (paper, appendix A.7)"
TOO_MANY = f"the answer has more than {MOST_ENTRIES} entries (paper, appendix A.7)"


def is_fanoutqa(row: JsonObject) -> bool:
    """Whether a record is one of FanOutQA's."""
    return all(key in row for key in KEYS)


def as_question(row: JsonObject) -> JsonObject | str:
    """The row as a line of AssistantBench's own file, or why the paper leaves it out."""
    answer = row.get("answer")
    if not isinstance(answer, dict) or not answer:
        return NO_DICTIONARY
    if len(answer) > MOST_ENTRIES:
        return TOO_MANY
    if any(isinstance(value, (dict, list)) or value is None for value in answer.values()):
        return NO_DICTIONARY
    parts = list(_parts(row.get("decomposition")))
    question = row["question"]
    return {
        "id": row.get("id"),
        "task": f"{question.strip()} {_FORM}" if isinstance(question, str) else question,
        "set": SPLIT,
        "answer": "\n".join(_line(name, value) for name, value in answer.items()),
        "gold_url": [url for part in parts if (url := _page(part))],
        "explanation": "\n".join(_step(part) for part in parts),
    }


def _line(name: str, value: Json) -> str:
    """An entry as one line of a gold answer; what is true or false is a word, as people answer it."""
    told = ("Yes" if value else "No") if isinstance(value, bool) else value
    return msgspec.json.encode({NAME: name, VALUE: told}).decode()


def _parts(parts: Json) -> Iterator[JsonObject]:
    """The questions that one falls into, those within them first, at most `MOST_PARTS`."""
    waiting: list[tuple[Json, bool]] = (
        [(part, False) for part in reversed(parts)] if isinstance(parts, list) else []
    )
    given = 0
    while waiting and given < MOST_PARTS:
        part, opened = waiting.pop()
        if not isinstance(part, dict):
            continue
        inner = part.get("decomposition")
        if isinstance(inner, list) and inner and not opened:
            waiting.append((part, True))
            waiting += [(one, False) for one in reversed(inner)]
            continue
        given += 1
        yield part


def _page(part: JsonObject) -> str:
    evidence = part.get("evidence")
    url = evidence.get("url") if isinstance(evidence, dict) else None
    return url if isinstance(url, str) else ""


def _step(part: JsonObject) -> str:
    answer = part.get("answer")
    told = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
    return f"{part.get('question', '')} {told}"

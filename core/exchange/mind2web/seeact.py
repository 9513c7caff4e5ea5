"""SeeAct's step data: a folder a step with `queries.jsonl`, mostly `prediction-*.jsonl`, and `images/`.

A query has the task, what the person had done before (`previous_actions`), what they did next (`operation`,
`pos_candidates`), the page (`cleaned_html`) and a batch of elements to choose from (`choices`); all queries
of a folder are batches of one step. A prediction is the model's talk about one batch, whose last part ends
with `ELEMENT: <letter>`, `ACTION:`, `VALUE:`; the letter after the last choice means none of them. Each step
becomes two episodes, the person's and the model's, with the person's steps before it in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.errors import BadData
from webbench.core.exchange.account.kinds import Kind
from webbench.core.exchange.account.tally import Lost, Tally
from webbench.core.exchange.episode_building import (
    foreign_header,
    lose_action,
    numbered,
    picture_in,
    text_of,
)
from webbench.core.exchange.foreign_terms import recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, ImportedStep, Picture
from webbench.core.exchange.mind2web.mind2web import (
    BENCHMARK,
    action_for,
    attributes_of,
    box_of,
    steps_before,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.html_tree import nodes_of_markup, role_of
from webbench.core.json_types import Json, JsonObject, objects_in
from webbench.core.observation import Box, Observation
from webbench.core.task import Task
from webbench.core.trajectory import Step

QUERIES = "queries.jsonl"
IMAGES = "images"
MOST_QUERIES = 1_000
ACTOR = "SeeAct"
NO_SCORE = "the source gives no score"
_ANSWER = re.compile(r"ELEMENT: ?([A-Z]{1,2})\b.*?ACTION: ?([A-Z ]+)\s+VALUE: ?(.*)", re.DOTALL)
_PREDICTIONS = re.compile(r"^prediction.*\.jsonl$")


class Answer(msgspec.Struct, frozen=True):
    """What the model said of a batch.

    Attributes:
        choice: place among the batch's choices from 0.
    """

    batch: int
    choice: int
    op: str
    value: str
    analysis: str
    reply: str


KEPT = "the queries and the model's words are kept with each episode, as files"
LARGEST_KEPT = 64 * 1024 * 1024


class SeeAct:
    name = "seeact"
    title = "SeeAct's steps of Mind2Web"
    looks_like = (
        "a folder with queries.jsonl: confirmed_task, previous_actions, choices; prediction-4api.jsonl"
    )

    def claim(self, place: Place) -> Claim | None:
        if place.is_folder:
            return None
        if place.name == QUERIES:
            return Claim() if place.has_text('"confirmed_task"', '"annotation_id"') else None
        if _PREDICTIONS.match(place.name) and place.has_text('"multichoice_id"', '"gpt_output"'):
            if QUERIES in place.parent.names:
                return Claim("companion", f"what the model said to {QUERIES}")
            return Claim("refused", f"predictions alone: the {QUERIES} that they answer is not beside them")
        if place.parent.name == IMAGES and QUERIES in place.parent.parent.names:
            return Claim("companion", "a screenshot of SeeAct")
        listed = place.has_text('"confirmed_task"', '"website"', '"task_id"')
        return Claim("companion", "a list of SeeAct's online tasks", 0.5) if listed else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        queries = _objects(place)
        if not queries:
            raise BadData(f"{place} holds no query that can be read")
        folder = place.parent
        names = sorted(name for name in folder.names if _PREDICTIONS.match(name))
        files = tuple(
            ImportedFile(one.name, one.read(LARGEST_KEPT)) for one in (place, *(folder / n for n in names))
        )
        lost = place.tally.losses()
        _count(queries, place.tally, 1)
        whole = _with_page(queries)
        yield _with(files, _persons_episode(whole, folder, lost))
        if not names:
            return
        lost = place.tally.losses()
        for name in names[1:]:
            lost.lose("files", f"{name}: only {names[0]} is read")
        predictions = _objects(folder / names[0])
        _count(queries, place.tally, 1)
        _count_model(predictions, folder, place.tally)
        yield _with(files, _models_episode(whole, predictions, folder, lost))


def create() -> SeeAct:
    """The entry point."""
    return SeeAct()


def _with(files: tuple[ImportedFile, ...], episode: ImportedEpisode) -> ImportedEpisode:
    episode.files = files
    return episode


def _with_page(queries: list[JsonObject]) -> list[JsonObject]:
    """The first query has the page, be it that of a later one: all are about one page."""
    found = (page for query in queries if text_of(page := query.get("cleaned_html")))
    return [queries[0] | {"cleaned_html": next(found, "")}, *queries[1:]]


def _count(queries: list[JsonObject], tally: Tally, episodes: int) -> None:
    """All queries are about one step, on one page; each episode has the person's steps before it."""
    before = queries[0].get("previous_actions")
    tally.count("episodes", episodes)
    tally.count("steps", 1 + (len(before) if isinstance(before, list) else 0))
    tally.count("actions", 1 + (len(before) if isinstance(before, list) else 0))
    pages = [bool(text_of(query.get("cleaned_html"))) for query in queries]
    kinds: tuple[Kind, ...] = ("trees", "html")
    for kind in kinds:
        tally.count(kind, sum(pages))
        tally.again(kind, f"further batches of choices on the same page; {KEPT}", max(0, sum(pages) - 1))
    tally.retold("pictures", "one picture a batch; the one that was answered stands with the step")
    tally.value("confirmed_task", queries[0].get("confirmed_task"))


def _count_model(predictions: list[JsonObject], folder: Place, tally: Tally) -> None:
    """What the model said of each batch; one of them is the step's."""
    tally.count("pictures", sum(name.endswith(".jpg") for name in (folder / IMAGES).names))
    tally.count("prompts", sum(bool(row.get("prompt")) for row in predictions))
    tally.again("prompts", KEPT, sum(bool(row.get("prompt")) for row in predictions))
    tally.count("replies", sum(bool(row.get("gpt_output")) for row in predictions))
    tally.retold("replies", f"one a batch; {KEPT}")
    tally.count("reasoning", sum(bool(row.get("gpt_output")) for row in predictions))
    tally.retold("reasoning", f"one a batch; {KEPT}")


def _objects(place: Place) -> list[JsonObject]:
    """The objects of a file of JSON lines as far as it can be read. Raises `BadData` where there are none."""
    found: list[JsonObject] = []
    try:
        for number, line in place.lines():
            if line.strip() and len(found) < MOST_QUERIES:
                found += _object(place, number, line)
    except BadData as error:
        if not found:
            raise
        place.tell(str(error))
    return found


def _object(place: Place, number: int, line: bytes) -> list[JsonObject]:
    """The one of a line, none where it holds something else, which is told."""
    try:
        value = place.line_json(number, line)
    except BadData as error:
        place.tell(str(error))
        return []
    return [value] if isinstance(value, dict) else []


def _task(query: JsonObject) -> Task:
    before = query.get("previous_actions")
    return Task(
        benchmark=BENCHMARK,
        name=text_of(query.get("annotation_id")),
        instance=len(before) + 1 if isinstance(before, list) else None,
        intent=text_of(query.get("confirmed_task")),
        site=text_of(query.get("website")),
        data={"action_uid": text_of(query.get("action_uid"))},
        gold={"operation": query.get("operation"), "elements": query.get("pos_candidates")},
    )


def _persons_episode(queries: list[JsonObject], folder: Place, lost: Lost) -> ImportedEpisode:
    header = foreign_header(
        _task(queries[0]),
        "human",
        score=recorded_score(None, "", "a person's step is what models are held to"),
    )
    return ImportedEpisode(header, numbered(_persons_steps(queries[0], folder, lost)), lost)


def _persons_steps(query: JsonObject, folder: Place, lost: Lost) -> Iterator[ImportedStep]:
    seen = _observation(query)
    yield from _steps_before_query(
        query, seen, picture_in(folder / IMAGES, "0.jpg", lost, full_page=True), lost
    )
    operation = query.get("operation")
    done = operation if isinstance(operation, dict) else {}
    op, value = text_of(done.get("original_op") or done.get("op")), text_of(done.get("value"))
    wanted = query.get("pos_candidates")
    target = _candidate(wanted[0], seen) if isinstance(wanted, list) and wanted else None
    if target is None:
        lost.append("the person's element: it is not among the candidates")
    text = f"[{target.role}]  {target.name} -> {op}" if target else op
    action = action_for(op, target or ElementRef(), value)
    if not op:
        lost.lose("actions", "the query names no operation")
    elif action is None:
        lose_action(lost, text)
    yield ImportedStep(
        Step(index=0, at="", actor="human", text=f"{text}: {value}" if value else text, action=action)
    )


def _steps_before_query(
    query: JsonObject, seen: Observation, picture: Picture | None, lost: Lost
) -> Iterator[ImportedStep]:
    """The person's steps before; the last of them leads to the page that the query is about."""
    before = list(steps_before(query.get("previous_actions"), lost))
    yield from before[:-1]
    markup = text_of(query.get("cleaned_html"))
    if markup and not seen.nodes:
        lost.lose("trees", "no element of the page can be read")
    yield msgspec.structs.replace(before[-1], observation=seen, picture=picture, html=markup)


def _observation(query: JsonObject) -> Observation:
    listed = [one for name in ("pos_candidates", "neg_candidates") for one in objects_in(query.get(name))]
    boxes: dict[str, Box] = {}
    for one in listed:
        box = box_of(attributes_of(text_of(one.get("attributes"))).get("bounding_box_rect", ""))
        if box is not None:
            boxes[text_of(one.get("backend_node_id"))] = box
    nodes = nodes_of_markup(text_of(query.get("cleaned_html")), "backend_node_id", boxes)
    return Observation(title=text_of(query.get("website")), nodes=nodes)


def _candidate(candidate: Json, seen: Observation) -> ElementRef | None:
    if not isinstance(candidate, dict):
        return None
    found = _element(text_of(candidate.get("backend_node_id")), seen)
    if found is not None and found.name:
        return found
    attributes = attributes_of(text_of(candidate.get("attributes")))
    name = attributes.get("aria_label") or attributes.get("title") or ""
    role, box = role_of(text_of(candidate.get("tag"))), box_of(attributes.get("bounding_box_rect", ""))
    return ElementRef(id=found.id if found else None, role=role, name=name, box=box)


def _element(identity: str, seen: Observation) -> ElementRef | None:
    plain = identity.isascii() and identity.isdecimal() and len(identity) < 12
    node = seen.node(int(identity)) if plain else None
    return ElementRef(id=node.id, role=node.role, name=node.name, box=node.box) if node else None


def _models_episode(
    queries: list[JsonObject], predictions: list[JsonObject], folder: Place, lost: Lost
) -> ImportedEpisode:
    header = foreign_header(_task(queries[0]), ACTOR, score=recorded_score(None, "", NO_SCORE))
    return ImportedEpisode(header, numbered(_models_steps(queries, predictions, folder, lost)), lost)


def _models_steps(
    queries: list[JsonObject], predictions: list[JsonObject], folder: Place, lost: Lost
) -> Iterator[ImportedStep]:
    """The first batch of which the model takes an element is its step; what it said of others is told."""
    answers = [one for row in predictions if (one := _answer(row)) is not None]
    taken = next((one for one in answers if one.choice < len(_choices(queries, one.batch))), None)
    batch = taken.batch if taken else 0
    if len(queries) > 1:
        lost.append("pictures of the batches of elements that the model took none of")
    picture = picture_in(folder / IMAGES, f"{batch}.jpg", lost, full_page=True)
    seen = _observation(queries[0])
    yield from _steps_before_query(queries[0], seen, picture, lost)
    if taken is None:
        lost.lose("actions", "the model's step: it takes no element of any batch")
        reply = answers[0].reply if answers else ""
        error = "no element was taken"
        yield ImportedStep(Step(index=0, at="", actor="agent", ok=False, error=error, reply=reply))
        return
    step = _models_step(taken, _choices(queries, batch)[taken.choice], seen)
    if step.action is None:
        lose_action(lost, step.text)
    yield ImportedStep(step)


def _models_step(taken: Answer, choice: Json, seen: Observation) -> Step:
    identity, shown = _pair(choice)
    target = _element(identity, seen) or ElementRef(name=shown)
    action: Action | None = action_for(taken.op, target, taken.value)
    return Step(
        index=0,
        at="",
        actor="agent",
        text=f"{taken.op} {shown}" + (f": {taken.value}" if taken.value else ""),
        action=action,
        ok=action is not None,
        error="" if action is not None else f"{taken.op[:40]!r} is no operation that we know",
        reasoning=taken.analysis,
        reply=taken.reply,
    )


def _choices(queries: list[JsonObject], batch: int) -> list[Json]:
    listed = queries[batch].get("choices") if 0 <= batch < len(queries) else None
    return listed if isinstance(listed, list) else []


def _pair(choice: Json) -> tuple[str, str]:
    if isinstance(choice, list) and len(choice) == 2:
        return text_of(choice[0]), text_of(choice[1])
    return "", text_of(choice)


def _answer(row: JsonObject) -> Answer | None:
    batch, talk = row.get("multichoice_id"), row.get("gpt_output")
    if not isinstance(batch, int) or not isinstance(talk, list) or not talk:
        return None
    last = text_of(talk[-1])
    found = _ANSWER.search(last)
    if found is None:
        return None
    value = found[3].strip()
    return Answer(
        batch=batch,
        choice=_place_of(found[1]),
        op=found[2].strip(),
        value="" if value == "None" else value,
        analysis=text_of(talk[0]) if len(talk) > 1 else "",
        reply="\n\n".join(map(text_of, talk)),
    )


def _place_of(letters: str) -> int:
    """A is 0, Z 25, AA 26, as columns of a sheet."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1

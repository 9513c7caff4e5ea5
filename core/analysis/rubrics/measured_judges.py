"""Readers of one question side by side: rules, judges and people, each held against what people say.

Figures are of people's labels that were given without a verdict in sight, where most of them agree. Half of
the tasks are for developing a rubric (dev), the other half for telling how good it is (test).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from webbench.core.analysis.agreement.evaluator_verdicts import reliability
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode
from webbench.core.labels.codebook import Codebook
from webbench.core.labels.label import Label
from webbench.core.labels.settled import counting, most_say
from webbench.core.labels.taxonomy import MERGED, Code, Question, Taxonomy
from webbench.core.statistics.corrected_rate import corrected_rate
from webbench.core.statistics.estimates import Estimate, wilson
from webbench.core.statistics.figures import Column, Row, Section, Table
from webbench.core.statistics.inter_rater import cohen_kappa
from webbench.core.text.plural import counted

SCHEMA_VERSION = 1

Place = tuple[str, str]
Part = Literal["dev", "test"]
Kind = Literal["rule", "judge", "person"]

RATES = (
    Column("reader", "text"),
    Column("code", "text"),
    Column("episodes"),
    Column("given"),
    Column("no verdict", optional=True),
    Column("rate"),
    Column("corrected rate"),
    Column("kappa"),
    Column("confirmed", optional=True),
)
QUALITY = (
    Column("reader", "text"),
    Column("code", "text"),
    Column("tasks", "text"),
    Column("n"),
    Column("precision"),
    Column("recall"),
)
ABOUT = (
    "Rules, judges by the version of their prompt, and people on the same question. Precision: of the "
    "episodes that a reader gives the code, the share that people give it too; recall: of those that people "
    "give it, the share that the reader finds. A machine's verdict is a question until somebody confirms it."
)
NOTE = (
    "People: the settled label, else what most say, given without a verdict in sight; n: episodes that they "
    "labelled so. Tasks are dev or test by their SHA-256. Intervals are Wilson's; kappa is Cohen's, of the "
    "code given or not, dev and test together. Corrected rate: Rogan and Gladen 1978 with Lang and "
    "Reiczigel's interval 2014, by the errors on test; none where sensitivity + specificity <= 1. Confirmed: "
    "of the verdicts that somebody answered with the verdict in sight. The episodes of a row are those on "
    "which reader and people differ."
)


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """A reader on one part of the labelled episodes; `n` of them."""

    n: int
    precision: Estimate
    recall: Estimate


class MeasuredReader(msgspec.Struct, frozen=True, kw_only=True):
    """One reader on one code.

    Attributes:
        episodes: it gave an answer on; `given` of them the code.
        without: episodes that a judge was asked about and gave no verdict on, that a rule can't read, or
            whose score is not the evaluator's but a model's, given later.
        rate: share of the episodes with the code.
        corrected: what the rate comes to by the reader's errors on test.
        confirmed: of its verdicts that somebody answered with the verdict in sight, the share confirmed.
        differing: episodes on which it and people differ, as "run/episode".
    """

    kind: Kind
    reader: str
    question: str
    code: str
    episodes: int
    given: int
    without: int
    dev: Quality
    test: Quality
    kappa: Estimate
    rate: Estimate
    corrected: Estimate
    confirmed: Estimate
    differing: tuple[str, ...]


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Who answered a question, and which code on which episode ("" for none of them).

    Attributes:
        knows: codes that it can give; empty for all.
        without: episodes without a verdict.
    """

    kind: Kind
    name: str
    codes: dict[Place, str]
    knows: tuple[str, ...] = ()
    without: int = 0


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """All readers of one question.

    Attributes:
        labelled: episodes that people labelled without a verdict in sight, and agree on.
        hidden: labels by this taxonomy that count for nothing yet, as somebody is still at the episode.
        queue: episodes on which a judge and people, or two judges, differ: what is worth reading again.
    """

    taxonomy: str
    question: str
    text: str
    labelled: int
    hidden: int
    readers: tuple[MeasuredReader, ...]
    queue: tuple[Place, ...]


def part_of(benchmark: str, task: str) -> Part:
    """Which half the episodes of a task belong to: never decided by hand, and the same for ever."""
    return "dev" if hashlib.sha256(f"{benchmark}/{task}".encode()).digest()[0] % 2 == 0 else "test"


def measured(
    taxonomy: Taxonomy,
    question: Question,
    verdicts: Iterable[JudgedEpisode],
    labels: Iterable[Label],
    tasks: Mapping[Place, tuple[str, str]],
    rules: Iterable[Reader] = (),
    hidden: int = 0,
) -> Measured:
    """Rules, judges and people on one question about episodes.

    Args:
        verdicts: of judges, by any taxonomy.
        labels: that may be seen; those about steps and other questions are left out.
        tasks: benchmark and task of each episode; other episodes are left out.
        hidden: labels by this taxonomy that may not be seen yet.
    """
    own = [
        one
        for one in labels
        if one.step is None
        and (one.taxonomy, one.question) == (taxonomy.name, question.name)
        and (one.run, one.episode) in tasks
    ]
    judged = [
        one
        for one in verdicts
        if (one.taxonomy, one.version, one.question) == (taxonomy.name, taxonomy.version, question.name)
        and one.place in tasks
    ]
    truth = _truth(own)
    read_again = {(one.run, one.episode) for one in own if one.in_sight}
    judges = _judges(judged)
    readers = [*rules, *judges, *_people(own)]
    rows = [
        _row(reader, question.name, code, truth, tasks, own)
        for reader in readers
        for code in _codes(question, readers)
        if not reader.knows or code in reader.knows
    ]
    return Measured(
        taxonomy=taxonomy.name,
        question=question.name,
        text=question.text,
        labelled=len(truth),
        hidden=hidden,
        readers=tuple(rows),
        queue=_queue(judges, {place: code for place, code in truth.items() if place not in read_again}),
    )


def judges_section(found: Iterable[Measured]) -> Section | None:
    """A table for each question that judges answered; None for none."""
    tables = tuple(
        table
        for one in found
        if any(reader.kind == "judge" for reader in one.readers)
        for table in _tables(one)
    )
    if not tables:
        return None
    return Section(name="judges", title="Judges beside people", about=ABOUT, figures=tables)


def asked_of_judges(
    codebook: Codebook, verdicts: Iterable[JudgedEpisode]
) -> Iterable[tuple[Taxonomy, Question]]:
    """Questions that judges answered, as far as the taxonomy is still there."""
    for name, asked in dict.fromkeys((one.taxonomy, one.question) for one in verdicts):
        taxonomy = codebook.taxonomies.get(name)
        for question in taxonomy.asked(None) if taxonomy is not None else ():
            if taxonomy is not None and question.name == asked:
                yield taxonomy, question


def meanings_of(taxonomy: Taxonomy, question: Question, code: Code) -> tuple[str, ...]:
    """The code in codes of the merged taxonomy."""
    return (f"{question.name}.{code.name}",) if taxonomy.name == MERGED else code.means


def _truth(labels: Iterable[Label]) -> dict[Place, str]:
    """What people say: the settled label, else what most say; nothing where they are evenly divided."""
    unseen = [
        msgspec.structs.replace(one, code=one.unseen) if one.in_sight else one
        for one in labels
        if one.unseen or not one.in_sight
    ]
    given: dict[Place, list[str]] = {}
    for one in counting(unseen):
        given.setdefault((one.run, one.episode), []).append(one.code)
    return most_say(given)


def _judges(judged: Iterable[JudgedEpisode]) -> list[Reader]:
    by: dict[str, list[JudgedEpisode]] = {}
    for one in judged:
        by.setdefault(one.rater, []).append(one)
    return [
        Reader(
            kind="judge",
            name=rater,
            codes={one.place: one.code for one in own if one.code},
            without=sum(not one.code for one in own),
        )
        for rater, own in sorted(by.items())
    ]


def _people(labels: Iterable[Label]) -> list[Reader]:
    by: dict[str, dict[Place, str]] = {}
    for one in labels:
        if not one.settles:
            by.setdefault(one.annotator, {})[one.run, one.episode] = one.code
    return [Reader(kind="person", name=name, codes=codes) for name, codes in sorted(by.items())]


def _codes(question: Question, readers: Iterable[Reader]) -> list[str]:
    """Codes that somebody gave; of a question with two answers the first one says it all."""
    names = [code.name for code in question.codes]
    given = {code for reader in readers for code in reader.codes.values()}
    return names[:1] if len(names) == 2 else [name for name in names if name in given]


def _row(
    reader: Reader,
    question: str,
    code: str,
    truth: Mapping[Place, str],
    tasks: Mapping[Place, tuple[str, str]],
    labels: Iterable[Label],
) -> MeasuredReader:
    pairs = {
        place: (said == code, truth[place] == code) for place, said in reader.codes.items() if place in truth
    }
    parts: dict[Part, list[tuple[bool, bool]]] = {"dev": [], "test": []}
    for place, pair in pairs.items():
        parts[part_of(*tasks[place])].append(pair)
    given, n = sum(said == code for said in reader.codes.values()), len(reader.codes)
    test = Counter(parts["test"])
    person = reader.kind == "person"
    none = Estimate(value=None)
    return MeasuredReader(
        kind=reader.kind,
        reader=reader.name,
        question=question,
        code=code,
        episodes=n,
        given=given,
        without=reader.without,
        dev=_quality([] if person else parts["dev"]),
        test=_quality([] if person else parts["test"]),
        kappa=none if person else _kappa(pairs),
        rate=wilson(given, n),
        corrected=none
        if person
        else corrected_rate(
            given,
            n,
            found=test[True, True],
            positives=test[True, True] + test[False, True],
            cleared=test[False, False],
            negatives=test[False, False] + test[True, False],
        ),
        confirmed=_confirmed(reader, code, labels),
        differing=tuple("/".join(place) for place, (said, right) in sorted(pairs.items()) if said != right),
    )


def _quality(pairs: list[tuple[bool, bool]]) -> Quality:
    found = reliability(pairs)
    return Quality(n=len(pairs), precision=found.precision, recall=found.recall)


def _kappa(pairs: Mapping[Place, tuple[bool, bool]]) -> Estimate:
    """Of the code given or not, by the reader and by people."""
    names = {"/".join(place): pair for place, pair in pairs.items()}
    return cohen_kappa(
        {
            "reader": {name: said for name, (said, _) in names.items()},
            "people": {name: right for name, (_, right) in names.items()},
        }
    )


def _confirmed(reader: Reader, code: str, labels: Iterable[Label]) -> Estimate:
    """Of the reader's verdicts for the code that people answered with them in sight."""
    answered = [
        one.code == code
        for one in labels
        if reader.name in one.in_sight and reader.codes.get((one.run, one.episode)) == code
    ]
    return wilson(sum(answered), len(answered))


def _queue(judges: Iterable[Reader], truth: Mapping[Place, str]) -> tuple[Place, ...]:
    said: dict[Place, set[str]] = {place: {code} for place, code in truth.items()}
    judged: set[Place] = set()
    for judge in judges:
        for place, code in judge.codes.items():
            said.setdefault(place, set()).add(code)
            judged.add(place)
    return tuple(sorted(place for place in judged if len(said[place]) > 1))


def _tables(one: Measured) -> tuple[Table, Table]:
    """How often each reader gives each code, and how right it is."""
    machines = [reader for reader in one.readers if reader.kind != "person"]
    rates = Table(
        title=f"{one.taxonomy}.{one.question}: {one.text}",
        columns=RATES,
        rows=tuple(_rate_row(reader) for reader in one.readers),
        note=NOTE,
    )
    hidden = f"; {counted(one.hidden, 'label')} of episodes that nobody is done with left out"
    quality = Table(
        title=f"{one.taxonomy}.{one.question}: held against people",
        columns=QUALITY,
        rows=tuple(
            Row((_name(reader), reader.code, part, of.n, of.precision, of.recall), reader.differing)
            for reader in machines
            for part, of in (("dev", reader.dev), ("test", reader.test))
        ),
        note=f"people labelled {one.labelled} of these episodes without a verdict in sight, and agree"
        + (hidden if one.hidden else ""),
    )
    return rates, quality


def _rate_row(one: MeasuredReader) -> Row:
    return Row(
        (
            _name(one),
            one.code,
            one.episodes,
            one.given,
            one.without,
            one.rate,
            one.corrected,
            one.kappa,
            one.confirmed,
        ),
        one.differing,
    )


def _name(one: MeasuredReader) -> str:
    """A judge's name says that it is one."""
    return one.reader if one.kind == "judge" else f"{one.kind} {one.reader}"

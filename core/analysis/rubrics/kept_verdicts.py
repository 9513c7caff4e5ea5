"""Verdicts of judges as a store keeps them: `<store>/verdicts/`, one append-only file per machine rater.

They are labels by a machine, kept apart from people's, so that no figure about people counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import msgspec

from webbench.core.analysis.rubrics.citations import Citation
from webbench.core.errors import BadData
from webbench.core.labels.label import Label, is_pseudonym, pseudonym
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.versions import Versions
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import writing
from webbench.core.store.records.line_files import append_line_file, read_lines
from webbench.core.store.store import Store
from webbench.core.trajectory import now

SCHEMA_VERSION = 1
FOLDER = "verdicts"
ENDING = ".jsonl"
VERDICT = "a judge's verdict"
LONGEST_LINE = 1 << 18
"""Bytes; a longer one is none of ours."""
LARGEST_FILE = 256 << 20
"""Bytes of one rater's file."""


class JudgedEpisode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One judge's verdict on one episode, with all that it rests on.

    Attributes:
        code: the verdict, "" where there is none; `problem` then says why.
        citations: words that stand in the record; `refused` ones don't, each with the reason.
        rater: the judge with its prompt as an annotator, see `rater_name`.
        judge: model and host.
        prompt, prompt_version: name of the wording, and the beginning of its SHA-256.
        asked: digest of all that the reply depends on: endpoint, model, sampling, and the prompt with the
            episode in it. The same digest is not asked twice.
        cut: steps that the judge saw in part only, `left_out`: not at all.
        reply: as it was given.
        failed: the endpoint gave no reply; it is asked again next time.
    """

    run: str
    episode: str
    taxonomy: str
    version: int
    question: str
    code: str = ""
    citations: tuple[Citation, ...] = ()
    refused: tuple[str, ...] = ()
    reason: str = ""
    problem: str = ""
    rater: str
    judge: str
    prompt: str
    prompt_version: str
    asked: str
    cut: int = 0
    left_out: int = 0
    reply: str = ""
    failed: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    at: str = ""
    schema_version: int = msgspec.field(default_factory=lambda: SCHEMA_VERSION)

    @property
    def place(self) -> tuple[str, str]:
        return self.run, self.episode

    @property
    def label(self) -> Label | None:
        """The verdict as a label by a machine rater, None where there is none."""
        if not self.code:
            return None
        quotes = "; ".join(f"step {one.step}: “{one.quote}”" for one in self.citations)
        return Label(
            run=self.run,
            episode=self.episode,
            taxonomy=self.taxonomy,
            version=self.version,
            question=self.question,
            code=self.code,
            note=" · ".join(filter(None, (self.reason, quotes))),
            evidence=self.citations[0].step if self.citations else None,
            annotator=self.rater,
            at=self.at,
        )

    @property
    def key(self) -> tuple[str, ...]:
        """What there is one verdict for: a question about an episode, by a rater."""
        return self.run, self.episode, self.taxonomy, str(self.version), self.question, self.rater


class Verdicts(msgspec.Struct, frozen=True, kw_only=True):
    """The verdicts that hold: a later one of the same rater on the same question supersedes."""

    verdicts: tuple[JudgedEpisode, ...] = ()
    problems: tuple[str, ...] = ()

    def of(self, taxonomy: str, question: str = "") -> tuple[JudgedEpisode, ...]:
        """Those on the question, or on all of the taxonomy's."""
        return tuple(
            one for one in self.verdicts if one.taxonomy == taxonomy and question in ("", one.question)
        )

    def about(self, run: str, episode: str, taxonomy: str) -> tuple[JudgedEpisode, ...]:
        """Those on one episode by the questions of a taxonomy."""
        return tuple(one for one in self.of(taxonomy) if one.place == (run, episode))


def rater_name(model: str, identity: str, prompt: str, version: str) -> str:
    """The judge as an annotator: "judge.gpt-x.1f3a.episode.9c04".

    Args:
        identity: digest of endpoint, model and sampling, of which four signs tell alike names apart.
    """
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in model.casefold())
    return pseudonym(f"judge.{slug.strip('-')[:12] or 'model'}.{identity[:4]}.{prompt[:9]}.{version[:4]}")


def keep(store: Store, verdicts: Iterable[JudgedEpisode]) -> None:
    """Append verdicts; on disk when this returns. Raises `StoreUnwritable`."""
    folder = store.root / FOLDER
    with writing(store.root, VERDICT):
        folder.mkdir(parents=True, exist_ok=True)
    for one in verdicts:
        line = codec.encode(store.redacted(msgspec.structs.replace(one, at=one.at or now()))) + b"\n"
        append_line_file(store.root, folder / f"{pseudonym(one.rater)}{ENDING}", line, VERDICT)


def kept_verdicts(store: Store, *, as_asked: bool = False) -> Verdicts:
    """All verdicts that hold, as the newest versions of the store's codebooks read them.

    Args:
        as_asked: each by the version that it was asked by.

    Raises `BadData` for anything that a newer release wrote.
    """
    codebooks = {} if as_asked else ledger_of(store).codebooks.all()
    held: dict[tuple[str, ...], JudgedEpisode] = {}
    problems: list[str] = []
    try:
        paths = sorted((store.root / FOLDER).iterdir())
    except OSError:
        return Verdicts()
    for path in paths:
        rater = path.name.removesuffix(ENDING)
        if path.suffix != ENDING or not is_pseudonym(rater) or path.is_symlink() or not path.is_file():
            continue
        try:
            if path.stat().st_size > LARGEST_FILE:
                problems.append(f"{path} was not read: it is larger than {LARGEST_FILE >> 20} MiB")
                continue
            data = path.read_bytes()
        except OSError as error:
            problems.append(f"{path} can't be read: {error.strerror or error}")
            continue
        found, wrong = read_lines(data, path, partial(_verdict, rater), "the verdict")
        problems += wrong
        held |= {one.key: one for one in (_followed(one, codebooks) for one in found)}
    return Verdicts(verdicts=tuple(held.values()), problems=tuple(problems))


def _followed(one: JudgedEpisode, codebooks: Mapping[str, Versions]) -> JudgedEpisode:
    """With the code that its own has become: a codebook goes on changing while judges are asked."""
    versions = codebooks.get(one.taxonomy)
    if versions is None or not versions.versions or one.version >= versions.latest.version:
        return one
    question, _, code = versions.current(one.version, f"{one.question}.{one.code}").partition(".")
    return msgspec.structs.replace(one, question=question, code=code, version=versions.latest.version)


def _verdict(rater: str, line: bytes, where: str) -> JudgedEpisode:
    if len(line) > LONGEST_LINE:
        raise BadData(f"{where} is longer than {LONGEST_LINE} bytes")
    one = codec.decode_record(line, JudgedEpisode, SCHEMA_VERSION, where)
    if one.rater != rater:
        raise BadData(f"{where} says that it is {one.rater[:40]!r}'s, in the file of {rater}")
    return one

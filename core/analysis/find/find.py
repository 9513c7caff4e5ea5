"""Find a text in all that a store's episodes hold: hits by episode and step."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from itertools import groupby
from weakref import WeakKeyDictionary

import msgspec

from webbench.core.analysis.find.indexed_texts import PLACES, WHOLE, Where
from webbench.core.analysis.find.text_index import IndexState, TextIndex, Told, unpacked
from webbench.core.analysis.find.wanted_text import WantedText, wanted_text
from webbench.core.analysis.recorded.excerpts import excerpt
from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.store.index.filters import parse_filter
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.store.store import Store
from webbench.core.text.nearest import suggestion

MOST_EPISODES = 50
MOST_HITS = 10
"""Of one episode."""

_indexes: WeakKeyDictionary[Store, TextIndex] = WeakKeyDictionary()
"""One for each open store: where none can be kept beside it, it is made once."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A text in which what is looked for was found.

    Attributes:
        step: index of the step, None for the episode as a whole. A page belongs to the step that led to it.
        until: of a page the last of the steps in a row whose pages hold it, too; else the step.
        where: what the text is.
        excerpt: the text around the first place, in one line.
        start, length: of the place in the excerpt; 0 long where it can't be marked.
    """

    step: int | None
    until: int | None
    where: Where
    excerpt: str
    start: int = 0
    length: int = 0


class FoundEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with its hits in order of steps.

    Attributes:
        texts: in how many of its texts it was found, a page counted at each step.
        left_out: hits that are not listed.
    """

    episode: EpisodeSummary
    hits: tuple[Hit, ...]
    texts: int
    left_out: int = 0


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, the newest runs first.

    Attributes:
        read_as: how the text was read, as an expression of FTS5.
        episodes: those that are listed.
        matching: episodes in which it was found, those that are not listed too.
        texts: in how many texts of these.
        index: what the answer rests on.

    Example:
        >>> found = wb.Store().find('"add to cart" NOT refund', "status:failed")
        >>> [(one.episode.episode, hit.step, hit.excerpt) for one in found.episodes for hit in one.hits]
    """

    read_as: str
    episodes: tuple[FoundEpisode, ...] = ()
    matching: int = 0
    texts: int = 0
    index: IndexState = IndexState()

    @property
    def left_out(self) -> int:
        """Episodes that are not listed."""
        return self.matching - len(self.episodes)


def find(
    store: Store,
    text: str,
    filter: str = "",
    *,
    within: Collection[str] = (),
    most: int = MOST_EPISODES,
    most_hits: int = MOST_HITS,
    told: Told | None = None,
) -> Found:
    """Look for a text in all episodes that a filter lets through.

    Args:
        text: all its words have to stand in one text; `"..."` is a phrase, `wor*` a beginning, `AND`, `OR`,
            `NOT` and parentheses do what they say. Case and accents don't matter.
        filter: as in `webbench-tui runs FILTER`.
        within: only in these kinds of texts, all of `PLACES` if empty.
        most, most_hits: episodes that are listed, and hits of each.
        told: is called while texts are read that are new or changed.

    Raises `UsageError` for a text without a word, a filter or a kind that is none; `EnvironmentDown` where
    the index can't be made.
    """
    wanted = wanted_text(text)
    kinds = kinds_of_texts(within)
    names = store.names_of(parse_filter(filter)) if filter.strip() else None
    index = _indexes.setdefault(store, TextIndex(store.root))
    for again in (True, False):
        try:
            with index.opened(store, told) as (database, state):
                look = _Look(database, wanted, kinds, names)
                return look.found(store, state, most, most_hits)
        except sqlite3.OperationalError as error:
            why = f"the index of texts can't be used: {error}"
            raise EnvironmentDown(why, f"free some space, or delete {index.path}: it is made anew") from error
        except sqlite3.DatabaseError as error:
            if not again:
                raise EnvironmentDown(
                    f"the index of texts can't be used: {error}", "check the disk"
                ) from error
            index.discard("it was damaged")
    raise AssertionError("the second time returns or raises")


def kinds_of_texts(within: Collection[str]) -> list[int]:
    """Their numbers in the index. Raises `UsageError` for one that is none."""
    for one in within:
        if one not in PLACES:
            raise UsageError(f'There are no texts called "{one[:40]}"', suggestion(one, PLACES))
    return sorted(number for number, one in enumerate(PLACES) if one in within)


class _Place(msgspec.Struct, frozen=True):
    step: int
    place: int
    text: int


class _Look:
    """One question to the tables."""

    def __init__(
        self,
        database: sqlite3.Connection,
        wanted: WantedText,
        kinds: Sequence[int],
        names: set[tuple[str, str]] | None,
    ) -> None:
        self._database = database
        self._wanted = wanted
        self._kinds = f"AND place IN ({', '.join(map(str, kinds))})" if kinds else ""
        self._names = names

    def found(self, store: Store, state: IndexState, most: int, most_hits: int) -> Found:
        self._database.execute("DROP TABLE IF EXISTS temp.matched")
        self._database.execute("CREATE TEMP TABLE matched (text INTEGER PRIMARY KEY)")
        self._database.execute(
            "INSERT INTO matched SELECT rowid FROM words WHERE words MATCH ?", (self._wanted.expression,)
        )
        counts = self._counts()
        summaries = store.summaries([place for place, _, _ in counts[:most]])
        keys = {place: (key, texts) for place, key, texts in counts[:most]}
        episodes = []
        for one in summaries:
            key, texts = keys[one.run, one.episode]
            hits = self._hits(key)
            shown = tuple(self._hit(*hit) for hit in hits[:most_hits])
            left_out = len(hits) - len(shown)
            episodes.append(FoundEpisode(episode=one, hits=shown, texts=texts, left_out=left_out))
        return Found(
            read_as=self._wanted.expression,
            episodes=tuple(episodes),
            matching=len(counts),
            texts=sum(texts for *_, texts in counts),
            index=state,
        )

    def _counts(self) -> list[tuple[tuple[str, str], int, int]]:
        """(run, episode), its id, and how many texts match, the newest run first."""
        rows = self._database.execute(
            f"SELECT run, episode, id, texts FROM "  # noqa: S608 - no foreign text
            f"(SELECT places.episode AS at, count(*) AS texts FROM temp.matched "
            f"CROSS JOIN places ON places.text = matched.text {self._kinds} GROUP BY places.episode) "
            "JOIN episodes ON episodes.id = at ORDER BY run DESC, episode"
        )
        return [
            ((run, episode), key, texts)
            for run, episode, key, texts in rows
            if self._names is None or (run, episode) in self._names
        ]

    def _hits(self, episode: int) -> list[tuple[_Place, int]]:
        """The texts of an episode that match, each with its last step; pages in a row are one."""
        is_matched = "EXISTS (SELECT 1 FROM temp.matched WHERE matched.text = places.text)"
        rows = self._database.execute(
            f"SELECT step, place, text, {is_matched} FROM places "  # noqa: S608 - no foreign text
            f"WHERE episode = ? {self._kinds} ORDER BY place, step, text",
            (episode,),
        )
        found: list[tuple[_Place, int]] = []
        page = PLACES.index("page")
        for (place, matches), some in groupby(rows, lambda row: (row[1], bool(row[3]))):
            texts = [_Place(step, place, text) for step, _, text, _ in some]
            if not matches:
                continue
            if place == page:
                found.append((texts[0], texts[-1].step))
            else:
                found.extend((one, one.step) for one in texts)
        return sorted(found, key=lambda hit: (hit[0].step, hit[0].place))

    def _hit(self, place: _Place, until: int) -> Hit:
        packed = self._database.execute("SELECT packed FROM texts WHERE id = ?", (place.text,)).fetchone()[0]
        text = unpacked(packed)
        line, start, length = excerpt(text, *self._wanted.place_in(text))
        return Hit(
            step=None if place.step == WHOLE else place.step,
            until=None if until == WHOLE else until,
            where=PLACES[place.place],
            excerpt=line,
            start=start,
            length=length,
        )

"""Posts and comments written by rule from the word lists in seeds/: the same ones every time."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from webbench.benchmarks.sample_sites.clock import NOW
from webbench.benchmarks.sample_sites.forum.texts import slug_of
from webbench.core.json_types import JsonObject

POSTS_PER_COMMUNITY = 64
OLDEST_DAYS = 420
_ARTICLE = re.compile(r"^(a|an|the)\s+", re.IGNORECASE)
_SENTENCE = re.compile(r"(^|[.!?]\s+)([a-zà-ö])")


@dataclass
class Comment:
    """A comment with its replies; `posted` in seconds since 1970."""

    author: str
    body: str
    posted: int
    score: int
    replies: list[Comment] = field(default_factory=list)


@dataclass
class Post:
    """A post; one with a link has no body."""

    community: str
    author: str
    title: str
    link: str
    body: str
    posted: int
    score: int
    comments: list[Comment]


class Writer:
    def __init__(self, phrases: JsonObject) -> None:
        self._phrases = phrases
        self.accounts = [
            f"{adjective}_{noun}" for adjective in phrases["adjectives"] for noun in phrases["nouns"]
        ]

    def bio(self, account: str) -> str:
        return str(random.Random(account).choice(self._phrases["bios"]))

    def joined(self, account: str) -> int:
        return NOW - random.Random(f"{account} joined").randint(500, 2000) * 86400

    def posts(self, community: JsonObject) -> Iterator[Post]:
        """The posts of a community, no title twice."""
        chance = random.Random(community["name"])
        titles: set[str] = set()
        while len(titles) < POSTS_PER_COMMUNITY:
            kind = chance.choices(("questions", "stories", "headlines"), (10, 5, 6))[0]
            words = _chosen(chance, {**community["words"], **self._phrases["fills"]})
            title = _filled(chance.choice(community[kind]), words)
            if title not in titles:
                titles.add(title)
                yield self._post(chance, community, kind, title, words)

    def _post(
        self, chance: random.Random, community: JsonObject, kind: str, title: str, words: Mapping[str, str]
    ) -> Post:
        posted = NOW - round(OLDEST_DAYS * 86400 * chance.random() ** 2.2) - chance.randint(1800, 7200)
        source = chance.choice(community["sources"])
        return Post(
            community=community["name"],
            author=chance.choice(self.accounts),
            title=title,
            link=f"https://{source}/{slug_of(title)}" if kind == "headlines" else "",
            body="" if kind == "headlines" else self._body(chance, kind, words),
            posted=posted,
            score=round(chance.lognormvariate(2.6, 1.2)),
            comments=self._comments(chance, community, words, posted),
        )

    def _body(self, chance: random.Random, kind: str, words: Mapping[str, str]) -> str:
        parts = [
            chance.choice(self._phrases["openings"]),
            *chance.sample(self._phrases["details"], chance.randint(1, 3)),
        ]
        last = chance.choice(self._phrases["asks" if kind == "questions" else "endings"])
        return f"{_filled(' '.join(parts), words)}\n\n{_filled(last, words)}"

    def _comments(
        self, chance: random.Random, community: JsonObject, words: Mapping[str, str], posted: int
    ) -> list[Comment]:
        """A tree of comments; each is a reply to an earlier one four times in ten."""
        top: list[Comment] = []
        every: list[Comment] = []
        for _ in range(min(28, round(chance.lognormvariate(1.2, 0.8)))):
            above = chance.choice(every) if every and chance.random() < 0.4 else None
            earliest = above.posted if above else posted
            comment = Comment(
                author=chance.choice(self.accounts),
                body=self._comment(chance, community, words, reply=above is not None),
                posted=earliest + round((NOW - earliest) * chance.random() ** 6),
                score=round(chance.gauss(5, 5)),
            )
            (above.replies if above else top).append(comment)
            every.append(comment)
        return top

    def _comment(
        self, chance: random.Random, community: JsonObject, words: Mapping[str, str], *, reply: bool
    ) -> str:
        general = chance.choice(self._phrases["replies" if reply else "comments"])
        remark = chance.choice(community["remarks"])
        text = chance.choice((general, remark, f"{general} {remark}", f"{remark} {general}"))
        return _filled(text, {**words, **_chosen(chance, self._phrases["fills"])})


def _chosen(chance: random.Random, words: Mapping[str, list[str]]) -> dict[str, str]:
    """One word per list; `<key>_bare` is the same without its article."""
    chosen = {key: chance.choice(options) for key, options in words.items()}
    return chosen | {f"{key}_bare": _ARTICLE.sub("", word) for key, word in chosen.items()}


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with its words; sentences begin with a capital."""
    return _SENTENCE.sub(lambda found: found[1] + found[2].upper(), pattern.format_map(words))

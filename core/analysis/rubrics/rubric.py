"""A rubric: one question of a taxonomy as it is put to judges, in the words of one prompt."""

from __future__ import annotations

import re

import msgspec

from webbench.core.errors import UsageError
from webbench.core.judge import Question as JudgeQuestion
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.text.plain_text import plain_clip, plain_text

KINDS = "rubric"
"""Where the prompts of rubrics lie: "rubric/episode" is the first of them."""
PROMPT = "episode"
YES, NO = "yes", "no"
"""Codes of a question in a person's own words."""
LONGEST_QUESTION = 400
LONGEST_NAME = 40


class Rubric(msgspec.Struct, frozen=True, kw_only=True):
    """What judges are asked.

    Attributes:
        question: of the taxonomy; its codes are the verdicts.
        prompt: name of the wording, a file in `prompts/<folder>/`.
    """

    taxonomy: Taxonomy
    question: Question
    prompt: str = PROMPT
    folder: str = KINDS

    @property
    def kind(self) -> str:
        """The prompt as judges name it."""
        return f"{self.folder}/{self.prompt}"

    def asked_of(self, record: str, mark: str) -> JudgeQuestion:
        """The question about one episode.

        Args:
            record: the transcript between its delimiters, which hold `mark`.
        """
        answers = "\n".join(f"- {code.name}: {code.definition}" for code in self.question.codes)
        fields = {"question": self.question.text, "answers": answers, "mark": mark, "record": record}
        return JudgeQuestion(kind=self.kind, fields=fields, verdicts=self.codes)

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(code.name for code in self.question.codes)

    @property
    def findings(self) -> tuple[str, ...]:
        """Codes that say something was found, and so have to be shown in the record; "no" needs no proof."""
        return tuple(name for name in self.codes if name != NO)


def rubric_of(taxonomy: Taxonomy, question: str = "", prompt: str = PROMPT) -> Rubric:
    """A question of the taxonomy that can be asked of an episode; without a name its only one.

    Raises `UsageError`.
    """
    asked = taxonomy.asked(None)
    found = [one for one in asked if question in ("", one.name)]
    if len(found) != 1:
        names = ", ".join(one.name for one in asked) or "none"
        raise UsageError(
            f'{taxonomy.name} has no one question "{plain_clip(question, 60)}" about episodes'
            if question
            else f"{taxonomy.name} asks {len(asked)} questions about episodes",
            f"name one of them: {names}",
        )
    return Rubric(taxonomy=taxonomy, question=found[0], prompt=prompt)


def taxonomy_of_words(words: str, name: str = "", means: tuple[str, ...] = ()) -> Taxonomy:
    """A taxonomy with one question, to be answered by yes or no.

    Args:
        name: its name; "" for one made of the words.
        means: codes of the merged taxonomy that a yes implies.

    Raises `UsageError` for words or a name that can't be used.
    """
    text = " ".join(plain_text(words, limit=LONGEST_QUESTION + 1, newlines="keep").split())
    if not text or len(text) > LONGEST_QUESTION:
        raise UsageError(
            "That is no question" if not text else "The question is too long",
            f"ask in 1 to {LONGEST_QUESTION} characters",
        )
    named = name or _name(text)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", named):
        raise UsageError(f'"{plain_clip(named, 60)}" is no name for a rubric', "use a-z, 0-9 and hyphens")
    codes = (
        Code(name=YES, title="Yes", definition="It did; a step of the record shows it.", means=means),
        Code(name=NO, title="No", definition="It did not, or the record doesn't show that it did."),
    )
    question = Question(name="answer", text=text, places=("episode",), codes=codes)
    return Taxonomy(name=named, version=1, title=text, source="a rubric", questions=(question,))


def _name(text: str) -> str:
    """The question's words with hyphens, as many as a name may have: "did-it-give-up"."""
    words = re.findall(r"[a-z0-9]+", text.casefold())
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:LONGEST_NAME]
        if len(longer) > LONGEST_NAME:
            break
        name = longer
    return name or "rubric"

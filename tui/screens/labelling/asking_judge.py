"""Asking a judge from the labelling screen: the question, what it takes, then a verdict each."""

from __future__ import annotations

import asyncio
import math

from textual.screen import Screen

from webbench.core.analysis.rubrics.asking_judges import RubricSearch, advice, estimate_text
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode
from webbench.core.analysis.rubrics.rubric import Rubric, rubric_of, taxonomy_of_words
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.labels.written_taxonomy import write_taxonomy
from webbench.core.people.labelling.worksheet import Worksheet
from webbench.core.scoring.judges.judge_choice import CONFIGURED, choose_judge, in_use
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import taxonomies_folder
from webbench.core.text.plural import counted
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.labelling.code_list import CodeList
from webbench.tui.screens.labelling.open_worksheet import OpenWorksheet
from webbench.tui.workers import run_worker

TOLD_EVERY = 5
"""Verdicts between two words on how far it is."""


class AskingJudge:
    """Puts a question to a judge, at first that of the settings, about all episodes of the list."""

    def __init__(self, screen: Screen[None], worksheet: OpenWorksheet) -> None:
        self._screen = screen
        self._worksheet = worksheet

    def begin(self) -> None:
        """Ask what to ask, tell what it takes, and begin where that is agreed to."""
        run_worker(self._screen, self._ask, exclusive=True, group="judge")

    async def _ask(self) -> None:
        sheets = self._worksheet.sheets
        if sheets is None:
            return
        try:
            rubric = await self._asked(sheets)
            settings = load_settings()
            spec = CONFIGURED if settings.judge.model else None
            if rubric is not None and spec is None:
                spec = await self._named()
            while rubric is not None and spec is not None:
                judge = choose_judge(spec, settings.judge, prices=settings.prices)
                if not isinstance(judge, ModelJudge):
                    raise UsageError(f'The judge "{spec}" is no model', "you judge here yourself")
                async with in_use(judge):
                    search = RubricSearch(sheets.store, rubric, judge, sheets.places)
                    spec = await self._search(sheets, search)
        except WebbenchError as error:
            self._worksheet.tell(str(error), "error")

    async def _asked(self, sheets: Worksheet) -> Rubric | None:
        """The shown question, or one in words that becomes a taxonomy; None where it was left."""
        shown = self._screen.query_one(CodeList).question
        many = counted(len(sheets.places), "episode")
        about = f"What shall the judge be asked about {many}?"
        hint = shown.text if shown is not None else "a question in words, answered by yes or no"
        words = await self._screen.app.push_screen_wait(TextPrompt(about, placeholder=hint))
        if words is None:
            return None
        if not words.strip():
            if shown is None:
                raise UsageError("Nothing is asked here", "write a question in words")
            return rubric_of(sheets.taxonomy, shown.name)
        made = taxonomy_of_words(words)
        known = sheets.codebook.taxonomies.get(made.name)
        if known is not None and known.questions != made.questions:
            raise UsageError(f'The taxonomy "{made.name}" asks something else', "ask in other words")
        return rubric_of(known or made)

    async def _named(self) -> str | None:
        """Another judge; None where nobody is named."""
        hint = "NAME url=http://host/v1 max_tokens=400 timeout=600"
        prompt = TextPrompt("Which model shall judge?", placeholder=hint)
        return (await self._screen.app.push_screen_wait(prompt) or "").strip() or None

    async def _most_cost(self) -> float | None:
        """US dollars; None where it was left."""
        prompt = TextPrompt("At most how many US dollars may it spend?", placeholder="0.50")
        words = await self._screen.app.push_screen_wait(prompt)
        if words is None:
            return None
        try:
            most = float(words)
        except ValueError:
            most = math.nan
        if not (math.isfinite(most) and most >= 0):
            raise UsageError(f'"{words}" is no sum of money', "write US dollars: 0.50")
        return most

    async def _search(self, sheets: Worksheet, search: RubricSearch) -> str | None:
        """Ask, where that is agreed to; the judge to be asked in place of this one, if another is named."""
        estimate = await asyncio.to_thread(search.estimate)
        limited = () if estimate.cost is None else (("most", "Begin, with a limit to what it may cost"),)
        choices = (("yes", "Begin"), *limited, ("other", "Another judge"), ("no", "Leave it"))
        begin = await self._screen.app.push_screen_wait(
            ChoicePrompt(f"{search.judge.name}: {estimate_text(estimate)}. Begin?", choices)
        )
        if begin == "other":
            return await self._named()
        most_cost = await self._most_cost() if begin == "most" else None
        if begin == "yes" or most_cost is not None:
            await self._run(sheets, search, most_cost)
        return None

    async def _run(self, sheets: Worksheet, search: RubricSearch, most_cost: float | None) -> None:
        taxonomy = search.rubric.taxonomy
        if taxonomy.name not in sheets.codebook.taxonomies:
            await asyncio.to_thread(write_taxonomy, taxonomy, taxonomies_folder())
        done: list[JudgedEpisode] = []

        def told(verdict: JudgedEpisode) -> None:
            done.append(verdict)
            if len(done) % TOLD_EVERY == 0:
                self._worksheet.tell(f"{len(done)} of {len(search.places)} answered")

        outcome = await search.ask(told, most_cost)
        given = sum(bool(one.code) for one in outcome.verdicts)
        spent = f"{outcome.unasked} not asked: the money was spent" if outcome.unasked else ""
        helps = advice(one.problem for one in outcome.verdicts)
        known = f"{counted(given, 'verdict')} on {counted(len(done), 'episode')}"
        self._worksheet.tell(" · ".join(filter(None, (known, spent, *helps, *outcome.problems[:1]))))

        def shown() -> None:
            sheets.choose(taxonomy.name)
            sheets.reread()

        self._worksheet.change(shown)

"""A dialect made of a table of forms and a grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webbench.core.action.action import Action
from webbench.core.dialects.completion import complete
from webbench.core.dialects.dialect import Completion, ParseError, VerbHelp, one_of
from webbench.core.dialects.forms import Form, Forms, Unfit
from webbench.core.dialects.javascript_dialogs import dialog_answers
from webbench.core.dialects.notations.grammar import Grammar
from webbench.core.dialects.notations.json_notation import format_json, looks_like_json, parse_json
from webbench.core.observation import Observation

_LONGEST_REPAIR = 1000
_LONGEST_COMPLETED = 10_000
_FENCE = "```"


class TextDialect:
    """Implements the `Dialect` contract.

    Args:
        name: of its entry point.
        forms: its verbs. A text is also understood in the shared JSON notation, and when it stands
            between code fences.
        grammar: how verbs and arguments are written.
        render: the observation text that goes with the language.
    """

    def __init__(
        self,
        name: str,
        forms: Forms,
        grammar: Grammar,
        render: Callable[[Observation], str],
    ) -> None:
        self.name = name
        self._forms = forms
        self._grammar = grammar
        self._render = render

    def verbs(self) -> Sequence[VerbHelp]:
        return [VerbHelp(self._grammar.shape(form), form.meaning, form.example) for form in self._forms]

    def parse(self, text: str) -> Action | ParseError:
        """Never raises, whatever the text."""
        inner, offset = _unfenced(text)
        if looks_like_json(inner):
            return parse_json(inner)
        try:
            return self._grammar.read(inner, self._forms)
        except Unfit as unfit:
            return ParseError(unfit.position + offset, unfit.reason, self._nearest(inner, unfit.form))

    def format(self, action: Action) -> str:
        """The action by the first form whose words read back as it, or in JSON where there is none."""
        for form in self._forms:
            arguments = form.say(action)
            if arguments is not None:
                text = self._grammar.write(form, arguments)
                if not text.startswith(("{", _FENCE)) and self._reads_as(text) == action:
                    return text
        return format_json(action)

    def complete(self, text: str, observation: Observation | None) -> Sequence[Completion]:
        if looks_like_json(text) or len(text) > _LONGEST_COMPLETED:
            return ()
        return complete(text, self._forms, self._grammar, observation)

    def render(self, observation: Observation) -> str:
        text, dialog = self._render(observation), observation.dialog
        return text if dialog is None else f"{text}\n{dialog_answers(dialog, self.format)}"

    def _nearest(self, text: str, form: Form | None) -> str:
        """The first repair that is an action, else the shape of the likeliest form, else all verbs."""
        first_word = text.strip()[:40].replace("(", " ").replace("[", " ").split()[:1]
        verb = first_word[0].rpartition(".")[2] if first_word else ""
        near = [form] if form else self._forms.near(verb)
        if len(text) <= _LONGEST_REPAIR:
            for candidate in near:
                for repaired in self._grammar.repairs(text, candidate):
                    if self._reads_as(repaired) is not None:
                        return repaired
        return self._grammar.shape(near[0], optional=False) if near else one_of(self._forms.verbs())

    def _reads_as(self, text: str) -> Action | None:
        try:
            return self._grammar.read(text, self._forms)
        except Unfit:
            return None


def _unfenced(text: str) -> tuple[str, int]:
    """The text between code fences, if fences are all there is around it, and where it starts."""
    stripped = text.strip()
    if not stripped.startswith(_FENCE) or not stripped.endswith(_FENCE) or len(stripped) < 2 * len(_FENCE):
        return text, 0
    inner = stripped[len(_FENCE) : -len(_FENCE)]
    first, newline, rest = inner.partition("\n")
    if newline and first.strip().isalpha():
        inner = rest
    return inner, text.find(inner) if inner else 0

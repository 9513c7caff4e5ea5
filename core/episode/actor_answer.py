"""What an actor said at a step: the action in it, or why there is none, and the step that keeps it."""

from __future__ import annotations

from webbench.core.action.action import Action
from webbench.core.agent import Proposal
from webbench.core.agents.advice import Advice
from webbench.core.agents.resumed_state import recordable
from webbench.core.dialects.dialect import Dialect, ParseError, one_of, verb_word
from webbench.core.trajectory import Actor, Step, now


def read_action(dialect: Dialect, text: str, proposal: Proposal) -> Action | ParseError:
    """The action of a text; a proposal that is malformed has none, whatever its text."""
    if proposal.malformed:
        return ParseError(0, proposal.malformed, one_of(list(dict.fromkeys(map(verb_word, dialect.verbs())))))
    return dialect.parse(text)


def said_step(index: int, dialect: Dialect, text: str, actor: Actor, advice: Advice) -> Step:
    """The step that begins with this text, with what an agent had said before it."""
    proposal = advice.proposal
    return Step(
        index=index,
        at=now(),
        actor=actor,
        text=text,
        dialect=dialect.name,
        reasoning=proposal.reasoning,
        prompt=proposal.prompt,
        reply=proposal.reply,
        calls=proposal.calls,
        usage=proposal.spent,
        agent_state=recordable(proposal.state),
        proposed=advice.proposed,
        provenance=advice.provenance,
    )

"""What the record tells of a step that the guard had a say in."""

from __future__ import annotations

import msgspec

from webbench.core.agents.advice import Advice
from webbench.core.guards.risk import Risk
from webbench.core.provenance import Provenance


def refusal(risk: Risk) -> str:
    """Why nothing was done, for the agent as for a person."""
    return (
        f"the guard refused it: this falls under {risk.words}, which a person has to confirm; "
        "do something else, or stop"
    )


def judged(advice: Advice, risk: Risk | None, agent: str) -> Advice:
    """With the rule that the step falls under; without a confirmation it was refused."""
    if risk is None:
        return advice
    provenance = advice.provenance or Provenance(proposed_by=agent, decision="alone")
    changed = msgspec.structs.replace(provenance, guard=risk.words)
    if not advice.confirmed:
        changed = msgspec.structs.replace(changed, decision="refused")
    return msgspec.structs.replace(advice, provenance=changed)

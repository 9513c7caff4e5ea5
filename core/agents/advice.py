"""What an agent had said before a step, whoever took it."""

from __future__ import annotations

import msgspec

from webbench.core.agent import Hands, Proposal
from webbench.core.provenance import Provenance


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Kept with the step.

    Attributes:
        proposal: what it said; its prompt, reply and usage are recorded, whoever decided.
        proposed: the text that a person changed or replaced, "" where its own was carried out.
        seconds: it took for that.
        provenance: who decided; None where no agent had a say.
        confirmed: a person confirmed what the guard asks about.
        hands: of an agent that does itself what it proposed; None = it is done for it.
    """

    proposal: Proposal = Proposal()
    proposed: str = ""
    seconds: float = 0.0
    provenance: Provenance | None = None
    confirmed: bool = False
    hands: Hands | None = None

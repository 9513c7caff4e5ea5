"""Agents that ask a model, put together from small parts.

A turn goes one way: what the agent sees becomes fields of text (`seeing`), a template that the user may
replace turns them into messages (`prompts`), a model is asked and every call kept (`asking`), and its reply
is read (`replies`). `agent` is the plainest composition of these, one call a step. An agent with several
calls writes a `propose` of its own with the same parts:

    class TwoCalls:
        async def propose(self, view: AgentView) -> Proposal:
            fields = view_fields(view, self._seeing)
            plan = await self._asker.ask(self._plan.messages(fields), purpose="plan")
            act = await self._asker.ask(self._act.messages({**fields, "plan": plan.reply}), purpose="act")
            return proposal_of(read_fenced(act), self._asker.taken())

Options of an agent are a msgspec struct below `ModelOptions` (see `kind`); presets give them values (see
`core.agents.presets`). A reply without an action becomes `Proposal.malformed`: the episode counts it as an
invalid action, and the model is told with its next view, until `invalid_limit` ends the episode.
"""

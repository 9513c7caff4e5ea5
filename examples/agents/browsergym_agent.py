"""An agent in the style of BrowserGym: it ticks every unticked box, then says that it is done.

webbench-tui run demo --agent "browsergym examples/agents/browsergym_agent.py:TickBoxes answer=done"
"""


class TickBoxes:
    """`get_action` is all that is needed; BrowserGym's own `Agent` may be the base class, but needn't."""

    def __init__(self, answer="done"):
        self.answer = answer

    def get_action(self, obs):
        for node in obs["axtree_object"]["nodes"]:
            states = {each["name"]: each["value"]["value"] for each in node["properties"]}
            if node["role"]["value"] == "checkbox" and states.get("checked") in (False, "false"):
                bid = node["browsergym_id"]
                return f"check({bid!r})", {"think": f"{node['name']['value']} isn't ticked yet"}
        return f"send_msg_to_user({self.answer!r})", {"think": "all are ticked", "stats": {"boxes": 0}}

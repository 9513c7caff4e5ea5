"""Agents as somebody else writes them, as source for a process of their own."""

from __future__ import annotations

AGENT = """
import json, random

class Echo:
    def __init__(self, texts=(), seed=None):
        self.texts = list(texts)
        self.seen = []

    def obs_preprocessor(self, obs):
        print("this goes to stderr")
        return {"mine": True, **obs}

    def get_action(self, obs):
        assert obs["mine"]
        text = self.texts.pop(0) if self.texts else None
        told = [obs["last_action"], obs["last_action_error"], random.random()]
        return text, {"think": json.dumps(told), "stats": {"input_tokens": 3}}

    def close(self):
        closed.append(type(self).__name__)

class Arguments:
    close = Echo.close
    def __init__(self, text):
        self.text = text
    def prepare(self):
        self.prepared = True
    def make_agent(self):
        assert self.prepared
        return Echo([self.text])

class Named:
    def set_task_name(self, name):
        self.name = name
    def get_action(self, obs):
        return f"fill('6', {self.name!r})"

class Remembering:
    def __init__(self):
        self.count = 0
    def get_action(self, obs):
        self.count += 1
        chat = [one["message"] for one in obs["chat_messages"]]
        told = {"chat": chat, "last": obs["last_action"], "late": float(obs["elapsed_time"][0]) > 50}
        return f"send_msg_to_user('m{self.count}')", {"think": json.dumps(told)}
    def save_state(self):
        return {"count": self.count}
    def load_state(self, state):
        self.count = state["count"]

class Unwritable(Remembering):
    def save_state(self):
        return {self}

class HighLevelActionSet:
    def __init__(self, strict, multiaction):
        self.strict, self.multiaction = strict, multiaction
        self.action_set = {"noop": "...", "click": "..."}
class Chosen(Echo):
    def __init__(self, text, strict=False, multiaction=True):
        super().__init__([text])
        self.action_set = HighLevelActionSet(strict, multiaction)

class PythonActionSet: pass
class Coder(Echo):
    action_set = PythonActionSet()
class Failing:
    def get_action(self, obs):
        raise RuntimeError("no model here")
class Raw(Arguments):
    use_raw_page_output = True
    def __init__(self):
        super().__init__("noop()")
closed = []
ready = Echo(["noop()"])
number = 3
"""

"""Environments for tests: what a task of BrowserGym may do to whoever hosts it."""

import os
import random
from pathlib import Path

from browsergym.core.registration import register_task

PAGE = """<!doctype html><title>Toy</title><p id=word>{word}</p>
<button onclick="fetch('/done').then(r => r.text()).then(t => {{ document.title = t }})">Press</button>
<a href="/other" target=_blank>Other</a>"""
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Toy:
    goal = "Press the button."

    def __init__(self, seed):
        self.word = f"word {random.Random(seed).randrange(1000)}"

    def setup(self, page):
        page.context.route("http://toy.test/**", self.answer)
        page.goto("http://toy.test/")
        print("this is no answer of the protocol")
        return self.goal, {"word": self.word}

    def answer(self, route):
        done = route.request.url.endswith("/done")
        route.fulfill(content_type="text/html", body="pressed" if done else PAGE.format(word=self.word))

    def validate(self, page, chat_messages):
        pressed = page.title() == "pressed"
        return float(pressed), pressed, "", {"title": page.title(), "url": page.url}

    def teardown(self):
        if "TOY_LOG" in os.environ:
            Path(os.environ["TOY_LOG"]).write_text("torn down")


class Talking(Toy):
    goal = "Which number?"

    def validate(self, page, chat_messages):
        said = chat_messages[-1]
        if said["role"] == "infeasible":
            return 0.25, False, "", {}
        if said["role"] != "assistant" or len(chat_messages) < 3:
            return 0, False, "", {}
        right = said["message"] == "42"
        return float(right), right, "" if right else "Only the number, please.", {}


class Disturbing(Toy):
    def validate(self, page, chat_messages):
        page.goto("http://toy.test/validated")
        return 0.5, False, "", {"tabs": len(page.context.pages)}


class Broken(Toy):
    def validate(self, page, chat_messages):
        raise RuntimeError("the site of this task went away")


class Unset(Toy):
    def setup(self, page):
        raise KeyError(os.environ["TOY_SITE_URL"])


class Pictured(Toy):
    def setup(self, page):
        super().setup(page)
        return [
            {"type": "text", "text": "Find this."},
            {"type": "image_url", "image_url": {"url": PIXEL}},
        ], {}


class Endless(Toy):
    def setup(self, page):
        page.wait_for_timeout(600_000)


for name, kind in {
    "toy.button": Toy,
    "toy.talk.number": Talking,
    "toy.disturbing": Disturbing,
    "toy.broken": Broken,
    "toy.unset": Unset,
    "toy.pictured": Pictured,
    "toy.endless": Endless,
}.items():
    register_task(name, kind)

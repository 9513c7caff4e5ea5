"""The driving process that browser-use lives in: it joins a browser, and asks before each of its actions.

Lines of JSON: in come `hello`, `go on` (say what you do next; `why` tells what kept the last from being
done), `act` (do it) and `bye`; out go what it would do (see `told_actions.Told`) and what came of it. What it
prints goes to stderr. Nothing but the standard library and browser-use is imported here: the interpreter may
be another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import Any, TextIO

HISTORY = "browser-use-history.json"
LONGEST_ERROR, LONGEST_TEXT = 300, 100_000
NOT_DONE = "it was not done: "
NOT_INSTALLED = (
    "browser-use can't be imported by the Python in {place}: {error}; install it there (pip install "
    "browser-use), or name an interpreter that has it, as python=PROGRAM"
)
SWITCHES = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "SKIP_LLM_API_KEY_VERIFICATION": "true",
}
"""It tells nobody of what it does here."""
THOUGHTS = (
    ("thinking", ""),
    ("evaluation_previous_goal", "Evaluation: "),
    ("memory", "Memory: "),
    ("next_goal", "Next goal: "),
)
"""As its histories are read."""


class Desk:
    """The conversation with the episode: lines come in by a thread, answers go out."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            for text in sys.stdin:
                self._loop.call_soon_threadsafe(self._lines.put_nowait, json.loads(text))
            self._loop.call_soon_threadsafe(self._lines.put_nowait, {"type": "bye"})

    async def heard(self) -> dict[str, Any]:
        """The next line. Raises `EOFError` at the farewell."""
        line = await self._lines.get()
        if line["type"] == "bye":
            raise EOFError
        return line

    def say(self, **fields: Any) -> None:
        self._out.write(json.dumps(fields, default=str) + "\n")
        self._out.flush()


class Driver:
    """One browser-use agent at work.

    Attributes:
        calls: of models, since they were last told.
        final: the action that ended it, {} before.
    """

    def __init__(self, desk: Desk, hello: dict[str, Any]) -> None:
        self.desk = desk
        self.hello = hello
        self.calls: list[dict[str, Any]] = []
        self.final: dict[str, Any] = {}
        self.agent: Any = None
        self._told: Any = None
        self._last = False
        """After the next action no step is left: its own history is kept as far as it goes."""

    async def ask(self, action: Any) -> str:
        """Tell what would be done next; "" where it is to be done, else why not."""
        self.desk.say(**await self.described(action))
        line = await self.desk.heard()
        if line["type"] != "act":
            return NOT_DONE + (line.get("why") or "something else was done instead")
        if self._last and self.agent.history.history:
            self.keep_history()
        return ""

    async def answer(self, result: Any) -> None:
        """Tell what came of it, and wait until the episode goes on."""
        texts = (result.extracted_content, *([] if result.extracted_content else [result.long_term_memory]))
        self.desk.say(
            output="\n".join(str(one)[:LONGEST_TEXT] for one in texts if one),
            target=self.agent.browser_session.agent_focus_target_id or "",
            error=str(result.error or "")[:LONGEST_ERROR],
        )
        self._last = (await self.desk.heard()).get("last") is True

    async def described(self, action: Any) -> dict[str, Any]:
        """An action, its element, and what the model thought; the thoughts stand with its first action."""
        (name, arguments), *_ = action.model_dump(exclude_unset=True, mode="json").items()
        output = self.agent.state.last_model_output
        untold = None if output is self._told else output
        self._told = output
        thoughts = [f"{mark}{text}" for key, mark in THOUGHTS if (text := getattr(output, key, None))]
        calls, self.calls = self.calls, []
        return {
            "name": name,
            "arguments": arguments or {},
            "element": await self._element(action.get_index()),
            "tabs": {str(tab.target_id)[-4:]: tab.url for tab in await self.agent.browser_session.get_tabs()},
            "reasoning": "\n".join(thoughts) if untold is not None else "further action of the same step",
            "reply": "" if untold is None else untold.model_dump_json(exclude_none=True, exclude_unset=True),
            "calls": calls,
        }

    async def _element(self, index: int | None) -> dict[str, Any] | None:
        from browser_use.dom.views import DOMInteractedElement  # pyright: ignore[reportMissingImports]  # not here

        found = None if index is None else await self.agent.browser_session.get_element_by_index(index)
        if found is None:
            return None
        told: dict[str, Any] = DOMInteractedElement.load_from_enhanced_dom_tree(found).to_dict()
        return told

    def keep_history(self) -> None:
        """Its own history, where what lies in the folder is kept with the episode."""
        if self.hello["files"] and self.agent is not None:
            place = Path(self.hello["files"]) / f".{HISTORY}"
            place.write_text(json.dumps(self.agent.history.model_dump(), default=str), "utf-8")
            place.rename(place.with_name(HISTORY))


def made_tools(driver: Driver) -> Any:
    """Its tools, each of which asks first; what ends the task is told at the end."""
    from browser_use import ActionResult, Tools  # pyright: ignore[reportMissingImports]  # not here

    class AskingTools(Tools):  # type: ignore[misc]  # its package is not installed here
        async def act(self, action: Any, *args: Any, **kwargs: Any) -> Any:
            if action.model_dump(exclude_unset=True).get("done") is not None:
                driver.final = await driver.described(action)
                return await super().act(action, *args, **kwargs)
            why = await driver.ask(action)
            if why:
                return ActionResult(error=why)
            result = await super().act(action, *args, **kwargs)
            await driver.answer(result)
            return result

    return AskingTools(exclude_actions=[] if driver.hello["vision"] == "auto" else ["screenshot"])


def made_model(driver: Driver) -> Any:
    """An OpenAI-compatible model whose calls are kept."""
    from browser_use import ChatOpenAI  # pyright: ignore[reportMissingImports]  # not here

    asked = driver.hello["model"]

    class KeptModel(ChatOpenAI):  # type: ignore[misc]  # its package is not installed here
        async def ainvoke(self, messages: Any, output_format: Any = None, **kwargs: Any) -> Any:
            started, kept = time.monotonic(), {"model": asked["name"], "host": asked["url"].split("/")[2]}
            kept |= {"messages": [sent(one) for one in messages]}
            kept |= {"purpose": "" if output_format is not None else "extract"}
            try:
                answer = await super().ainvoke(messages, output_format, **kwargs)
                said = answer.completion
                kept["reply"] = said if isinstance(said, str) else said.model_dump_json(exclude_unset=True)
                kept |= {"finish": answer.stop_reason or ""}
                if answer.usage is not None:
                    kept["prompt_tokens"] = answer.usage.prompt_tokens
                    kept["completion_tokens"] = answer.usage.completion_tokens
            except Exception as error:
                kept["error"] = f"{type(error).__name__}: {error}"[:LONGEST_ERROR]
                raise
            finally:
                driver.calls.append({**kept, "seconds": time.monotonic() - started})
            return answer

    return KeptModel(
        model=asked["name"],
        base_url=asked["url"],
        api_key=asked["key"] or "none",
        timeout=asked["timeout"],
        max_retries=asked["retries"],
        dont_force_structured_output=not asked["schema"],
        add_schema_to_system_prompt=not asked["schema"],
        **{name: value for name, value in asked["sampling"].items() if value is not None},
    )


def sent(message: Any) -> dict[str, Any]:
    """A message of a prompt; its pictures are browser-use's own, and told by their checksum."""
    content = message.content
    parts: list[Any] = [content] if isinstance(content, str) else list(content or ())
    texts = [part if isinstance(part, str) else getattr(part, "text", "") for part in parts]
    pictures = [one.image_url.url for one in parts if hasattr(one, "image_url")]
    told: dict[str, Any] = {"role": message.role, "text": "\n".join(filter(None, texts))}
    if pictures:
        note = "taken by browser-use itself, and not kept"
        sums = [hashlib.sha256(url.encode()).hexdigest() for url in pictures]
        told["pictures"] = [{"sha256": one, "note": note} for one in sums]
    return told


def made_session(hello: dict[str, Any]) -> Any:
    """A session on the episode's tab, in whose context new tabs open.

    Nothing is drawn into pages, and their viewport stays as the task has it.
    """
    from browser_use import BrowserProfile, BrowserSession  # pyright: ignore[reportMissingImports]  # not here

    class JoinedSession(BrowserSession):  # type: ignore[misc]  # its package is not installed here
        async def _cdp_create_new_page(self, url: str = "about:blank", *_: Any, **__: Any) -> str:
            root: Any = self._cdp_client_root
            about = await root.send.Target.getTargetInfo(params={"targetId": hello["browser"]["target"]})
            context = about["targetInfo"].get("browserContextId")
            made = await root.send.Target.createTarget(params={"url": url, "browserContextId": context})
            return str(made["targetId"])

    profile = BrowserProfile(
        cdp_url=hello["browser"]["address"],
        keep_alive=True,
        highlight_elements=False,
        dom_highlight_elements=False,
        enable_default_extensions=False,
        captcha_solver=False,
        auto_download_pdfs=False,
        permissions=[],
        headless=True,
        no_viewport=False,
        viewport={"width": hello["viewport"]["width"], "height": hello["viewport"]["height"]},
        device_scale_factor=hello["viewport"]["scale"],
        user_data_dir=None,
    )
    return JoinedSession(browser_profile=profile)


async def drive(desk: Desk) -> None:
    """From the greeting to the farewell; the last line tells an answer, or why there is none."""
    hello = await desk.heard()
    driver = Driver(desk, hello)
    await desk.heard()
    try:
        from browser_use import Agent  # pyright: ignore[reportMissingImports]  # not here
    except ImportError as error:
        desk.say(error=NOT_INSTALLED.format(place=sys.prefix, error=error))
        return
    with tempfile.TemporaryDirectory(prefix="webbench-browser-use-") as folder:
        session = made_session(hello)
        driver.agent = Agent(
            task=hello["task"]["intent"],
            llm=made_model(driver),
            browser_session=session,
            tools=made_tools(driver),
            use_vision={"yes": True, "no": False}.get(hello["vision"], "auto"),
            max_actions_per_step=hello["max_actions"],
            flash_mode=hello["flash"],
            use_judge=False,
            directly_open_url=False,
            file_system_path=folder,
            enable_signal_handler=False,
        )
        await session.start()
        await session.get_or_create_cdp_session(hello["browser"]["target"], focus=True)
        history = await driver.agent.run(max_steps=1_000_000)
        driver.keep_history()
        if driver.final:
            desk.say(**driver.final)
        else:
            desk.say(error=ending(history), calls=driver.calls)
        await desk.heard()


def ending(history: Any) -> str:
    """Why it ended without an answer, by its last error."""
    errors = [str(one) for one in history.errors() if one]
    return f"it gave up: {errors[-1][:LONGEST_ERROR]}" if errors else "it ended without an answer"


async def conversation(out: TextIO) -> None:
    """Drive, and tell what went wrong."""
    desk = Desk(out)
    try:
        await drive(desk)
    except EOFError:
        return
    except Exception as error:
        traceback.print_exc()
        told = " ".join(f"{type(error).__name__}: {error}".split())
        desk.say(error=told[:LONGEST_ERROR])


def main() -> None:
    """Entry point of the process."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    os.environ.update(SWITCHES)
    with tempfile.TemporaryDirectory(prefix="webbench-browser-use-") as folder:
        os.environ["BROWSER_USE_CONFIG_DIR"] = folder
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(conversation(out))

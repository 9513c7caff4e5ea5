"""What the tests of verbs share: short names for elements, and pages that tell what they saw."""

from __future__ import annotations

from typing import Any

from webbench.core.action.action import Action, ElementRef
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup, StepResult
from webbench.core.observation import Observation


def field(name: str, option: str = "") -> ElementRef:
    return ElementRef(field=name, option=option)


def css(selector: str) -> ElementRef:
    return ElementRef(selector=selector)


async def opened(environment: BrowserEnvironment, url: str, **setup: Any) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(url,), **setup))


async def done(environment: BrowserEnvironment, action: Action) -> StepResult:
    result = await environment.act(action)
    assert result.ok, result.error
    return result


async def refused(environment: BrowserEnvironment, action: Action) -> str:
    result = await environment.act(action)
    assert not result.ok
    assert (await environment.observe()).last_error == result.error
    return result.error


async def value(environment: BrowserEnvironment, selector: str, attribute: str = "value") -> Any:
    return await environment.probe(f"(s) => document.querySelector(s).{attribute}", selector)


def id_of(observation: Observation, role: str, name: str = "") -> ElementRef:
    found = [node.id for node in observation.nodes if node.role == role and name in node.name]
    return ElementRef(id=found[0])


LOG = """<script>window.seen = [];
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'input', 'change', 'mouseover',
  'drop', 'submit'])
  document.addEventListener(kind, (e) => seen.push(
    `${kind}:${e.target.id}${e.ctrlKey ? ':ctrl' : ''}${e.isTrusted ? '' : ':false'}`), true);
</script>"""


async def seen(environment: BrowserEnvironment, kind: str) -> list[str]:
    return await environment.probe(
        "(k) => JSON.parse(document.body.dataset.seen).filter((s) => s.startsWith(k))", kind
    )


MIRROR = """<script>addEventListener('click', () => 0);
const mirror = () => { document.body.dataset.seen = JSON.stringify(window.seen) };
for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'input', 'change', 'mouseover',
  'drop', 'submit']) document.addEventListener(kind, mirror);</script>"""

"""A shopping trip with an instructor through the bundled shop, recorded live and exported.

`python -m tests.benchmarks.weblinx.shop_dialogue FOLDER` makes the demonstration that ships as a bundle.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.weblinx.exchange.exporter import Exported, export_episode
from webbench.core.action.action import Action, Check, Click, ElementRef, Say, Select, Type
from webbench.core.action.references import map_references
from webbench.core.agents.reference import find, references
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.launch import launch
from webbench.core.dialects.dialect import find_dialect
from webbench.core.environment import Environment
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader

ABOUT = "Help someone to find a mug for a camping trip, and put it into the cart."
SITE = "https://harbour-pine.example"


def _element(role: str, name: str) -> ElementRef:
    return ElementRef(role=role, name=name)


TRIP: tuple[str | Action, ...] = (
    "instructor: Hello, are you there?",
    Say(text="Yes. What shall I look for?"),
    "instructor: I need a mug for a camping trip. Please see what Harbour & Pine has.",
    Click(target=_element("button", "Only necessary")),
    Type(target=_element("searchbox", "Search the shop"), text="camp mug", enter=True),
    Select(target=_element("combobox", "Sort by"), options=("Price: low to high",)),
    "instructor: Good idea. I don't want to spend more than 25 dollars.",
    Click(target=_element("link", "Ember Camp Mug")),
    Say(text="The Ember Camp Mug would do, it comes in several colours. Which one do you want?"),
    "instructor: Cream, please.",
    Check(target=_element("radio", "Cream")),
    Click(target=_element("button", "Add to cart")),
    Say(text="One Ember Camp Mug in cream is in your cart."),
    "instructor: Perfect, thanks!",
)
"""What is said and done; a text is a note of the record."""


async def record(environment: Environment, store: Store) -> tuple[Path, str]:
    """The recorded episode's folder, and the address of the shop in it."""
    benchmark = find_benchmark("demo")
    task = benchmark.tasks(names=("camp-mugs",))[0]
    task = msgspec.structs.replace(task, intent=ABOUT, kind="shopping")
    run = store.start_run("demo", "human", 1)
    header = EpisodeHeader(run=run, episode="", task=task, actor="human", dialect="webarena")
    async with benchmark.stage(task) as stage:
        recorder = store.recorder(run, header)
        episode = Episode(
            task=task,
            environment=environment,
            stage=stage,
            setup=stage.setup,
            evaluator=benchmark.evaluator,
            dialect=find_dialect("webarena"),
            recorder=recorder,
            header=recorder.header,
            options=EpisodeOptions(live_score=False),
        )
        await episode.start()
        for part in TRIP:
            if isinstance(part, str):
                await episode.note(part)
            else:
                step = await episode.act_on(_found(part, episode))
                assert step.ok, step.error
        address = episode.observation.url
        await episode.finish("the trip is over")
    parts = urlsplit(address)
    token = parts.path.split("/")[1]
    return store.find(recorder.header.episode), f"{parts.scheme}://{parts.netloc}/{token}/shop"


def _found(action: Action, episode: Episode) -> Action:
    found: dict[ElementRef, ElementRef] = {}
    for reference in references(action):
        node = find(episode.observation, reference)
        assert node is not None, reference
        found[reference] = ElementRef(id=node.id)
    return map_references(action, found.__getitem__)


def export(store: Store, episode: Path, shop: str, folder: Path) -> Exported:
    renames = ((shop, SITE), (urlsplit(shop).path, ""))
    return export_episode(store, episode, folder, renames=renames, small_pictures=True)


async def _make(folder: Path) -> None:
    with TemporaryDirectory() as place:
        store = Store(Path(place))
        async with launch() as browser:
            episode, shop = await record(browser.environment(), store)
        print(export(store, episode, shop, folder).left_out)
        store.close()


if __name__ == "__main__":
    asyncio.run(_make(Path(sys.argv[1])))

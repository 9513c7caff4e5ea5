"""Text gate and action languages: cost per call, beside a plain copy of the same text.

Ratios are measured interleaved in one run; absolute times are CPU time on this machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from webbench.benchmarks.turkingbench import dialect as turkingbench
from webbench.benchmarks.webarena import dialect as webarena
from webbench.core.dialects.notations import browsergym_calls as browsergym
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_text

NODES = 24_000
ROUNDS = 7
TEXTS = {
    "ascii": "Add to cart: running shoes, size 44, grey",
    "latin": "Ajouter à la liste d'achats; prêt à partir",
    "cjk": "検索結果を表示する詳細はこちら検索結果",
    "emoji": "👨\u200d👩\u200d👧 family ❤\ufe0f and more text",
    "escapes": "x\x1b[31mred\x1b[0m some more text\u202e",
}


def page() -> Observation:
    words = ("Add", "Remove", "Search", "Größe", "Konto", "View details")
    nodes = tuple(
        AccessibilityNode(
            id=i,
            role="link" if i % 3 else "textbox",
            name=f"{words[i % len(words)]} item {i}",
            depth=2,
            interactive=True,
            offscreen=i > 200,
            attributes={"name": f"field-{i % 500}"} if i % 3 == 0 else {},
        )
        for i in range(NODES)
    )
    return Observation(url="http://e.test/", nodes=nodes)


def milliseconds(call: Callable[[], object], repeat: int = 1) -> float:
    """CPU time of one call."""
    start = time.process_time()
    for _ in range(repeat):
        call()
    return (time.process_time() - start) * 1000 / repeat


def main() -> None:
    """Print the tables."""
    dialects = (webarena.create(), browsergym.create(), turkingbench.create())
    samples: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, text in TEXTS.items():
            samples.setdefault(f"plain_text {name}", []).append(
                milliseconds(lambda t=text: plain_text(t), 2000)
            )
        samples.setdefault("plain_text 1 MB", []).append(
            milliseconds(lambda: plain_text("\x1b\u0301" * 500_000))
        )
        for dialect, typed, long in zip(
            dialects,
            ("click [", "click('", 'modify_text("'),
            ("type [5] [", "fill('5', '", 'type("'),
            strict=True,
        ):
            closing = "] [0]" if dialect.name == "webarena" else long[-1] + ")"
            whole = long + "a [b] c " * 125_000 + closing
            copied = milliseconds(lambda t=whole: t.encode())
            samples.setdefault(f"{dialect.name} parse 1 MB", []).append(
                milliseconds(lambda t=whole, d=dialect: d.parse(t))
            )
            samples.setdefault(f"{dialect.name} parse 1 MB / encoding it", []).append(
                samples[f"{dialect.name} parse 1 MB"][-1] / copied
            )
            observation = page()
            for query in ("", "r", "rem", "zkq", "2399"):
                samples.setdefault(f"{dialect.name} complete {query!r}", []).append(
                    milliseconds(lambda t=typed + query, d=dialect, o=observation: d.complete(t, o))
                )
    print(
        f"median of {ROUNDS}, ms unless a ratio; completion on {NODES:,} interactive nodes, first key first"
    )
    for name, values in samples.items():
        print(f"  {name:45} {statistics.median(values):10.4f}")


if __name__ == "__main__":
    main()

"""What a benchmark may offer: the list in its module's head is whole and names what is asked for."""

from __future__ import annotations

import re

from webbench.core.benchmark import benchmark

CONTRACT = {"Benchmark", "BenchmarkFactory", "Evaluator", "Stage"}


def test_the_list_of_what_a_benchmark_may_offer_is_whole() -> None:
    listed = dict(re.findall(r"^    (\w+) +(\w+)", benchmark.__doc__ or "", re.MULTILINE))
    own = [one for one in vars(benchmark).values() if getattr(one, "__module__", "") == benchmark.__name__]
    protocols = {one.__name__: one for one in own if getattr(one, "_is_protocol", False)}
    assert listed.keys() == protocols.keys() - CONTRACT
    for name, member in listed.items():
        assert member in {*vars(protocols[name]), *protocols[name].__annotations__}

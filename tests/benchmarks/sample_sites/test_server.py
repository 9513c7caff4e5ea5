"""One server, many episodes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.server import running_server


def buy(visitor: Episode, quantity: int) -> list[int]:
    form = {"product": "spruce-candle", "colour": "pine", "quantity": str(quantity)}
    for _ in range(3):
        visitor.post("/shop/cart/add", form)
    return [line["quantity"] for line in visitor.state()["shop"]["cart"]]


def test_parallel_episodes_share_nothing() -> None:
    with episode() as first, episode() as second, ThreadPoolExecutor(2) as pool:
        bought = list(pool.map(buy, (first, second), (1, 4)))
    assert bought == [[3], [12]]


def test_a_new_episode_starts_from_the_seed() -> None:
    with episode() as visitor:
        seed = visitor.state()
        buy(visitor, 2)
        visitor.post("/shop/account/save", {"name": "Somebody", "email": "a@b.example"})
        visitor.post("/annotation/job/review-sentiment/0/submit", {"sentiment": "Positive"})
        assert visitor.state() != seed
    with episode() as again:
        assert again.state() == seed


def test_many_resets_leave_nothing_behind() -> None:
    server = running_server()
    worlds = [server.open({}) for _ in range(50)]
    assert len({world.token for world in worlds}) == 50
    for world in worlds:
        server.close(world)
    assert not {world.token for world in worlds} & set(server._worlds)


def test_there_is_one_server_per_process() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len({id(server) for server in pool.map(lambda _: running_server(), range(8))}) == 1


def test_pages_come_without_the_wait_for_acknowledgements() -> None:
    """A kernel that gathers small pieces makes each page take 40 ms, but for the first of a connection."""
    with episode() as visitor:
        taken = [visitor.get("/shop/size-guide").elapsed.total_seconds() for _ in range(14)]
    assert min(taken[4:]) < 0.03

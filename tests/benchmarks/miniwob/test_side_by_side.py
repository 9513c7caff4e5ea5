"""The table of people, agents and the oracle (`side_by_side`)."""

from __future__ import annotations

from webbench.benchmarks.miniwob.side_by_side import Cell, source_table
from webbench.core.store.index.summaries import EpisodeSummary, State


def episode(
    actor: str,
    value: float | None = 1.0,
    *,
    task: str = "click-test",
    steps: int = 1,
    state: State = "ended",
    mixed: bool = False,
    benchmark: str = "miniwob",
    rules: str = "published",
) -> EpisodeSummary:
    return EpisodeSummary(
        run="r", episode="e", benchmark=benchmark, name=task, actor=actor, value=value, steps=steps,
        state=state, mixed=mixed, rules=rules,
    )  # fmt: skip


def test_sources_stand_side_by_side_and_what_lacks_is_told() -> None:
    table = source_table(
        [
            episode("human", 0.5, steps=3),
            episode("human", 1.0, steps=5),
            episode("human", None, steps=50),
            episode("gpt", 0.0, task="login-user", steps=4),
            episode("oracle", task="login-user", steps=2),
            episode("gpt", state="running"),
            episode("oracle + human", mixed=True),
            episode("human", benchmark="demo"),
        ]
    )
    assert table.sources == ("people", "gpt", "oracle")
    assert list(table.environments) == ["click-test", "login-user"]
    assert table.environments["click-test"] == {"people": Cell(episodes=3, scored=2, reward=0.75, steps=4)}
    assert table.environments["login-user"]["gpt"] == Cell(episodes=1, scored=1, reward=0, steps=4)
    assert table.missing == (
        "people: 1 of 133 environments, 3 episodes, 1 without a score",
        "gpt: 1 of 133 environments, 1 episode",
        "oracle: 1 of 133 environments, 1 episode",
        "left out: 1 episode without an end",
        "left out: 1 episode in which several acted",
    )


def test_scores_by_other_rules_have_columns_of_their_own() -> None:
    mixed = [episode("gpt", 0.5), episode("gpt", 1.0, rules="browsergym"), episode("human", rules="recorded")]
    table = source_table(mixed)
    assert table.sources == ("people (recorded)", "gpt", "gpt (browsergym)", "oracle")
    row = table.environments["click-test"]
    assert (row["gpt"].reward, row["gpt (browsergym)"].reward) == (0.5, 1.0)
    assert table.missing[:2] == (
        "people (recorded): 1 of 133 environments, 1 episode",
        "gpt: 1 of 133 environments, 1 episode",
    )


def test_a_source_without_any_episode_is_told() -> None:
    table = source_table([])
    assert table.sources == ("people", "oracle")
    assert table.missing == (
        "people: 0 of 133 environments, 0 episodes",
        "oracle: 0 of 133 environments, 0 episodes",
        "no agent but the oracle: run one, or import a run of one",
    )

"""Any task as a Gymnasium environment, checked by Gymnasium's own checker in a real browser."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import webbench as wb
from webbench.gym import ID, AnyText, TaskEnv

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.fixture
def env(tmp_path: Path) -> Iterator[TaskEnv]:
    made = TaskEnv("demo/price-of-lantern", store=tmp_path)
    yield made
    made.close()


@pytest.mark.thorough
def test_gymnasiums_checker_has_nothing_to_say(tmp_path: Path) -> None:
    made = gymnasium.make(ID, task="demo/price-of-lantern", store=tmp_path)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            check_env(made.unwrapped)
    finally:
        made.close()
    assert [str(one.message) for one in told if "gymnasium" in str(one.filename).lower()] == []


def test_a_right_answer_is_worth_one(env: TaskEnv, tmp_path: Path) -> None:
    observation, info = env.reset(seed=1)
    assert observation in env.observation_space
    assert "Lantern" in observation["goal"]
    assert observation["screenshot"].any()
    assert any(form.startswith("stop") for form in info["verbs"])
    assert env.action_space.sample() in env.action_space

    observation, reward, terminated, truncated, info = env.step("click [99999]")
    assert (reward, terminated, truncated, info["ok"]) == (0.0, False, False, False)
    assert "99999" in observation["last_error"]
    assert (info["status"], info["score"]) == ("scored", 0.0)

    observation, reward, terminated, truncated, info = env.step("stop [68]")
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert (info["score"], info["ended"]) == (1.0, "the actor stopped")
    assert info["checks"][0]["expected"] == [68.0]
    with pytest.raises(wb.WebbenchError, match="ended"):
        env.step("stop [68]")

    env.reset()
    assert [(one.actor, one.status) for one in wb.Store(tmp_path).episodes("status:scored")] == [
        ("gym", wb.Status.SCORED)
    ]


@pytest.mark.thorough
def test_a_limit_truncates_and_the_final_score_is_the_reward(tmp_path: Path) -> None:
    made = TaskEnv(
        "demo/price-of-lantern",
        reward="final",
        screenshot=False,
        render_mode="ansi",
        limits=wb.Budget(steps=2),
        store=tmp_path,
    )
    try:
        made.reset()
        assert made.step("scroll [down]")[1:4] == (0.0, False, False)
        observation, reward, terminated, truncated, info = made.step("scroll [up]")
        assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 0.0)
        assert not observation["screenshot"].any()
        assert made.render() == observation["text"]
    finally:
        made.close()
        made.close()


def test_a_step_before_the_start_is_refused(env: TaskEnv) -> None:
    with pytest.raises(wb.UsageError, match="reset"):
        env.step("stop [68]")


@pytest.mark.parametrize("wrong", [{"reward": "most"}, {"render_mode": "human"}])
def test_a_wrong_argument_is_told(wrong: dict[str, str]) -> None:
    with pytest.raises(wb.UsageError, match="one of"):
        TaskEnv("demo/price-of-lantern", **wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_texts_of_any_characters_are_in_the_space() -> None:
    space = AnyText(5)
    assert "é中\n" in space
    assert "" in space
    assert "too long" not in space
    assert 5 not in space
    assert space.sample() in space
    assert np.all([AnyText(9, ("one",)).sample() == "one" for _ in range(3)])

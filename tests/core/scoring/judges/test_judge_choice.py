"""Choosing a judge: specs, the settings behind them, and where the key comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.errors import BadData, UsageError
from webbench.core.models.prices import Price
from webbench.core.scoring.judges.human import HumanJudge, HumanVerdict
from webbench.core.scoring.judges.judge_choice import choose_judge, judge_key
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.settings import JudgeSettings

SETTINGS = JudgeSettings(model="configured", url="http://localhost:9/v1", input_price=1.5, output_price=0)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WEBBENCH_JUDGE_KEY", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


async def person(question: object) -> HumanVerdict | None:
    return None


@pytest.mark.parametrize("spec", ["", "none"])
def test_nobody(spec: str) -> None:
    assert choose_judge(spec, SETTINGS, person) is None


def test_a_person_only_where_there_is_one() -> None:
    assert isinstance(choose_judge("human", SETTINGS, person), HumanJudge)
    with pytest.raises(UsageError, match="needs a terminal"):
        choose_judge("human", SETTINGS)


def test_a_model_by_name_or_as_configured() -> None:
    configured = choose_judge("model", SETTINGS)
    named = choose_judge("gpt-x url=https://h.example/v1 temperature=", SETTINGS)
    assert isinstance(configured, ModelJudge)
    assert isinstance(named, ModelJudge)
    assert (configured.name, named.name) == ("configured at localhost", "gpt-x at h.example")
    assert configured.sampling.parameters == {"temperature": 0.0}
    assert named.sampling.parameters == {}
    assert configured.endpoint.price == Price(input=1.5, output=0.0)
    priced = choose_judge("gpt-x-2026-03-01", SETTINGS, prices={"gpt-x": "2.5 10"})
    assert isinstance(priced, ModelJudge)
    assert priced.endpoint.price == Price(input=2.5, output=10.0)
    patient = choose_judge("gpt-x timeout=600 at_a_time=1 max_tokens=9", SETTINGS)
    assert isinstance(patient, ModelJudge)
    assert (patient.endpoint.timeout, patient.at_a_time, patient.sampling.max_tokens) == (600, 1, 9)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("none now", 'takes no option "now"'),
        ("gpt-x 'url", "can't be read"),
        ("gpt-x heat=1", 'no option "heat=1"'),
        ("gpt-x temperature=3", '"3" is no temperature'),
        ("gpt-x temperature=nan", '"nan" is no temperature'),
        ("gpt-x url=ftp://h", "is no address"),
        ("gpt-x at_a_time=0", '"0" is no number of questions'),
        ("gpt-x timeout=soon", '"soon" is no number of seconds'),
    ],
)
def test_wrong_specs(spec: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        choose_judge(spec, SETTINGS)


def test_no_model_is_set() -> None:
    with pytest.raises(UsageError, match="No model is set"):
        choose_judge("model", JudgeSettings())


def test_the_key_comes_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    path.write_text("sk-file\n")
    settings = JudgeSettings(key_file=str(path))
    assert judge_key(settings) == "sk-file"
    monkeypatch.setenv("WEBBENCH_JUDGE_KEY", " sk-env ")
    assert judge_key(settings) == "sk-env"
    assert judge_key(JudgeSettings()) == "sk-env"


@pytest.mark.parametrize("content", [b"", b"sk-one\nsk-two", b"\xff\xfe", "schlüssel".encode()])
def test_a_key_file_that_holds_no_key_is_not_quoted(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(BadData, match="key file") as caught:
        judge_key(JudgeSettings(key_file=str(path)))
    assert "sk-" not in str(caught.value)


def test_a_project_file_does_not_say_where_the_key_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("WEBBENCH_JUDGE_KEY", "sk-env")
    (tmp_path / "webbench.toml").write_text('judge.url = "https://elsewhere.example/v1"')
    settings = load_settings(folder=tmp_path)
    assert settings.judge == JudgeSettings()
    assert "judge.url is not taken from a project file" in settings.problems[0]
    assert len(settings.problems) == 1, "the variable of the key is no unknown setting"

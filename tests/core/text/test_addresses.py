"""Addresses are shown and recorded without the secrets that stand in them."""

from __future__ import annotations

import pytest

from webbench.core.text.addresses import without_secrets


@pytest.mark.parametrize(
    "given",
    [
        "?token=SECRET&q=1",
        "#access_token=SECRET&q=1",
        "?user[password]=SECRET&q=1",
        "?user%5Bpassword%5D=SECRET&q=1",
        "?sid=SECRET&q=1",
        ";jsessionid=SECRET;q=1",
        "?SAMLResponse=SECRET&q=1",
        "?code_verifier=SECRET&q=1",
    ],
)
def test_a_secret_is_hidden_and_the_rest_stays(given: str) -> None:
    shown = without_secrets(f"https://a.test/cb{given}")
    assert "SECRET" not in shown
    assert shown.startswith("https://a.test/cb")
    assert shown.endswith("q=1")


def test_what_only_looks_like_one_stays() -> None:
    for address in ("https://a.test/?monkeys=3&resident=x", "https://a.test/token/7?page=2"):
        assert without_secrets(address) == address

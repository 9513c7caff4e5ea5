"""What doctor says of drivers: versions that don't fit, and endpoints that are something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Answer, Site
from webbench.core.browser.starting.browser_options import LaunchOptions
from webbench.core.doctor.browser_check import chromedriver, endpoint, playwright
from webbench.core.doctor.finding import Finding


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\necho '{text}'\n")
    path.chmod(0o755)
    return path


def said(body: object) -> Answer:
    return 200, {"content-type": "application/json"}, json.dumps(body).encode()


def test_playwright_tells_its_version() -> None:
    found = playwright(LaunchOptions())
    assert (found.state, found.detail[:2]) == ("ok", "1.")


@pytest.mark.parametrize(
    ("told", "state", "detail"),
    [
        ("ChromeDriver 156.0.1.9 (abc)", "ok", "chromedriver 156.0.1.9 at"),
        ("ChromeDriver 155.0.9.9 (abc)", "problem", "does not fit Chromium 156.0.1.2"),
        ("not today", "problem", "tells no version: not today"),
    ],
)
def test_chromedriver_must_fit_the_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str, state: str, detail: str
) -> None:
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", str(program(tmp_path / "chromedriver", told)))
    browser = program(tmp_path / "chromium", "Chromium 156.0.1.2 built on nothing")
    found = chromedriver(LaunchOptions(driver="selenium", executable=browser))
    assert (found.state, detail in found.detail) == (state, True), found
    if state == "problem":
        assert "WEBBENCH_CHROMEDRIVER" in found.mend
        assert chromedriver(LaunchOptions(executable=browser)).state == "warning"


def test_without_chromedriver_selenium_would_fetch_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    browser = program(tmp_path / "chromium", "Chromium 156.0.1.2")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = chromedriver(LaunchOptions(driver="selenium", executable=browser))
    assert (found.state, "Selenium Manager" in found.detail) == ("warning", True)
    monkeypatch.setenv("WEBBENCH_CHROMEDRIVER", "/nonexistent")
    assert "WEBBENCH_CHROMEDRIVER names /nonexistent" in chromedriver(LaunchOptions()).detail


def test_a_grid_tells_its_nodes_and_free_slots(serve: Site) -> None:
    slots = [{"session": None}, {"session": {"sessionId": "s"}}]
    value = {"ready": True, "message": "ready", "nodes": [{"slots": slots}, {"slots": [{"session": None}]}]}
    serve(said({"value": value}), "/status")
    found = endpoint("selenium", serve.url.replace("://", "://ann:secret@"))
    assert (found.state, found.detail) == ("ok", f"{serve.url}, a Grid of 2 nodes, 2 of 3 slots free")
    serve(said({"value": {"ready": False, "message": "no nodes", "nodes": []}}), "/status")
    found = endpoint("selenium", serve.url)
    assert (found.state, "not ready: no nodes" in found.detail) == ("problem", True)


def test_a_browser_tells_its_product(serve: Site) -> None:
    serve(said({"Browser": "Chrome/156.0.1.2"}), "/json/version")
    assert endpoint("playwright", serve.url) == Finding(
        "browser endpoint", "ok", f"{serve.url}, Chrome/156.0.1.2"
    )


@pytest.mark.parametrize("driver", ["selenium", "playwright"])
@pytest.mark.parametrize("answer", [said([1]), said({"value": 5}), (200, {}, b"<html>"), (500, {}, b"")])
def test_what_is_something_else_is_said_to_be(serve: Site, driver: str, answer: Answer) -> None:
    serve(answer, "/status" if driver == "selenium" else "/json/version")
    found = endpoint("selenium" if driver == "selenium" else "playwright", serve.url)
    assert (found.state, bool(found.mend)) == ("problem", True)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "127.0.0.1:4444", "file:///etc/passwd"])
def test_nothing_there(address: str) -> None:
    assert endpoint("selenium", address).state == "problem"

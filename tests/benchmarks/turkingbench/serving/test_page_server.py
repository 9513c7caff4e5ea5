"""The page server: secret paths, files confined to the task's folder, started and stopped with its users."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import httpx
import pytest

from webbench.benchmarks.turkingbench.serving.page_server import PageServer, ServedPage, shared_server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    task = tmp_path / "task"
    task.mkdir()
    (task / "picture.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    (task / "link.txt").symlink_to(tmp_path / "secret.txt")
    return task


async def test_a_page_is_served_until_it_is_removed(folder: Path) -> None:
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        url = server.add(ServedPage("<p>ü</p>", folder))
        answer = await client.get(url)
        assert (answer.status_code, answer.text) == (200, "<p>ü</p>")
        assert answer.headers["cache-control"] == "no-store"
        server.remove(url)
        assert (await client.get(url)).status_code == 404


async def test_files_come_from_the_folder_of_the_task_alone(folder: Path) -> None:
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        url = server.add(ServedPage("", folder))
        assert (await client.get(f"{url}picture.svg")).text == "<svg/>"
        for path in ("%2e%2e/secret.txt", "..%2fsecret.txt", "link.txt", "missing", "%00", "%2fetc%2fpasswd"):
            assert (await client.get(f"{url}{path}")).status_code == 404, path


async def test_the_answers_beside_a_page_are_never_served(folder: Path) -> None:
    names = ("batch.csv", "BATCH.CSV", "batch.csv.bak", "batch.xlsx", "gold.json", "batch", "template.html")
    for name in names:
        (folder / name).write_text("Answer.a\nsecret")
    (folder / "answers.png").symlink_to(folder / "batch.csv")
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        url = server.add(ServedPage("", folder))
        for path in (*names, "./batch.csv", "%62atch.csv", "answers.png"):
            assert (await client.get(f"{url}{path}")).status_code == 404, path


async def test_a_foreign_host_name_that_leads_here_is_refused(folder: Path) -> None:
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        url = server.add(ServedPage("<p>page</p>", folder))
        for path in (url, f"{url}picture.svg", f"{server.origin}/static/page.js"):
            assert (await client.get(path, headers={"host": "rebound.example"})).status_code == 400, path
            assert (await client.get(path, headers={"host": "localhost:80"})).status_code == 200, path


async def test_submitting_is_noticed_and_says_so(folder: Path) -> None:
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        page = ServedPage("", folder)
        url = server.add(page)
        assert not page.submitted
        answer = await client.post(f"{url}submit", data={"a": "b"})
        assert "Submitted" in answer.text
        assert page.submitted


async def test_our_scripts_are_served(folder: Path) -> None:
    async with PageServer().running() as server, httpx.AsyncClient() as client:
        answer = await client.get(f"{server.origin}/static/page.js")
        assert answer.status_code == 200
        assert "javascript" in answer.headers["content-type"]


async def test_users_share_one_server_which_ends_with_the_last(folder: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    server = shared_server()
    async with server.running():
        origin = server.origin
        async with shared_server().running() as again:
            assert again.origin == origin
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"{origin}/static/page.js")).status_code == 200
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(OSError, match=r"[Cc]onnect"):
        await asyncio.open_connection("127.0.0.1", int(origin.rpartition(":")[2]))

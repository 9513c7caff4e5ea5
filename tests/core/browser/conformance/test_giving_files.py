"""Files where the field for them is hidden: a button, an area, a drop zone, as most forms have them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, id_of, opened, refused, value
from webbench.core.action.action import AnswerDialog, Click, ClickAt, Goto, Upload
from webbench.core.browser.acting import file_dialog
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.driver import CdpSession

FORM = """<!doctype html><title>t</title><style>#zone, #mute { height: 60px; border: 1px dashed }</style>
<button id=pick onclick="one.click()">Choose a picture</button><input id=one type=file hidden>
<div id=area onclick="setTimeout(() => many.click(), 50)">Browse</div>
<input id=many type=file multiple hidden>
<label id=label>Attach<input id=two type=file style="display:none"></label>
<div id=around role=button tabindex=0>Add<input id=three type=file hidden></div>
<div id=zone>Drop here</div> <div id=mute>Nothing here</div>
<div id=half ondragover="event.preventDefault()" ondrop="event.stopPropagation()">Half</div>
<textarea id=chat>chat</textarea> <p id=told></p>
<script>for (const id of ['zone', 'chat']) {
  const zone = document.getElementById(id);
  zone.ondragover = (event) => event.preventDefault();
  zone.ondrop = async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    told.textContent = `${id}: ${file.name} ${await file.text()} ${event.isTrusted}`;
  };
}</script>"""


async def test_upload_works_on_what_opens_the_dialog_and_on_a_drop_zone(
    driven: BrowserEnvironment, serve: Site, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"in {name}")
    await opened(driven, serve(FORM), uploads=tmp_path)
    result = await done(driven, Upload(target=css("#pick"), files=("a.txt",)))
    assert result.output == "by the file dialog that it opens"
    assert await value(driven, "#one", "files[0].name") == "a.txt"
    await done(driven, Upload(target=css("#area"), files=("a.txt", "b.txt")))
    assert await value(driven, "#many", "files.length") == 2
    await done(driven, Upload(target=css("#label"), files=("b.txt",)))
    assert await value(driven, "#two", "files[0].name") == "b.txt"
    assert (
        await done(driven, Upload(target=css("#around"), files=("b.txt",)))
    ).output == "to the file field in it"
    assert await value(driven, "#three", "files[0].name") == "b.txt"
    assert "takes one file, not 2" in await refused(
        driven, Upload(target=css("#pick"), files=("a.txt", "b.txt"))
    )
    for zone in ("zone", "chat"):
        assert (await done(driven, Upload(target=css(f"#{zone}"), files=("a.txt",)))).output == "as a drop"
        assert await value(driven, "#told", "textContent") == f"{zone}: a.txt in a.txt true"
    for silent in ("#mute", "#half"):
        error = await refused(driven, Upload(target=css(silent), files=("a.txt",)))
        assert "was clicked, and opens no file dialog, and takes nothing that is dropped on it" in error
    seen = await driven.observe()
    assert (seen.title, len(seen.tabs)) == ("t", 1), "the browser opens what a page lets pass"


async def test_a_click_that_opens_a_file_dialog_says_so(driven: BrowserEnvironment, serve: Site) -> None:
    await opened(driven, serve(FORM))
    button = id_of(await driven.observe(), "button", "Choose")
    assert "opened the dialog that chooses a file" in (await done(driven, Click(target=button))).output
    label = await value(driven, "#label", "getBoundingClientRect().top")
    assert "opened the dialog" in (await done(driven, ClickAt(x=20, y=label + 5))).output
    assert (await done(driven, Click(target=css("#mute")))).output == ""
    await done(driven, Goto(url=serve.other_origin))
    assert "opened the dialog that chooses a file" in (await done(driven, Click(target=css("#pick")))).output


async def test_a_person_before_the_window_has_the_dialogs_back_after_an_action_that_failed(
    driven: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(driven, serve("<button disabled>No</button><button onclick='confirm()'>Ask</button>"))
    theirs = msgspec.structs.replace(driven.browser.options, endpoint="http://there.test")
    monkeypatch.setattr(driven.browser, "options", theirs)
    told: list[bool] = []
    intercept = file_dialog._intercept

    async def noted(sessions: set[CdpSession], *, enabled: bool) -> None:
        told.append(enabled)
        await intercept(sessions, enabled=enabled)

    monkeypatch.setattr(file_dialog, "_intercept", noted)
    await refused(driven, Click(target=css("[disabled]")))
    assert told == [True, False]
    await done(driven, Click(target=css("[onclick]")))
    await done(driven, AnswerDialog(accept=True))
    assert told == [True, False, True, False]

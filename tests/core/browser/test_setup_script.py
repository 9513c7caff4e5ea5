"""The set-up script on machines that lack this or that; Python, apt and id are played by small programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / ".ci" / "setup.sh"
TOOLS = ("sh", "cat", "tail", "env", "mkdir", "cp", "touch", "chmod")
APT = """#!/bin/sh
echo "apt-get $*" >>"$LOG"
case "$*" in
  *venv*) touch "$MACHINE/venv-module" ;;
  *chromium-driver*) [ "$APT_DRIVER" != none ] ;;
  *chromium*) [ "$APT_CHROMIUM" = real ] && touch "$MACHINE/chromium"; [ "$APT_CHROMIUM" != none ] ;;
  *xvfb*) [ "$APT_XVFB" != none ] ;;
esac
"""
PYTHON = """#!/bin/sh
case "$*" in
  *"version_info < "*) exit 0 ;;
  *print*) echo python3.11 ;;
  "-m venv"*)
    mkdir -p "$VENV/bin"
    [ -e "$MACHINE/venv-module" ] || exit 1
    cp "$MACHINE/inner" "$VENV/bin/python" ;;
esac
"""
INNER = """#!/bin/sh
none() { echo "no Chromium was found" >&2; exit 3; }
case "$*" in
  "-m pip --version") exit 0 ;;
  "-m pip install"*) echo "pip" >>"$LOG"; echo "WARNING: noise" >&2 ;;
  "-m playwright"*) echo "playwright ${*#-m playwright }" >>"$LOG"
    [ "$PLAYWRIGHT" = real ] || { echo "no network" >&2; exit 1; }
    touch "$MACHINE/chromium" ;;
  *launch) [ -e "$MACHINE/chromium" ] || [ -e "$MACHINE/shell" ] || none; echo "Chromium 1.2" ;;
  *"launch --windowed") [ -e "$MACHINE/chromium" ] || none; echo "Chromium 1.2" ;;
esac
"""


class Machine:
    """A folder that stands for a machine; what is installed are files in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.programs = folder / "programs"
        self.programs.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found
            (self.programs / tool).symlink_to(found)
        self.program("python3", PYTHON)
        self.program("inner", INNER, folder)

    def program(self, name: str, text: str, folder: Path | None = None) -> None:
        path = (folder or self.programs) / name
        path.write_text(text)
        path.chmod(0o755)

    def debian(self, *, root: bool = True) -> None:
        self.program("apt-get", APT)
        self.program("Xvfb", "")
        self.program("chromedriver", "")
        self.program("id", f"#!/bin/sh\necho {0 if root else 1000}\n")

    def has(self, *things: str) -> None:
        for thing in things:
            (self.folder / thing).touch()

    def set_up(self, **environment: str) -> tuple[int, list[str], str]:
        """Exit code, what was installed, and what a person reads."""
        given = {"MACHINE": self.folder, "LOG": self.log, "VENV": self.folder / "venv", "PATH": self.programs}
        answer = subprocess.run(
            ["/bin/sh", str(SCRIPT)],
            env={key: os.fspath(value) for key, value in (given | environment).items()},
            capture_output=True,
            text=True,
        )
        done = self.log.read_text().splitlines() if self.log.exists() else []
        return answer.returncode, [line for line in done if line != "pip"], answer.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.program("id", "#!/bin/sh\necho 1000\n")
    return machine


def test_nothing_is_installed_where_all_is_there(machine: Machine) -> None:
    machine.debian()
    machine.has("venv-module", "chromium")
    machine.program("chromium", "")
    code, installed, said = machine.set_up()
    assert (code, installed) == (0, [])
    beforehand, *lines = said.splitlines()
    assert "takes a few minutes" in beforehand
    assert lines == [f"Creating {machine.folder / 'venv'}", "Installing dependencies", "Chromium 1.2"]
    assert "Creating" not in machine.set_up()[2]


def test_venv_and_chromium_come_from_apt_as_root(machine: Machine) -> None:
    machine.debian()
    code, installed, _ = machine.set_up(APT_CHROMIUM="real")
    assert code == 0
    assert installed == [
        "apt-get update -qq",
        "apt-get install -y -qq python3.11-venv",
        "apt-get install -y -qq chromium",
    ]


@pytest.mark.parametrize("package", ["stub", "none"])
def test_playwright_helps_where_apt_has_no_real_chromium(machine: Machine, package: str) -> None:
    machine.debian()
    machine.has("venv-module")
    code, installed, _ = machine.set_up(APT_CHROMIUM=package, PLAYWRIGHT="real")
    assert code == 0
    assert installed[-2:] == ["playwright install-deps chromium", "playwright install chromium"]


def test_playwright_comes_first_for_who_is_not_root(machine: Machine) -> None:
    machine.debian(root=False)
    machine.has("venv-module")
    code, installed, _ = machine.set_up(PLAYWRIGHT="real")
    assert (code, installed) == (0, ["playwright install chromium"])


def test_it_fails_loudly_where_no_browser_comes(machine: Machine) -> None:
    machine.has("venv-module")
    code, _, said = machine.set_up(PLAYWRIGHT="none")
    assert code == 3
    assert said.splitlines()[-3:] == [
        "no network",
        "Playwright could not install one",
        "no Chromium was found",
    ]


def test_a_headless_shell_will_do_where_no_whole_browser_comes(machine: Machine) -> None:
    machine.has("venv-module", "shell")
    code, installed, said = machine.set_up(PLAYWRIGHT="none")
    assert (code, installed) == (0, ["playwright install chromium"])
    assert said.splitlines()[-2:] == ["Playwright could not install one", "Chromium 1.2"]


def test_a_browser_that_is_named_is_not_replaced(machine: Machine) -> None:
    machine.debian()
    machine.has("venv-module")
    code, installed, said = machine.set_up(WEBBENCH_CHROMIUM="/nonexistent")
    assert (code, installed) == (3, [])
    assert said.endswith("no Chromium was found\n")


def test_without_root_the_missing_venv_module_is_named(machine: Machine) -> None:
    code, installed, said = machine.set_up()
    assert (code, installed) == (3, [])
    assert "install the package python3.11-venv" in said


def test_a_display_is_installed_where_it_can_be_and_missed_by_nobody_else(machine: Machine) -> None:
    machine.debian()
    machine.has("venv-module", "chromium")
    machine.program("chromium", "")
    (machine.programs / "Xvfb").unlink()
    code, done, told = machine.set_up(APT_XVFB="none")
    assert code == 0
    assert done[-1] == "apt-get install -y -qq xvfb"
    assert "Installing xvfb with apt" in told
    assert "apt has no xvfb that can be installed" in told


@pytest.mark.parametrize("there", [True, False])
def test_chromedriver_comes_with_apts_chromium_and_with_no_other(machine: Machine, there: bool) -> None:
    machine.debian()
    machine.has("venv-module", "chromium")
    (machine.programs / "chromedriver").unlink()
    machine.program("chromium" if there else "google-chrome", "")
    code, done, told = machine.set_up(APT_DRIVER="none")
    assert code == 0
    assert ("apt-get install -y -qq chromium-driver" in done) == there
    assert ("apt has no chromium-driver that can be installed" in told) == there

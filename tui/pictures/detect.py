"""What pictures this terminal can show, asked before the application takes it over."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from webbench.tui.terminal import at_terminal

PictureMode = Literal["half-block", "kitty", "sixel", "text"]
MODES: tuple[PictureMode, ...] = ("half-block", "kitty", "sixel", "text")

QUERY = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>0q\x1b[16t\x1b[c"
"""Kitty graphics, name and version, cell size in pixels, device attributes: the last ends the wait."""

PLACEHOLDER_TERMINALS = ("kitty", "ghostty")


@dataclass(frozen=True, slots=True)
class Graphics:
    """How to show pictures here, and why.

    Attributes:
        cell: width and height of a cell in pixels, as told or assumed.
        tmux: sequences have to be wrapped for tmux.
    """

    mode: PictureMode
    why: str
    terminal: str = ""
    cell: tuple[int, int] = (10, 20)
    tmux: bool = False


def detect_graphics(
    setting: str = "auto", *, timeout: float = 0.4, environment: Mapping[str, str] = os.environ
) -> Graphics:
    """The best way to show pictures; call it before the application runs, never from within.

    Args:
        setting: "auto", or one of `MODES` to override what the terminal says.
        timeout: seconds to wait for the terminal's answers.
    """
    in_tmux = bool(environment.get("TMUX"))
    if setting in MODES:
        cell = parse_answer(_ask(timeout)).cell if setting in ("kitty", "sixel") else (10, 20)
        return Graphics(setting, "chosen in the settings", cell=cell, tmux=in_tmux)
    if environment.get("TERM", "dumb") in ("dumb", "linux", "unknown"):
        return Graphics("half-block", f"TERM is {environment.get('TERM', 'not set')}")
    if in_tmux:
        return _in_tmux()
    return parse_answer(_ask(timeout))


def parse_answer(answer: str) -> Graphics:
    """What a terminal's answer to `QUERY` means."""
    if not answer:
        return Graphics("half-block", "the terminal answered no question about graphics")
    name = re.search(r"\x1bP>\|([^\x1b]{0,80})\x1b\\", answer)
    terminal = name[1] if name else ""
    size = re.search(r"\x1b\[6;(\d{1,4});(\d{1,4})t", answer)
    cell = (int(size[2]), int(size[1])) if size and int(size[1]) and int(size[2]) else (10, 20)
    attributes = re.search(r"\x1b\[\?([\d;]+)c", answer)
    has_sixel = bool(attributes) and "4" in (attributes[1].split(";")[1:] if attributes else ())
    if "\x1b_Gi=31;OK" in answer and terminal.lower().startswith(PLACEHOLDER_TERMINALS):
        return Graphics("kitty", "the terminal speaks the kitty protocol", terminal, cell)
    if has_sixel:
        return Graphics("sixel", "the terminal says it draws sixels", terminal, cell)
    return Graphics("half-block", "the terminal names neither kitty graphics nor sixels", terminal, cell)


def _in_tmux() -> Graphics:
    """In tmux a question may be answered by either side, so tmux itself is asked."""
    try:
        reply = subprocess.run(
            ["tmux", "display-message", "-p", "#{client_termname} #{allow-passthrough}"],
            capture_output=True,
            text=True,
            timeout=1,
            check=False,
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        reply = []
    outside = reply[0] if reply else ""
    passes = len(reply) > 1 and reply[1] in ("on", "all", "1")
    if passes and any(name in outside for name in PLACEHOLDER_TERMINALS):
        return Graphics("kitty", "tmux passes graphics on to the terminal outside", outside, tmux=True)
    return Graphics("half-block", "inside tmux", outside, tmux=True)


def _ask(timeout: float) -> str:
    """Send the query and read until the device attributes come or time is up; "" without a terminal."""
    try:
        import termios
        import tty
    except ImportError:
        return ""
    if not at_terminal():
        return ""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    answer = b""
    try:
        tty.setraw(descriptor)
        sys.stdout.write(QUERY)
        sys.stdout.flush()
        deadline = time.monotonic() + timeout
        while not re.search(rb"\x1b\[\?[\d;]+c", answer):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                break
            answer += os.read(descriptor, 1024)
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
    return answer.decode("ascii", "replace")

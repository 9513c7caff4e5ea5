"""A person as judge at the terminal: the question on stderr, the verdict and the reason from stdin."""

from __future__ import annotations

import asyncio
import sys

from webbench.core.judge import Question
from webbench.core.scoring.judges.human import AskPerson, HumanVerdict
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.cli.output import say

LONGEST_FIELD = 4000


def person_at() -> AskPerson | None:
    """How to ask the person at this terminal, None where there is none."""
    return ask_at_terminal if sys.stdin.isatty() and sys.stderr.isatty() else None


async def ask_at_terminal(question: Question) -> HumanVerdict | None:
    """The person's verdict; an empty line, or the end of the input, leaves the question open."""
    say("")
    say(f"{question.kind}: what is your verdict?")
    for name, text in question.fields.items():
        say(f"  {name}: {plain_text(text, limit=LONGEST_FIELD)}")
    if question.pictures:
        shown = counted(len(question.pictures), "screenshot")
        say(f"  {shown}: `webbench-tui report EPISODE --html FILE` has them on one page")
    for number, verdict in enumerate(question.verdicts, start=1):
        say(f"  {number}  {verdict}")
    while True:
        given = (await _line(f"1-{len(question.verdicts)}, Enter to leave it open: ")).strip()
        if not given:
            return None
        verdict = _chosen(given, question)
        if verdict:
            return HumanVerdict(verdict, (await _line("why (may be empty): ")).strip())
        say(f'"{given}" is none of them')


def _chosen(given: str, question: Question) -> str:
    """The verdict of a number or word, "" for anything else."""
    if given.isascii() and given.isdigit() and 1 <= int(given) <= len(question.verdicts):
        return question.verdicts[int(given) - 1]
    return given if given in question.verdicts else ""


async def _line(prompt: str) -> str:
    """One line of stdin; "" at its end.

    Waits in the loop and not in a thread, which Ctrl+C could not end.
    """
    print(prompt, end="", file=sys.stderr, flush=True)
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sys.stdin, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()

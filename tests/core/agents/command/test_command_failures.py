"""Programs that break off: each way is told exactly, and the episode is not scored, never 0."""

from __future__ import annotations

import asyncio
import resource

import pytest

from tests.core.agents.programs import Place
from webbench.core.agents.command.output import LineTooLong, OutputLines
from webbench.core.engine.session import agent_turns
from webbench.core.score.score import Status

READ = "import sys, time\nwrite = sys.stdout.write\nfor line in sys.stdin:\n  if '\"observation\"' in line: "
HALF = READ + 'write(\'{"action": "cli\'); sys.stdout.flush(); '
ENDLESS = READ + "write('x' * 100_000_000 + '\\n'); sys.stdout.flush()"
CHILD = READ + "import subprocess; subprocess.Popen(['sleep', '60']); sys.exit(0)"
ONCE = READ + 'print(\'{"verb": "say", "text": "x"}\', flush=True); sys.exit(%d)'

BEGUN = ', in the middle of the line "{"action": "cli"'
STAY = "it has to answer every observation"
MUTE = "it wrote nothing to stderr; "


@pytest.mark.parametrize(
    ("source", "told", "advice"),
    [
        (HALF + "time.sleep(60)", f"gave no answer within 4 s{BEGUN}", "end each answer with a line feed"),
        (READ + "time.sleep(60)", "gave no answer within 4 s", "--timeout SECONDS gives it more"),
        (HALF + "sys.exit(3)", f"ended with exit code 3{BEGUN}", STAY),
        (READ + "sys.exit(0)", "ended with exit code 0", STAY),
        (ONCE % 0, "ended with exit code 0", STAY),
        (CHILD, "ended with exit code 0, and what it had started gave no answer within 4 s", STAY),
        (ENDLESS, "sent a line of more than 4,194,304 bytes", "an answer is one short line"),
    ],
    ids=["half a line", "silent", "half a line, then exit", "exit", "answer, then exit", "child", "100 MB"],
)
async def test_how_a_program_broke_off_is_told_and_not_scored(
    place: Place, source: str, told: str, advice: str
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with place.episode() as episode:
        timeout = 4 if "60" in source else 60
        await agent_turns.run(episode, place.agent(source, flags=f"--timeout {timeout}"))
    acted = [step.text for step in episode.steps if step.acted]
    assert len(acted) == (source == ONCE % 0), "half an answer is none"
    assert (episode.score.status, episode.score.value) == (Status.NOT_SCORED, None)
    assert f"{told} ({MUTE}{advice}" in episode.score.reason
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 80_000, "KB: it isn't held whole"


async def test_lines_are_whole_however_they_come_and_a_cancelled_read_loses_none() -> None:
    stream = asyncio.StreamReader()
    lines = OutputLines(stream, longest=8)
    stream.feed_data(b"one\ntwo\nth")
    assert [await lines.next(), await lines.next()] == [b"one\n", b"two\n"]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(lines.next(), 0.01)
    assert lines.begun == b"th"
    stream.feed_data(b"ree\n12345678\n123456789\n")
    assert [await lines.next(), await lines.next()] == [b"three\n", b"12345678\n"]
    with pytest.raises(LineTooLong):
        await lines.next()


async def test_a_last_line_without_its_end_is_an_answer_where_the_program_ended_well(place: Place) -> None:
    async with place.episode() as episode:
        agent = place.agent(READ + 'write(\'{"verb": "stop"}\'); sys.exit(0)')
        await agent_turns.run(episode, agent)
    assert episode.ended == "the actor stopped"

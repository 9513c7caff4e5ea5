"""Programs that are agents, when the process that asked them is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from tests.core.engine.processes import alive

OWNER = """
import asyncio, sys
from webbench.core.agents.command.reaping import Survivor

async def own():
    nowhere = asyncio.subprocess.DEVNULL
    program = await asyncio.create_subprocess_exec("sleep", "60", stdout=nowhere, start_new_session=True)
    survivor = await Survivor.beside(program.pid)
    if sys.argv[1] == "dismiss":
        await survivor.dismiss()
    print(program.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(own())
"""


def test_a_program_that_heeds_nothing_ends_when_its_owner_is_killed() -> None:
    owners = {
        what: subprocess.Popen([sys.executable, "-c", OWNER, what], stdout=subprocess.PIPE, text=True)
        for what in ("keep", "dismiss")
    }
    programs = {what: int(owner.stdout.readline()) for what, owner in owners.items() if owner.stdout}
    for owner in owners.values():
        owner.kill()
        owner.communicate()
    end = time.monotonic() + 20
    while alive(programs["keep"]) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(programs["keep"])
    assert alive(programs["dismiss"]), "nobody minds what has been dismissed"
    os.kill(programs["dismiss"], signal.SIGKILL)

"""A program that speaks docker's command line as far as sites need it, and keeps its state in a file.

What it takes is what docker 27 and podman 5 take: the words, the exit codes, inspect's JSON, the messages of
what isn't there. A container "runs" as soon as it is made; whether its site answers is the test's affair.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

STATE = Path(os.environ["FAKE_DOCKER_STATE"])
VALUED = ("--name", "--label", "--publish", "--env", "--volume", "--shm-size", "--platform")


def failed(message: str, code: int = 1) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(code)


def run(state: Any, words: list[str]) -> None:
    options: dict[str, list[str]] = {}
    while words and words[0].startswith("--"):
        flag = words.pop(0)
        if flag in VALUED:
            options.setdefault(flag, []).append(words.pop(0))
        elif flag != "--detach":
            failed(f"unknown flag: {flag}", 125)
    image, command = words[0], words[1:]
    (name,) = options["--name"]
    if image not in state["images"]:
        failed(f"Unable to find image '{image}' locally", 125)
    if name in state["containers"]:
        failed(f'Conflict. The container name "/{name}" is already in use', 125)
    labels = dict(label.split("=", 1) for label in options.get("--label", []))
    made = {"state": "running", "image": image, "labels": labels, "options": options, "command": command}
    state["containers"][name] = made
    print("0123456789ab")


def main(words: list[str]) -> None:
    state = json.loads(STATE.read_text())
    state["calls"].append(words)
    STATE.write_text(json.dumps(state))
    containers = state["containers"]
    match words:
        case ["version"]:
            print("Client: 27.0")
        case ["container", "inspect", name]:
            if name not in containers:
                failed(f"Error response from daemon: No such container: {name}")
            one = containers[name]
            config = {"Image": one["image"], "Labels": one["labels"]}
            print(json.dumps([{"State": {"Status": one["state"]}, "Config": config}]))
        case ["image", "inspect", image]:
            if image not in state["images"]:
                failed(f"Error: No such image: {image}")
            print("[{}]")
        case ["volume", "inspect", name]:
            if name not in state["volumes"]:
                failed(f"Error response from daemon: get {name}: no such volume")
            print("[{}]")
        case ["pull", image]:
            state["images"].append(image)
        case ["run", *rest]:
            run(state, rest)
        case ["start", name]:
            containers[name]["state"] = "running"
        case ["rename", name, other]:
            if other in containers:
                failed(f'Conflict. The container name "/{other}" is already in use')
            containers[other] = containers.pop(name)
        case ["exec", name, *_]:
            if name not in containers:
                failed(f"Error response from daemon: No such container: {name}")
            if state["hanging_execs"]:
                signal.pause()
            if state["failing_execs"]:
                state["failing_execs"] -= 1
                STATE.write_text(json.dumps(state))
                failed("the service is not up yet", 1)
        case ["rm", "--force", "--volumes", name]:
            del containers[name]
        case _:
            failed(f"docker: '{words[0]}' is not a docker command.", 125)
    STATE.write_text(json.dumps(state))


if __name__ == "__main__":
    main(sys.argv[1:])

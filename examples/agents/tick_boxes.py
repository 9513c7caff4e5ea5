#!/usr/bin/env python3
"""An agent in twenty lines: it ticks every unticked box, submits, and stops.

It counts its answers, and goes on counting where it is started anew in the middle of an episode.

webbench-tui run demo --agent "command python3 examples/agents/tick_boxes.py"
"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answers = message.get("state") or 0
    if message["type"] != "observation":
        continue
    boxes = [
        node
        for node in message["observation"]["nodes"]
        if node["role"] == "checkbox" and node.get("states", {}).get("checked") in (None, False, "false")
    ]
    if boxes and not message["last_error"]:
        action = {"verb": "check", "target": {"id": boxes[0]["id"]}}
    else:
        action = {"verb": "stop" if message["last_action"].startswith("submit") else "submit"}
    answers += 1
    print(json.dumps({"action": action, "reasoning": f"answer {answers}", "state": answers}), flush=True)

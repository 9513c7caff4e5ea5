#!/usr/bin/env python3
"""An agent in twenty lines: it ticks every unticked box, submits, and stops.

webbench-tui run demo --agent "command python3 examples/agents/tick_boxes.py"
"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "observation":
        continue
    boxes = [
        node
        for node in message["observation"]["nodes"]
        if node["role"] == "checkbox" and node.get("states", {}).get("checked") in (None, False, "false")
    ]
    if boxes and not message["last_error"]:
        answer = {"action": {"verb": "check", "target": {"id": boxes[0]["id"]}}}
    else:
        answer = {"action": {"verb": "stop" if message["last_action"].startswith("submit") else "submit"}}
    print(json.dumps(answer), flush=True)

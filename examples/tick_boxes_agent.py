#!/usr/bin/env python3
"""An agent in twenty lines: it ticks every unticked box, then submits.

webbench-tui run demo --agent "command python3 examples/tick_boxes_agent.py"
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
        if node["role"] == "checkbox" and not node.get("states", {}).get("checked")
    ]
    if boxes and not message["last_error"]:
        answer = {"action": {"verb": "check", "target": {"id": boxes[0]["id"]}}}
    else:
        answer = {"action": {"verb": "submit" if message["step"] < 20 else "stop"}}
    print(json.dumps(answer), flush=True)

#!/bin/sh
# An agent in plain sh, without tools for JSON: it ticks every unticked box, submits, and stops.
#
# webbench-tui run demo --agent "command --observation text sh examples/agents/tick_boxes.sh"
while IFS= read -r line; do
    case $line in
    '{"type": "observation"'*) ;;
    *) continue ;; # hello and bye want no answer
    esac
    box=$(printf '%s\n' "$line" | sed -n "s/.*\[\([0-9]*\)\] checkbox [^[]* checked: false.*/\1/p")
    case $line in
    *'"last_action": "submit'*) printf '{"action": {"verb": "stop"}}\n' ;;
    *) if [ -n "$box" ]; then printf 'check [%s]\n' "$box"; else printf 'submit\n'; fi ;;
    esac
done

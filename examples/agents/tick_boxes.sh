#!/bin/sh
# An agent in plain sh, without tools for JSON: it ticks every unticked box, submits, and stops.
# It counts its answers, and goes on counting where it is started anew in the middle of an episode.
#
# webbench-tui run demo --agent "command --observation text sh examples/agents/tick_boxes.sh"
answers=0
while IFS= read -r line; do
    case $line in
    '{"type": "hello"'*)
        kept=$(printf '%s\n' "$line" | sed -n 's/.*"state": \([0-9][0-9]*\),.*/\1/p')
        answers=${kept:-0}
        continue
        ;;
    '{"type": "observation"'*) ;;
    *) continue ;; # bye wants no answer
    esac
    box=$(printf '%s\n' "$line" | sed -n "s/.*\[\([0-9]*\)\] checkbox [^[]* checked: false.*/\1/p")
    answers=$((answers + 1))
    case $line in
    *'"last_action": "submit'*) action='{"verb": "stop"}' ;;
    *) if [ -n "$box" ]; then action="\"check [$box]\""; else action='"submit"'; fi ;;
    esac
    printf '{"action": %s, "reasoning": "answer %d", "state": %d}\n' "$action" "$answers" "$answers"
done

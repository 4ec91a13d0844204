#!/bin/bash
# The program pairs with each strategy that reduces, instead of auto: the same failures, at the
# same bound if the strategy has one. Usage: strategies.sh [FILTER...], as for run.sh.
cd "$(dirname "$0")" || exit 70
failed=0
for strategy in bpor cbpor-1 dpor optimal sdpor; do
    echo "$strategy:"
    STRATEGY=$strategy REPLAYS=1 ./run.sh "$@" || failed=1
done
exit $failed

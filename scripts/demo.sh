#!/bin/sh
# `make demo`: a bug found, its trace, and the command that replays it. The trace stays, so that every
# command that is printed can be typed.
cd "$(dirname "$0")/.." || exit 1
traces=build/demo
rm -rf "$traces" && mkdir -p "$traces" || exit 1

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

say mazur check examples/bank_fixed.c
bin/mazur check examples/bank_fixed.c --trace-dir "$traces" || exit 1

say mazur check examples/queue.c --trace-dir "$traces"
bin/mazur check examples/queue.c --trace-dir "$traces"
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: expected the bug of examples/queue.c (exit code 1), got $status" >&2
    exit 1
fi

trace=$(ls "$traces"/*.mzt)
say mazur replay "$trace"
if bin/mazur replay "$trace" >"$traces/replay.txt" || ! head -n 3 "$traces/replay.txt"; then
    echo "demo: the failure did not replay" >&2
    exit 1
fi
printf '      … the same execution, event by event\n'
printf '\nThe trace stays in %s: the commands above work (mazur is bin/mazur, or after make install).\n' "$traces"
printf 'Your own program: bin/mazur check test.c\n'

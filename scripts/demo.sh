#!/bin/sh
# `make demo`: a bug found, its trace, and the command that replays it.
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

say mazur check examples/bank_fixed.c
bin/mazur check examples/bank_fixed.c --trace-dir "$scratch" || exit 1

say mazur check examples/queue.c
bin/mazur check examples/queue.c --trace-dir "$scratch" --json "$scratch/result.json"
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: expected the bug of examples/queue.c (exit code 1), got $status" >&2
    exit 1
fi

trace=$(ls "$scratch"/*.mzt | head -n 1)
cp "$trace" demo.mzt
say mazur replay demo.mzt
bin/mazur replay demo.mzt
if [ $? -ne 1 ]; then
    echo "demo: the failure did not replay" >&2
    exit 1
fi
printf '\nThe same again: bin/mazur replay demo.mzt    Your own: bin/mazur check test.c\n'

#!/bin/bash
# Every figure that the documentation quotes. Each part is a script of its own and can be run
# alone; BENCH_SECONDS (default 2) limits each search, so that the whole takes a few minutes.
# Usage: bench/run.sh [PART...]
set -u
cd "$(dirname "$0")/.."
status=0
echo "machine: $(nproc) processors, $(uname -m), load $(cut -d' ' -f1-3 /proc/loadavg)," \
    "$(cc --version | head -1), $(date -u '+%Y-%m-%d %H:%M') UTC"
for part in ${*:-native known_counts work_stealing stateful bounded bounded_time coverage states bounded_models promela overhead debugger}; do
    argument=
    [ "$part" = native ] && argument=${BENCH_SECONDS:-2}
    [ "$part" = promela ] && argument=--brief # in full it takes half an hour
    bash "bench/$part.sh" $argument || {
        echo "bench/$part.sh failed"
        status=1
    }
done
exit $status

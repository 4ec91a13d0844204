#!/bin/bash
# What more machines than this one would bring to the search of a model (mazur-mpi model), on paper: states, transitions,
# depth and processor time of real searches on this machine, replayed through a model of N ranks. Prints speed-up and idle
# time for 2 to 1,024 ranks; docs/cluster.md says what follows.
#
# The model: a rank has its share of the states and of the processor time. A step to another rank copies a vector with
# its head twice, and takes the wire; computing and sending overlap. A level takes the way of a batch, since a state can't
# be expanded before it was met. These are given, not measured:
#   BYTES      per state sent: a vector and its head (140)
#   BANDWIDTH  bytes/s that a rank has of the network (1.25e8: ten ranks on a link of 10 Gbit/s)
#   LATENCY    s from one rank to another (0.0005: a rank sleeps up to 200 µs between two looks, on either side)
#   COPY       bytes/s of a copy in memory (4e9)
. "$(dirname "$0")/common.sh"

model() { # FILE OPTIONS...
    local TIMEFORMAT='%U %S' states transitions depth
    { time "$mazur" model --por off --no-claim --jobs 1 --no-trace --time 0 --tier 2 --json "$scratch/model.json" "$@" \
        >/dev/null 2>&1; } 2>"$scratch/cpu"
    "$mazur" model --search bfs --no-claim --no-trace --time 0 --json "$scratch/bfs.json" "$@" >/dev/null 2>&1
    read -r states transitions < <("$jsonget" "$scratch/model.json" states transitions | paste -sd' ')
    depth=$("$jsonget" "$scratch/bfs.json" depth)
    awk -v name="$(basename "$1" .pml)" -v states="$states" -v transitions="$transitions" -v depth="$depth" \
        -v latency="${LATENCY:-0.0005}" -v bandwidth="${BANDWIDTH:-1.25e8}" -v bytes="${BYTES:-140}" -v speed="${COPY:-4e9}" '
    { seconds = $1 + $2 }
    END {
        printf "%s: %d states, %d transitions, depth %d, %.1f s of one processor\n", name, states, transitions, depth, seconds
        printf "%8s %10s %9s %7s   %s\n", "ranks", "seconds", "speed-up", "idle", "what limits"
        for (n = 2; n <= 1024; n *= 2) {
            sent = transitions / n * (n - 1) / n
            work = seconds / n + sent * 2 * bytes / speed
            wire = sent * bytes / bandwidth
            ways = depth * latency
            total = (work > wire ? work : wire) + ways
            why = ways > total / 2 ? "the way of a batch, once per level" : wire > work ? "the network" : "the states"
            printf "%8d %10.3f %9.1f %6.0f%%   %s\n", n, total, seconds / total, 100 * (1 - work / total), why
        }
    }' "$scratch/cpu"
}

for name in counters philosophers; do
    model bench/models/$name.pml
done

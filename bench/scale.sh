#!/bin/bash
# What more machines than this one would bring, on paper: searches of this machine, replayed through a model of N workers.
# Prints speed-up and idle time for 2 to 1,024 of them; docs/cluster.md says what follows.
#
# Programs (mazur-mpi check): what the parts of a division are like is measured: a search is run in PARTS shards, and the sizes
# of their parts, the executions up to the division, the time of an execution and what it takes to start a search are
# replayed: four parts per rank, each goes to the next rank that is idle. The same parts again, of a search that is LONGER
# times as long. With N ranks there are 4 N parts: their relative sizes are drawn from those that were measured.
#
# Models (mazur-mpi model): states, transitions, depth and processor time of real searches are measured. A rank has its share of the
# states and of the processor time. A step to another rank copies a vector with its head twice, and takes the wire; computing
# and sending overlap. A level takes the way of a batch, since a state can't be expanded before it was met.
#
# Usage: bench/scale.sh [programs|models]      these are given, not measured:
#   PARTS      shards (32)
#   LONGER     so many times (1000)
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

program() { # LABEL BOUND FLAGS...
    local label=$1 bound=$2 parts=${PARTS:-32} i rows one start TIMEFORMAT='%U %S'
    local -a search=(run --strategy cbpor --jobs 1 --time 0 --quiet --no-trace --bound)
    shift 2
    "$mazur" cc bench/programs/traces.c "$@" -o "$scratch/program"
    start=$({ time "$mazur" "${search[@]}" 0 "$scratch/program" >/dev/null 2>&1; } 2>&1)
    one=$({ time "$mazur" "${search[@]}" "$bound" --json "$scratch/one.json" "$scratch/program" >/dev/null 2>&1; } 2>&1)
    for ((i = 1; i <= parts; i++)); do
        "$mazur" "${search[@]}" "$bound" --shard "$i/$parts" --json "$scratch/part.json" "$scratch/program" >/dev/null 2>&1
        rows=$("$jsonget" "$scratch/part.json" 'bounds.#') # of what was searched before the division
        "$jsonget" "$scratch/part.json" executions "bounds.$((rows - 1)).executions" | paste -sd' '
    done >"$scratch/parts"
    awk -v label="$label" -v start="$start" -v one="$one" -v all="$("$jsonget" "$scratch/one.json" executions)" \
        -v latency="${LATENCY:-0.0005}" -v longer="${LONGER:-1000}" '
    function seconds(text, word) { split(text, word, " "); return word[1] + word[2] }
    function replay(scale,    n, p, i, k, sum, whole, size, least, total, busy, biggest, why) {
        whole = all * scale * each
        printf "%s: %.0f executions, %.1f s of one processor, %.0f executions before the division\n", label, all * scale, whole, before
        printf "%8s %10s %9s %7s   %s\n", "ranks", "seconds", "speed-up", "idle", "what limits"
        for (n = 2; n <= 1024; n *= 2) {
            p = 4 * n
            sum = biggest = busy = 0
            for (i = 0; i < p; i++) {
                size[i] = share[(i * 7919) % NR]
                sum += size[i]
            }
            for (k = 0; k < n; k++) load[k] = 0
            for (i = 0; i < p; i++) {
                size[i] = startup + latency * 2 + before * each + size[i] / sum * all * scale * each
                if (size[i] > biggest) biggest = size[i]
                least = 0
                for (k = 1; k < n; k++) if (load[k] < load[least]) least = k
                load[least] += size[i]
                busy += size[i]
            }
            total = 0
            for (k = 0; k < n; k++) if (load[k] > total) total = load[k]
            why = p * (startup + before * each) > busy / 2 ? "what every part repeats" : total > 1.2 * busy / n ? "the largest part" : "the executions"
            printf "%8d %10.3f %9.1f %6.0f%%   %s\n", n, total, whole / total, 100 * (1 - busy / n / total), why
        }
    }
    { share[NR - 1] = $1; before = $2 }
    END {
        startup = seconds(start)
        each = seconds(one) / all
        replay(1)
        replay(longer)
    }' "$scratch/parts"
}

[ $# -gt 0 ] || set -- programs models
for part; do
    case $part in
    programs) program '6 x CAS, then store, 2 preemptions' 2 -DSWAP -DN=6 ;;
    models)
        for name in counters philosophers; do
            model bench/models/$name.pml
        done
        ;;
    esac
done

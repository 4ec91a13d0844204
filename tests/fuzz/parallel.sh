#!/bin/bash
# Searches that are shared out say what one process says, whoever does the work and whoever is killed.
#
#   counts   every program of bench/known_counts.sh, then random ones (random_program.c): the same traces within each
#            bound with several --jobs, from merged shards and over ranks as with --jobs 1. With other strategies than
#            cbpor: only the random ones
#   models   bench/models and Spin's examples (where Spin is installed): the same verdict, states and transitions over
#            ranks as in one process
#   kills    kill -9 at random moments: children of --jobs, ranks, rank 0, the searches of ranks; for programs and for a
#            model. After --resume, where it is needed, the counts are the known ones
#
# Usage: parallel.sh counts [PROGRAMS [FIRST-SEED]]
#        parallel.sh models [FILE...]
#        parallel.sh kills [KILLS [SEED]]
# environment: MPI (kinds: "mpich openmpi", as far as they are there; none: ""), RANKS ("4 8"; models: "2 3 4 8"), JOBS
# ("2 3 4 8"), SHARDS (7), SIZE (operations per thread, 8), LEAST (traces that a random program must have within bound 3, 1;
# from 1,000 on shards divide it), STRATEGY (cbpor), MODEL_SECONDS (of one process, beyond which a model is left out; 20), MAZUR
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
# shellcheck source=../mpi.sh
. "$here/../mpi.sh"
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")
part=${1:-counts} JOBS=${JOBS:-2 3 4 8} SHARDS=${SHARDS:-7} SIZE=${SIZE:-8} LEAST=${LEAST:-1}
MPI=${MPI-mpich openmpi} STRATEGY=${STRATEGY:-cbpor}
shift
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
make_jsonget . || exit 70
kinds=()
for kind in $MPI; do
    has_mpi "$kind" || continue
    make_mpi "$kind" "$scratch/$kind" "$root" "$MAZUR" || exit 70
    kinds+=("$kind")
done
wrong=0 compared=0 searches=0

complain() {
    echo "FAIL $*"
    wrong=$((wrong + 1))
}

# rows FILE: bound and traces of each bound, then complete, traces, verdict
rows() {
    local i count line=''
    [ -s "$1" ] || { echo nothing; return; }
    count=$(./jsonget "$1" 'bounds.#')
    for ((i = 0; i < count; i++)); do
        line+="$(./jsonget "$1" "bounds.$i.bound" "bounds.$i.distinct" | paste -sd' '), "
    done
    echo "$line$(./jsonget "$1" complete distinct verdict | paste -sd' ')"
}

# search NAME WANTED COMMAND...: which writes r.json; a function sees to its time itself
search() {
    local name=$1 wanted=$2 got
    shift 2
    rm -f r.json
    if declare -F "$1" >/dev/null; then "$@"; else timeout "$PATIENCE" "$@"; fi >out 2>&1 </dev/null
    searches=$((searches + 1))
    got=$(rows r.json)
    [ "$got" = "$wanted" ] || complain "$name: $got instead of $wanted: $*"
}

shards() { # PROGRAM...
    local i
    for ((i = 1; i <= SHARDS; i++)); do
        timeout "$PATIENCE" "$MAZUR" run --jobs 1 "${options[@]}" --shard "$i/$SHARDS" --json "s$i.json" "$@"
    done
    "$MAZUR" merge --quiet --json r.json s*.json
}

# everywhere NAME WANTED PROGRAM...
everywhere() {
    local name=$1 wanted=$2 jobs kind ranks
    shift 2
    for jobs in $JOBS; do
        search "$name, $jobs jobs" "$wanted" "$MAZUR" run --jobs "$jobs" "${options[@]}" --json r.json "$@"
    done
    rm -f s*.json
    [ "$SHARDS" = 0 ] || search "$name, $SHARDS shards" "$wanted" shards "$@"
    for kind in "${kinds[@]}"; do
        for ranks in ${RANKS:-4 8}; do
            search "$name, $ranks ranks of $kind" "$wanted" "$kind/mpirun" -n "$ranks" "$kind/mazur-mpi" run "${options[@]}" \
                --json r.json "$@"
        done
    done
    compared=$((compared + 1))
}

compare_known() {
    local counts flags wanted bound whole
    while IFS=: read -r counts flags; do
        # shellcheck disable=SC2086 # words
        "$MAZUR" cc "$root/bench/programs/traces.c" $flags -o program || exit 70
        wanted='' bound=0
        for whole in $counts; do
            wanted+="$bound $whole, " bound=$((bound + 1))
        done
        everywhere "known$flags" "${wanted}true $whole passed" ./program
    done < <("$root/bench/known_counts.sh" --list)
}

compare_counts() { # PROGRAMS FIRST
    local seed=$2 known=0
    options=(--quiet --no-trace --strategy "$STRATEGY" --time 0)
    [ "$STRATEGY" != cbpor ] || compare_known
    known=$compared
    "$MAZUR" cc -O1 -g "$here/random_program.c" -o random_program || exit 70
    options+=(--keep-going --simplify 0)
    case $STRATEGY in
    dpor | optimal) ;;
    delay) options+=(--delay 4) ;;
    *) options+=(--bound 3) ;;
    esac
    while [ $((seed - $2)) -lt 1000000 ] && [ $((compared - known)) -lt "$1" ]; do
        rm -f r.json
        timeout "$PATIENCE" "$MAZUR" run --jobs 1 "${options[@]}" --time 20 --json r.json ./random_program "$seed" "$SIZE" basic \
            >out 2>&1
        if [ "$(./jsonget r.json distinct)" -ge "$LEAST" ] && [ "$(./jsonget r.json ended)" != time ]; then
            everywhere "seed $seed" "$(rows r.json)" ./random_program "$seed" "$SIZE" basic
        fi
        seed=$((seed + 1))
    done
    echo "$compared programs, the last of seed $((seed - 1)), $searches searches compared with one process: $wrong differ"
}

# --- models ---

states() { ./jsonget "$1" verdict states transitions | paste -sd' '; }

compare_models() { # FILE...
    local file wanted kind ranks
    local -a plain=(--no-claim --no-trace --keep-going --json r.json)
    for file; do
        cd "$(dirname "$file")" || exit 70
        timeout "$PATIENCE" "$MAZUR" model --jobs 1 --por off "${plain[@]/r.json/$scratch/one.json}" --time "${MODEL_SECONDS:-20}" \
            "$file" >"$scratch/out" 2>&1
        cd "$scratch" || exit 70
        if [ ! -s one.json ] || [ "$(./jsonget one.json ended)" = time ] || grep -q '"truncated_by": "' one.json; then
            echo "left out: $file: $(grep -m 1 -v '^$' out | cut -c 1-150)"
            rm -f one.json
            continue
        fi
        wanted=$(states one.json)
        for kind in "${kinds[@]}"; do
            for ranks in ${RANKS:-2 3 4 8}; do
                rm -f r.json
                cd "$(dirname "$file")" || exit 70
                timeout "$PATIENCE" "$scratch/$kind/mpirun" -n "$ranks" "$scratch/$kind/mazur-mpi" model \
                    "${plain[@]/r.json/$scratch/r.json}" --time 0 "$file" >"$scratch/out" 2>&1
                cd "$scratch" || exit 70
                searches=$((searches + 1))
                [ "$([ -s r.json ] && states r.json)" = "$wanted" ] ||
                    complain "$file, $ranks ranks of $kind: $(states r.json) instead of $wanted: $(head -n 3 out)"
            done
        done
        echo "$(basename "$file"): $wanted"
        compared=$((compared + 1)) && rm -f one.json
    done
    echo "$compared models, $searches searches over ranks compared with one process: $wrong differ"
}

# --- kills ---

kills=0
kill_one() { # PROCESS
    kill -9 "$1" 2>/dev/null && kills=$((kills + 1))
}

descendants() { # PROCESS: all below it
    local child
    for child in $(pgrep -P "$1"); do
        echo "$child"
        descendants "$child"
    done
}

pause() { sleep "$((RANDOM % ${1:-1})).$((RANDOM % 9 + 1))"; }

# the executions of a search are in processes of the program's name
kill_children() {
    local job victim round=0
    rm -f r.json
    timeout "$PATIENCE" "$MAZUR" run --jobs 3 "${options[@]}" --json r.json ./swap5 >out 2>&1 </dev/null &
    job=$!
    while kill -0 $job 2>/dev/null && [ $((round++)) -lt 6 ]; do
        pause
        victim=$(for process in $(descendants $job); do
            [ "$(cat "/proc/$process/comm" 2>/dev/null)" = swap5 ] && echo "$process"
        done | shuf -n 1)
        [ -z "$victim" ] || kill_one "$victim"
    done
    wait $job || complain "jobs: exit $? after $kills kills: $(tail -n 2 out)"
    [ "$(rows r.json)" = "$swap5" ] || complain "jobs: $(rows r.json) instead of $swap5"
}

# kill_job KIND WHO COMMAND...: kills and resumes until the job ends by itself; at most five times
kill_job() {
    local kind=$1 who=$2 job ranks rank process round resume='' status=1
    shift 2
    for round in 1 2 3 4 5 6; do
        rm -f r.json
        # shellcheck disable=SC2086 # a word or none
        timeout "$PATIENCE" "$kind/mpirun" -n 3 "$kind/mazur-mpi" "$1" --checkpoint "$scratch/kept" $resume --json r.json "${@:2}" \
            >out 2>&1 </dev/null &
        job=$!
        ranks=$(all_ranks_of "$scratch/kept" 3 $job)
        if [ "$round" -lt 6 ]; then
            pause 3
            case $who in
            first) rank=${ranks%% *} ;;
            other) rank=$(tr ' ' '\n' <<<"$ranks" | tail -n +2 | shuf -n 1) ;;
            search) rank=$(for rank in $ranks; do pgrep -P "$rank" -x mazur; done | shuf -n 1) ;;
            esac
            [ -z "$rank" ] || ! kill -0 $job 2>/dev/null || kill_one "$rank"
        fi
        wait $job
        status=$?
        for process in $ranks; do
            [ ! -e "/proc/$process" ] || sleep 2
            [ ! -e "/proc/$process" ] || complain "$kind, $who: rank $process goes on after the job has ended"
        done
        [ $status != 0 ] || break
        resume=--resume
    done
    [ $status = 0 ] || complain "$kind, $who, $1: exit $status: $(tail -n 3 out)"
    rm -rf kept
}

kill_program() { # KIND WHO
    kill_job "$1" "$2" run "${options[@]}" ./swap5
    [ "$(rows r.json)" = "$swap5" ] || complain "$1, $2, program: $(rows r.json) instead of $swap5"
}

kill_model() { # KIND WHO
    kill_job "$1" "$2" model --no-trace --time 0 --checkpoint-every 0.05 "$root/bench/models/pipeline.pml" -D N=6
    [ "$(states r.json)" = 'passed 93312 435457' ] || complain "$1, $2, model: $(states r.json)"
}

kill_many() { # KILLS SEED
    local what=0
    RANDOM=$2
    options=(--quiet --no-trace --strategy cbpor --time 0)
    "$MAZUR" cc "$root/bench/programs/traces.c" -DSWAP -DN=5 -o swap5 || exit 70
    swap5="0 120, 1 1320, 2 6720, 3 18720, 4 30000, 5 32880, true 32880 passed"
    while [ $kills -lt "$1" ]; do
        local kind=${kinds[$((what / 7 % (${#kinds[@]} + !${#kinds[@]})))]:-}
        case $((what++ % 7)) in
        0 | 3) kill_children ;;
        1) [ -z "$kind" ] || kill_program "$kind" other ;;
        2) [ -z "$kind" ] || kill_model "$kind" first ;;
        4) [ -z "$kind" ] || kill_program "$kind" first ;;
        5) [ -z "$kind" ] || kill_model "$kind" other ;;
        6) [ -z "$kind" ] || kill_program "$kind" search ;;
        esac
        compared=$((compared + 1))
        echo "$compared searches, $kills kills, $wrong wrong"
    done
    echo "$kills kills in $compared searches: $wrong wrong"
}

case $part in
counts) compare_counts "${1:-200}" "${2:-1}" ;;
models)
    if [ $# = 0 ]; then
        mapfile -t models < <(ls "$root"/bench/models/*.pml
            find /usr/share/doc/spin/examples/Examples -name '*.pml' 2>/dev/null | sort)
        set -- "${models[@]}"
    fi
    compare_models "$@"
    ;;
kills) kill_many "${1:-200}" "${2:-1}" ;;
*)
    sed -n 's/^# Usage: //p' "$0" >&2
    exit 70
    ;;
esac
[ $wrong = 0 ]

#!/bin/bash
# mazur-mpi with each MPI that is installed: the counts of one process, failures, refusals, a rank that is
# killed, and what docs/cluster.md shows. Ranks are more than processors.
. "$(dirname "$0")/lib.sh"

. "$root/tests/mpi.sh"
kinds= number=0 # make test: one of the two
for kind in mpich openmpi; do
    number=$((number + 1))
    if has_mpi "$kind"; then
        ! is_sampled $number 2 || kinds="$kinds $kind"
    else
        skip "mpi: $kind" "mazur-mpi with $kind is skipped: mpicc.$kind or mpiexec.$kind is missing"
    fi
done

models=$root/tests/models
pipeline=$root/bench/models/pipeline.pml
which=first # rank to be killed

# one FILE OPTIONS...: verdict, states and transitions of one process
one() {
    "$MAZUR" model --por off --no-claim --no-trace --jobs 1 --json one.json "$@" >/dev/null 2>&1
    field one.json verdict states transitions
}

over() { # over RANKS FILE OPTIONS...
    local ranks=$1
    shift
    "$kind/mpirun" -n "$ranks" "$kind/mazur-mpi" model --no-claim --no-trace --json many.json "$@" >/dev/null 2>&1
    field many.json verdict states transitions
}

kill_and_resume() { # kill_and_resume FOLDER FIRST|LAST
    local job rank ranks
    "$kind/mpirun" -n 3 "$kind/mazur-mpi" model --no-trace --time 0 --checkpoint "$work/$file/$1" --checkpoint-every 0.01 \
        "$pipeline" -D N=6 >first.out 2>&1 &
    job=$!
    ranks=$(all_ranks_of "$work/$file/$1" 3 $job)
    [ "$2" = first ] && rank=${ranks%% *} || rank=${ranks##* }
    until [ -e "$1/current" ] || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
    kill -9 "$rank" || fault "the job was over before a rank was killed: $(cat first.out)"
    wait $job 2>/dev/null
    expect 0 "$kind/mpirun" -n 3 "$kind/mazur-mpi" model --no-trace --time 0 --checkpoint "$work/$file/$1" --resume \
        --json many.json "$pipeline" -D N=6
    lacks err 'no checkpoint'
}

kill_program() { # kill_program FOLDER FIRST|LAST
    local job rank ranks
    "$kind/mpirun" -n 3 "$kind/mazur-mpi" run --strategy cbpor --time 0 --checkpoint "$work/$file/$1" ./add4 >first.out 2>&1 &
    job=$!
    ranks=$(all_ranks_of "$work/$file/$1" 3 $job)
    [ "$2" = first ] && rank=${ranks%% *} || rank=${ranks##* }
    until ls "$1"/part-*.json >/dev/null 2>&1 || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
    kill -9 "$rank" || fault "the job was over before a rank was killed: $(cat first.out)"
    wait $job 2>/dev/null
    [ "$(ls "$1"/part-*.json | wc -l)" -lt 12 ] || fault 'all parts were done before a rank was killed'
    expect 0 "$kind/mpirun" -n 2 "$kind/mazur-mpi" run --strategy cbpor --time 0 --checkpoint "$work/$file/$1" --resume \
        --json many.json ./add4
}

"$MAZUR" cc "$root/bench/programs/traces.c" -DVARIABLES=3 -DN=4 -o add4 || exit 70
add4='0 24, 1 312, 2 1704, 3 5160, 4 9792, 5 12960, 6 13824, true 13824 passed' # known: bench/known_counts.sh
for kind in $kinds; do
    make_mpi "$kind" "$work/$file/$kind" "$root" "$MAZUR" || { t "$kind: make mpi"; fault "$(tail -n 5 make.out)"; continue; }
    t "$kind: as many states and transitions as one process has"
    for model in "1 $models/messages.pml --bound 2" "3 $pipeline -D N=4" "5 $models/lost_updates.pml --keep-going"; do
        # shellcheck disable=SC2086
        wanted=$(one ${model#* }) got=$(over $model)
        [ "$got" = "$wanted" ] || fault "over ranks, $model: $got; one process: $wanted"
    done
    t "$kind: failures"
    expect 2 "$kind/mpirun" -n 3 "$kind/mazur-mpi" model "$models/deadlock.pml"
    says out 'invalid end state' '1 preemption; no execution with fewer preemptions fails' '3 ranks searched'
    ls ./*.mzt >/dev/null 2>&1 || fault 'there is no trace file'
    rm -f ./*.mzt
    expect 1 "$kind/mpirun" -n 2 "$kind/mazur-mpi" model --no-trace "$models/lost_updates.pml"
    t "$kind: what it does not do, and what is missing, is said once"
    expect 64 "$kind/mpirun" -n 2 "$kind/mazur-mpi" model "$models/progress.pml" --progress
    says err 'mazur-mpi checks safety only'
    expect 64 "$kind/mpirun" -n 2 "$kind/mazur-mpi" model --por on "$models/mutex.pml"
    says err 'mazur-mpi searches without reduction'
    expect 64 "$kind/mpirun" -n 3 "$kind/mazur-mpi" model nothing.pml
    [ "$(grep -c nothing.pml err)" = 1 ] || fault "said more than once: $(cat err)"
    expect 64 "$kind/mpirun" -n 2 "$kind/mazur-mpi" chekc x.c
    says err "no command 'chekc'"
    t "$kind: a rank is killed, and the search goes on"
    kill_and_resume "$kind.states" "$which"
    got=$(field many.json verdict states transitions) wanted='passed 93312 435457'
    [ "$got" = "$wanted" ] || fault "after a kill: $got; one process: $wanted"
    which=last
    expect 70 "$kind/mpirun" -n 2 "$kind/mazur-mpi" model --no-trace --checkpoint "$work/$file/$kind.states" --resume "$pipeline" -D N=6
    says err 'the checkpoint was made by 3 ranks, not 2'
    t "$kind: a program in parts: the known numbers of traces; a failure; what is wrong is said once"
    expect 0 "$kind/mpirun" -n 2 "$kind/mazur-mpi" run --strategy cbpor --time 0 --json many.json ./add4
    says out 'complete: every interleaving, 13,824 traces'
    [ "$(rows many.json)" = "$add4" ] || fault "$last: $(rows many.json)"
    expect 1 "$kind/mpirun" -n 2 "$kind/mazur-mpi" check "$root/examples/queue.c" --trace-dir "$kind"
    says out '1 preemption; no execution with fewer preemptions fails' 'mazur replay'
    ls "$kind"/*.mzt >/dev/null 2>&1 || fault 'there is no trace file'
    expect 64 "$kind/mpirun" -n 2 "$kind/mazur-mpi" check nothing.c
    [ "$(grep -c nothing.c err)" = 1 ] || fault "said more than once: $(cat err)"
    if [ "$kind" = "${kinds##* }" ]; then # it takes a while
        t "$kind: a rank is killed, and the search of a program goes on"
        kill_program "$kind.parts" "$which"
        [ "$(rows many.json)" = "$add4" ] || fault "after a kill: $(rows many.json)"
        expect 64 "$kind/mpirun" -n 2 "$kind/mazur-mpi" run --checkpoint "$work/$file/$kind.parts" --resume ./add4
        says err 'is of another search'
    fi
    t "$kind: what docs/cluster.md shows"
    # the folder with this MPI's mazur-mpi comes first, whatever was built into bin
    MAZUR=$PWD/$kind/mazur PATH=$PWD/$kind:$PATH expect 0 "$root/tests/docs/run.pl" --transcripts docs/cluster
    says out 'mpirun -n 4 mazur-mpi model'
done

end_of_file

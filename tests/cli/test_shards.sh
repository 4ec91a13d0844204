#!/bin/bash
# --shard, merge, --cache: the parts of a search, searched apart and added up, say what the whole says.
. "$(dirname "$0")/lib.sh"
"$MAZUR" cc "$root/bench/programs/traces.c" -DSWAP -DN=5 -o swap5 || exit 70
"$MAZUR" cc "$root/bench/programs/traces.c" -DVARIABLES=3 -DN=4 -o add4 || exit 70
"$MAZUR" cc -O1 -g "$root/tests/fuzz/random_program.c" -o random_program || exit 70

# same_rows WANTED [FILE]
same_rows() {
    local got
    got=$(rows "${2:-m.json}")
    [ "$got" = "$1" ] || fault "$last: $got instead of $1"
}

# shards N PROGRAM… : s1.json … sN.json; one after the other
shards() {
    local n=$1 i
    shift
    for ((i = 1; i <= n; i++)); do
        timeout "$PATIENCE" "$MAZUR" run --quiet --jobs 1 --no-trace --shard $i/$n --json s$i.json "$@" >shard.out 2>&1
        echo $? >s$i.code
    done
}

t "the known numbers of traces, from seven shards"
shards 7 --strategy cbpor --bound 3 --time 0 ./swap5
expect 0 "$MAZUR" merge --json m.json s[1-7].json
same_rows "0 120, 1 1320, 2 6720, 3 18720, false 18720 passed"
for i in 1 2 3 4 5 6 7; do
    [ "$(field s$i.json complete)" = false ] || fault "shard $i calls itself complete"
    [ "$(field s$i.json shard.whole)" = false ] || fault "shard $i was not divided"
done
says s3.json '"id": "shard"'
shards 3 --strategy cbpor --time 0 ./add4
expect 0 "$MAZUR" merge --json m.json s[1-3].json
says out "complete: every interleaving, 13,824 traces in 13,824 executions"
same_rows "0 24, 1 312, 2 1704, 3 5160, 4 9792, 5 12960, 6 13824, true 13824 passed"

t "a missing shard lowers the claim to what was finished before the search was divided"
expect 0 "$MAZUR" merge --json m.json s1.json s3.json
says out "the result of shard 2 is missing"
says m.json '"complete": false' '"id": "shards-missing"'
[ "$(field m.json bound_done)" = "$(field s1.json bound_done)" ] || fault "bound $(field m.json bound_done)"
expect 8 "$MAZUR" merge --require-complete s1.json s3.json
expect 0 "$MAZUR" merge --require-complete s1.json s2.json s3.json

t "what does not belong together is not merged"
cp s1.json other.json
expect 64 "$MAZUR" merge s1.json other.json s2.json
says err "are the same shard"
expect 0 "$MAZUR" run --quiet --shard 2/3 --strategy cbpor --bound 2 --time 0 --json other.json ./add4
expect 64 "$MAZUR" merge s1.json other.json s3.json
says err "do not belong to the same search: different options"
expect 0 "$MAZUR" run --quiet --shard 2/3 --strategy cbpor --time 0 --json other.json ./swap5
expect 64 "$MAZUR" merge s1.json other.json s3.json
says err "a different program"
sed 's/"tree": "./"tree": "0/; s/"tree": "0\(.\)/"tree": "1\1/' s2.json >other.json
expect 64 "$MAZUR" merge s1.json other.json s3.json
says err "divided differently"
expect 0 "$MAZUR" run --quiet --bound 0 --json whole.json ./add4
expect 64 "$MAZUR" merge whole.json
says err "is not the result of a shard"
echo '{"executions": 3' >broken.json
expect 64 "$MAZUR" merge broken.json
expect 64 "$MAZUR" merge
expect 64 "$MAZUR" run --shard 4/3 ./add4
says err "must be i/n"
expect 64 "$MAZUR" run --shard 1/2 --execs 5 ./add4

t "a shard whose time is up: the bounds that all have finished"
shards 2 --strategy cbpor --bound 2 --time 0 ./swap5
expect 0 "$MAZUR" merge --json m.json s1.json s2.json
same_rows "0 120, 1 1320, 2 6720, false 6720 passed"
expect 0 "$MAZUR" run --quiet --shard 2/2 --strategy cbpor --bound 2 --time 1ms --json s2.json ./swap5
expect 0 "$MAZUR" merge --json m.json s1.json s2.json
says out "time ran out"
says m.json '"verdict": "nothing-found"'

t "random programs: the same verdict and the same traces at each bound"
for seed in 3 8 21 55; do
    timeout "$PATIENCE" "$MAZUR" run --quiet --strategy cbpor --time 0 --bound 3 --jobs 1 --no-trace \
        --json one.json ./random_program $seed 4 basic >out1 2>&1
    code=$?
    shards 3 --strategy cbpor --time 0 --bound 3 ./random_program $seed 4 basic
    expect $code "$MAZUR" merge --json m.json s[1-3].json
    if [ $code = 0 ]; then
        same_rows "$(rows one.json)"
    elif [ "$(field m.json bound_done verdict)" != "$(field one.json bound_done verdict)" ]; then
        fault "$last: $(field m.json bound_done verdict), not $(field one.json bound_done verdict)"
    fi
done

cat >rare.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *run(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < 4; i++) {
        atomic_fetch_add(&x, 1);
        atomic_store(&y, (int)(me * 10 + i));
    }
    if (me == 1 && atomic_load(&x) == 10 && atomic_load(&y) == 31)
        assert(!"late");
    return NULL;
}
int main(void)
{
    pthread_t thread[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, run, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}
C
t "a failure that one shard finds is the result, with the trace from its file or without"
"$MAZUR" cc rare.c -o rare || exit 70
mkdir results
for i in 1 2 3 4; do
    timeout "$PATIENCE" "$MAZUR" run --quiet --strategy cbpor --bound 2 --shard $i/4 --trace-dir results \
        --json results/s$i.json ./rare >shard.out 2>&1
done
expect 1 "$MAZUR" merge --json m.json results/s[1-4].json
says out "assertion" "rare.c:13" "2 preemptions; no execution with fewer preemptions fails"
says m.json '"verdict": "assertion"'
rm results/*.mzt
expect 1 "$MAZUR" merge results/s[1-4].json
says out "assertion" "rare.c:13"

t "shards of the other strategies"
for search in "dpor:true 32880 passed" "optimal:true 32880 passed" "icb --bound 1:0 120, 1 1320, false 1320 passed"; do
    # shellcheck disable=SC2086 # words
    shards 2 --strategy ${search%%:*} --time 0 ./swap5
    expect 0 "$MAZUR" merge --json m.json s1.json s2.json
    same_rows "${search#*:}"
done

t "--shard auto: what CI, Slurm and Kubernetes say"
expect 64 env -u CI_NODE_INDEX "$MAZUR" run --shard auto ./add4
says err "CI_NODE_INDEX and CI_NODE_TOTAL"
for variables in "CI_NODE_INDEX=2 CI_NODE_TOTAL=3" \
    "SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=3" \
    "JOB_COMPLETION_INDEX=1 MAZUR_SHARDS=3"; do
    # shellcheck disable=SC2086 # several words
    expect 0 env $variables "$MAZUR" run --quiet --shard auto --bound 0 --json r.json ./add4
    lacks err "is not an option"
    [ "$(field r.json shard.index shard.of)" = "2 3" ] || fault "$variables: $(field r.json shard.index shard.of)"
done
expect 64 env CI_NODE_INDEX=4 CI_NODE_TOTAL=3 "$MAZUR" run --shard auto ./add4
says err "not one of 3 jobs"

t "--cache: a search that passed is answered at once, until something changes"
expect 0 "$MAZUR" run --cache kept --bound 1 --json one.json ./add4
lacks out "cached"
expect 0 "$MAZUR" run --cache kept --bound 1 --json two.json ./add4
says out "passed: all executions with ≤ 1 preemption (312 executions, 312 distinct)" "cached"
says two.json '"cached": true'
diff <(grep -v '"cached"\|seconds\|per_second' one.json) <(grep -v '"cached"\|seconds\|per_second' two.json) >&2 ||
    fault "the cached result differs"
expect 0 "$MAZUR" run --cache kept --bound 2 ./add4
lacks out "cached"
expect 0 "$MAZUR" run --cache kept --bound 1 ./add4 argument
lacks out "cached"
expect 8 "$MAZUR" run --cache kept --bound 1 --require-complete ./add4
expect 0 env LD_LIBRARY_PATH="$PWD" "$MAZUR" run --cache kept --bound 1 ./add4 # other libraries may be found
lacks out "cached"
sed -i 's/^./x/' kept/*.libraries
expect 0 "$MAZUR" run --cache kept --bound 1 ./add4
lacks out "cached"
cp swap5 add4
expect 0 "$MAZUR" run --cache kept --bound 1 ./add4
lacks out "cached"
expect 1 "$MAZUR" run --cache kept --no-trace ./rare
expect 1 "$MAZUR" run --cache kept --no-trace ./rare
lacks out "cached"

end_of_file

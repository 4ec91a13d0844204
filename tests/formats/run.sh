#!/bin/bash
# Validates the machine-readable formats of real results, for every kind of failure and for
# none: SARIF against the schema of its standard, JSON against docs/result.schema.json (which
# must name every key), JUnit against junit.xsd. Without node, npm or xmllint a part is skipped
# with a message.
#
# Usage: run.sh                Environment: MAZUR (bin/mazur), BUILD (build)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
unset "${!MAZUR_@}" GITHUB_STEP_SUMMARY
export XDG_CACHE_HOME=$work/cache
cd "$work" || exit 70
# shellcheck source=../tap.sh
. "$here/../tap.sh"

# made NAME STATUS COMMAND SUBJECT OPTIONS...: its result in all formats, and its traces as shown
made() {
    local name=$1 wanted=$2 command=$3 got trace
    shift 3
    "$MAZUR" "$command" "$@" --quiet --trace-dir "$name" --json "$name.$command.json" --sarif "$name.sarif" \
        --junit "$name.xml" >/dev/null 2>"$name.err" </dev/null
    got=$?
    result "$name is made" "$([ "$got" = "$wanted" ] || echo "exit $got, expected $wanted: $(cat "$name.err")")"
    for trace in "$name"/*.mzt; do
        [ -e "$trace" ] || continue
        "$MAZUR" show --json "$trace" >"${trace//\//.}.show.json" && "$MAZUR" show --format=sarif "$trace" >"${trace//\//.}.sarif" &&
            "$MAZUR" show --format=junit "$trace" >"${trace//\//.}.xml" || fail "$name: show"
    done
}

programs=$root/tests/programs models=$root/tests/models
made assertion 1 check "$programs/algorithms/wsq_bad.c"
made deadlock 2 check "$programs/locks/deadlock_abba_bad.c"
made lost-wakeup 2 check "$programs/conditions/lost_wakeup_bad.c"
made livelock 3 check "$programs/loops/livelock_spin_bad.c"
made livelock-cycle 3 check "$programs/loops/livelock_polite_bad.c" --depth 300
made race 7 check "$programs/races/counter_plain_bad.c"
made memory 11 check "$programs/memory/use_after_free_bad.c"
made leak 11 check "$programs/memory/leak_bad.c" --leaks
made misuse 12 check "$programs/misuse/misuse_unlock_not_owner_bad.c"
made store-buffer 7 check "$programs/atomics/store_buffer_bad.c" --store-buffers
made history 9 check "$programs/api/linear_queue_bad.c"
made exception 1 check "$programs/cxx/exception_bad.cpp"
made crash 1 check "$programs/endings/crash_null_bad.c"
made exit-status 1 check "$programs/endings/exit_status_bad.c"
made passed 0 check "$programs/algorithms/wsq_good.c"
made nothing-found 0 check "$programs/algorithms/wsq_good.c" --execs 3
made incomplete 8 check "$programs/algorithms/wsq_good.c" --execs 3 --require-complete
made restricted 0 check "$programs/algorithms/wsq_good.c" --no-preempt steal --bound 1
made sampled 0 check "$programs/algorithms/wsq_good.c" --strategy random --execs 10
made files 0 check "$programs/files/io_scratch_bad.c" --bound 0
# a program's text is data: markup, control characters, invalid UTF-8 and what XML forbids
cat >hostile.c <<'EOF'
#include <pthread.h>
#include <mazur.h>
#include <assert.h>
#include <stdio.h>
static void *one(void *unused) { mazur_label("]]>\x01\xff\"&<\xed\xa0\x80"); mazur_yield(); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    pthread_setname_np(thread, "\xff<&\x02\"]]>");
    pthread_join(thread, NULL);
    fputs("]]></system-out>\x1b[31m\xef\xbf\xbe\xc3\n", stderr);
    __assert_fail("\xff]]>\x02\xef\xbf\xbf<&\"\xf4\x90\x80\x80", "a \"<&>\xfe.c", 7, "<main>");
    return 0;
}
EOF
made hostile 1 check hostile.c -D_GNU_SOURCE
cat >several.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused)
{
    atomic_store(&y, 1);
    assert(atomic_load(&x) == 0 && "the other was first");
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&x, 1);
    assert(atomic_load(&y) == 0 && "main was first");
    return pthread_join(thread, NULL);
}
EOF
made several 1 check several.c --keep-going
cc -pthread -o program several.c && made run 1 run ./program
made model-messages 1 model "$models/messages.pml"
made model-lasso 3 model "$models/mutex.pml" --ltl entry
made model-inline 1 model "$models/in_inline.pml"
made model-bound 0 model "$models/mutex.pml" --no-claim --bound 1
made model-bits 0 model "$models/mutex.pml" --no-claim --store bitstate

# saved traces: one that still fails, one that is fixed, one that can't be read
cp "$programs/algorithms/wsq_bad.c" was_bad.c
"$MAZUR" check was_bad.c --quiet --trace-dir regress >/dev/null
cp "$programs/algorithms/wsq_good.c" was_bad.c
cp assertion/*.mzt regress/assertion.mzt
echo '<none>' >'regress/"<&.mzt'
"$MAZUR" regress regress --junit regress.xml >regress.out 2>&1
[ $? = 64 ] && grep -q '1 passed, 2 failed' regress.out || fail "regress: $(cat regress.out)"
if command -v xmllint >/dev/null; then
    [ "$(xmllint --xpath 'concat(//@tests, //@failures, //@errors, count(//failure), count(//error), count(//testcase))' regress.xml)" = 311113 ] ||
        fail "regress: $(cat regress.xml)"
    for file in *.xml; do
        if xmllint --noout --schema "$here/junit.xsd" "$file" 2>message; then pass "JUnit: $file"; else
            fail "JUnit: $file: $(head -n 3 message)"
        fi
    done
    # a validator that accepts everything proves nothing
    sed 's/<failure type=/<failure kind=/' assertion.xml >broken
    sed 's/tests="1"/tests="one"/' passed.xml >uncounted
    for file in broken uncounted; do
        ! xmllint --noout --schema "$here/junit.xsd" $file 2>/dev/null || fail "JUnit: $file is taken for valid"
    done
    [ "$(xmllint --xpath 'count(//failure)' several.xml)" = 1 ] || fail "JUnit: several failures of a test case"
else
    untested "JUnit is not validated: there is no xmllint (apt-get install libxml2-utils)"
fi
if modules=$("$root/tests/node/install.sh" 2>reason); then
    NODE_PATH=$modules node "$here/validate.js" "$root/docs/result.schema.json" "$work" >validated
    status=$?
    while read -r line; do
        case $line in
        'ok '*) pass "${line#ok }" ;;
        'not ok '*) fail "${line#not ok }" ;;
        *) echo "# $line" ;;
        esac
    done <validated
    [ $status = 0 ] || [ $status = 1 ] || fail "the validator ended with $status"
else
    untested "SARIF and JSON are not validated: $(cat reason)"
fi
missing=$("$root/scripts/failures_table.pl" --check 2>&1)
result 'the schema and the manual have every kind of failure and every exit code' "$missing"
done_testing

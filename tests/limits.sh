#!/bin/bash
# Mazur under small limits: the same answers as without, from few descriptors, little address
# space, few processes, many mappings and many modules. tests/cli/test_limits.sh tests what
# Mazur says if a limit is too small to work at all.
#
# Usage: limits.sh        Environment: MAZUR (bin/mazur)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tap.sh
. "$here/tap.sh"
MAZUR=$(realpath -e "${MAZUR:-$here/../bin/mazur}") || exit 70
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
export MAZUR XDG_CACHE_HOME=$work/cache REPLAYS=1
cd "$work" || exit 70

# one pair of each kind of work: threads, descriptors, memory, C++, loops, processes, signals
pairs=(locks/deadlock_abba files/io_pipe_ files/io_socket_ memory/use_after_free cxx/std_lock cxx/std_string
    loops/livelock_spin threads/thread_pool claims/real_fork signals/signal_wait algorithms/wsq)

# under NAME LIMIT...: the pairs, and two models
under() {
    local name=$1 limit
    shift
    (
        # shellcheck disable=SC2086
        for limit; do ulimit $limit || exit 99; done
        "$here/programs/run.sh" "${pairs[@]}" >out 2>&1 || { grep -v '^ok ' out; exit 1; }
        "$MAZUR" model "$here/models/mutex.pml" --no-claim --quiet --no-trace >out 2>&1 || { cat out; exit 1; }
        "$MAZUR" model "$here/models/deadlock.pml" --quiet --no-trace >out 2>&1
        [ $? = 2 ] || { cat out; exit 1; }
    ) >problem 2>&1
    case $? in
    0) pass "$name" ;;
    99) skip "$name" "$name is skipped: the limit can't be set here" ;;
    *) fail "$name" "$(head -n 20 problem)" ;;
    esac
}

under "ulimit -n 256" "-n 256"
under "ulimit -v 2 GB" "-v 2097152"
under "ulimit -n 64 and -v 2 GB" "-n 64" "-v 2097152"
# the limit counts all processes of the user; root has none
if [ "$(id -u)" != 0 ]; then
    under "ulimit -u: 20 more than there are" "-u $(($(ps -L -u "$(id -u)" --no-headers | wc -l) + 20))"
elif command -v setpriv >/dev/null; then
    # another user, who has no processes
    mkdir other && chmod 777 other "$work" && cp "$here/programs/locks/deadlock_abba_bad.c" other
    (cd other && XDG_CACHE_HOME=$PWD/cache HOME=$PWD TMPDIR=$PWD setpriv --reuid 54321 --regid 54321 --clear-groups \
        sh -c 'ulimit -u 12 && exec "$0" check deadlock_abba_bad.c --no-trace' "$MAZUR" >../out 2>&1 </dev/null)
    status=$?
    result "ulimit -u 12, for a user of its own" "$([ $status = 2 ] || echo "exit $status, expected 2: $(cat out)")"
else
    skip "ulimit -u" "ulimit -u is skipped: there is no setpriv"
fi

# searched COMMAND SUBJECT [OPTION...]: complete, and nothing found
searched() {
    "$MAZUR" "$@" --require-complete --no-trace >out 2>&1 </dev/null
    local status=$?
    [ $status = 0 ] || echo "$*: exit $status, expected 0: $(tail -n 5 out)"
}

cat >mappings.c <<'C'
/* As many mappings as MAPPINGS: pages with alternating rights, which the kernel can't join. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
static atomic_int sum;
static char *page;
static void *adder(void *unused)
{
    atomic_fetch_add(&sum, page[0]);
    return unused;
}
int main(void)
{
    page = mmap(NULL, 4096ul * MAPPINGS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED);
    for (int i = 1; i < MAPPINGS; i += 2)
        assert(mprotect(page + 4096ul * i, 4096, PROT_READ) == 0);
    page[0] = 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&sum) == 2);
    return 0;
}
C
result "1,000 mappings" "$(searched check mappings.c -DMAPPINGS=1000)"

# COUNT libraries, and a program that calls into the last of them
modules() { # COUNT
    local i libraries=()
    mkdir "modules$1"
    for ((i = 0; i < $1; i++)); do
        libraries+=("modules$1/libm$i.so")
        [ -e one.o ] || { echo 'int from_module(int x) { return x + 1; }' >one.c && cc -fPIC -c one.c -o one.o; }
        cc -shared -Wl,-soname,"libm$i.so" -o "modules$1/libm$i.so" one.o || return
    done
    cc -pthread -Wl,--no-as-needed -Wl,-rpath,"$PWD/modules$1" -o "program$1" program.c "${libraries[@]}"
}
cat >program.c <<'C'
#include <assert.h>
#include <pthread.h>
int from_module(int x);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *adder(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum = from_module(sum);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 2);
    return 0;
}
C
ran() { # PROGRAM
    "$MAZUR" run --no-trace "./$1" >out 2>&1 </dev/null
    local status=$?
    [ $status = 0 ] || echo "$1: exit $status, expected 0: $(tail -n 5 out)"
}
result "200 modules" "$(modules 200 && ran program200)"
# more than Mazur has room for (LIMIT_AT_MODULES): it works, and claims nothing
result "300 modules" "$(modules 300 && ran program300
    grep -q "more than 256 libraries" out || echo "the limit is not named: $(tail -n 5 out)"
    ! grep -q "passed\|complete: " out || echo "a claim: $(tail -n 5 out)")"
done_testing

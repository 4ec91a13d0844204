#!/bin/bash
# Third-party software under Mazur: unmodified packaged programs (`mazur run`) and small tests
# of packaged libraries (`mazur check`), each searched up to one preemption within a time
# budget. `make compat` runs everything and writes docs/compatibility.md from the results.
#
#   run.sh [--quick] [--install] [--write] [FILTER...]
#
#   --quick     only the entries that take a second or two (part of `make test`)
#   --install   install missing packages first (apt)
#   --write     regenerate docs/compatibility.md
#
# An entry whose package is missing is skipped with a message. Environment: MAZUR (bin/mazur),
# BUDGET (60s).
set -u
cd "$(dirname "$0")" || exit 70
here=$PWD
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
MAZUR=${MAZUR:-$here/../../bin/mazur}
BUDGET=${BUDGET:-60s}
quick= install= write=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --install) install=1 ;;
    --write) write=1 ;;
    *) break ;;
    esac
    shift
done
filters=("$@")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mazur-real.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0

installed() { # installed "PACKAGE..."
    local package
    for package in $1; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q '^installed$' ||
            return 1
    done
}

version() {
    dpkg-query -W -f '${Version}' "${1%% *}" 2>/dev/null | sed 's/^[0-9]*://; s/[-+~].*//'
}

field() { "$scratch/jsonget" "$scratch/result.json" "$1"; }

list() { # list KEY: the strings of an array, joined
    local i count joined=
    count=$(field "$1.#")
    for ((i = 0; i < ${count:-0}; i++)); do
        joined+="${joined:+, }$(field "$1.$i")"
    done
    echo "$joined"
}

wanted() { # wanted NAME SPEED
    local filter
    [ -z "$quick" ] || [ "$2" = fast ] || return 1
    [ ${#filters[@]} -gt 0 ] || return 0
    for filter in "${filters[@]}"; do
        case $1 in *"$filter"*) return 0 ;; esac
    done
    return 1
}

# What the search covered, in words.
covered() {
    local bound
    bound=$(field bound_done)
    if [ "$(field complete)" = true ]; then
        echo everything
    elif [ -n "$bound" ] && [ "$bound" != null ]; then
        local words="≤ $bound preemptions"
        [ "$bound" != 1 ] || words="≤ 1 preemption"
        [ "$(field verdict)" != nothing-found ] || words+=", a part of $((bound + 1))"
        echo "$words"
    else
        echo "a part of 0"
    fi
}

# entry SPEED EXPECTED "PACKAGES" "SUBJECT" "REMARK" COMMAND...
#   EXPECTED: clean, or the expected verdict. The verdict of a program without the
#   seeded bug that is not clean needs a REMARK: what does not work, and why.
entry() {
    local speed=$1 expected=$2 packages=$3 subject=$4 remark=$5
    shift 5
    wanted "$subject $*" "$speed" || return
    if ! installed "$packages"; then
        echo "skip $subject: needs $packages"
        skipped=$((skipped + 1))
        return
    fi
    rm -f "$scratch/result.json"
    (cd "$scratch" && timeout "$PATIENCE" "$MAZUR" "$@" >"$scratch/output" 2>&1 </dev/null)
    local verdict
    verdict=$(field verdict)
    local good=
    case $expected in
    clean) [ "$verdict" = passed ] || [ "$verdict" = nothing-found ] && good=1 ;;
    *) [ "$verdict" = "$expected" ] && good=1 ;;
    esac
    if [ -n "$good" ]; then
        passed=$((passed + 1))
        echo "ok   $subject: $verdict, $(field executions) executions"
    else
        failed=$((failed + 1))
        echo "FAIL $subject: $verdict, expected $expected"
        tail -n 15 "$scratch/output" | sed 's/^/     /'
    fi
    local uncontrolled notes
    uncontrolled=$(list uncontrolled)
    notes=$(list notes)
    printf '| %s | %s %s | %s | %s | %s | %s | %s | %s |\n' "$subject" "${packages%% *}" \
        "$(version "$packages")" "$verdict" "$(field executions)" "$(field distinct)" \
        "$(covered)" "${uncontrolled:-none}" "${remark}${remark:+${notes:+; }}${notes}" \
        >>"$scratch/$section"
}

# program SPEED EXPECTED "PACKAGES" "SUBJECT" "REMARK" PROGRAM ARGUMENTS...
program() {
    local head=("${@:1:5}")
    shift 5
    entry "${head[@]}" run --bound 1 --time "$BUDGET" --trace-dir "$scratch" \
        --json "$scratch/result.json" "$@"
}

# library SPEED EXPECTED "PACKAGES" "SUBJECT" "REMARK" FILE OPTIONS...
library() {
    local head=("${@:1:5}") file=$6
    shift 6
    entry "${head[@]}" check --bound 1 --time "$BUDGET" --trace-dir "$scratch" \
        --json "$scratch/result.json" "$here/$file" "$@"
}

# untouched SPEED PROGRAM ARGUMENTS...: it starts no threads: expects the same output and exit
# code
untouched() {
    local speed=$1 alone controlled
    shift
    wanted "untouched $*" "$speed" || return
    (cd "$scratch" && "$@" >alone.txt 2>&1 </dev/null)
    alone=$?
    (cd "$scratch" && timeout "$PATIENCE" "$MAZUR" run "$@" >controlled.txt 2>&1 </dev/null)
    controlled=$?
    if [ "$alone" = "$controlled" ] && cmp -s "$scratch/alone.txt" "$scratch/controlled.txt"; then
        passed=$((passed + 1))
        echo "ok   untouched: $*"
    else
        failed=$((failed + 1))
        echo "FAIL untouched: $*: exit code $controlled, $alone without Mazur, or another output"
    fi
}

packages="pigz pbzip2 lbzip2 zstd xz-utils plzip coreutils liburcu-dev libck-dev
    libglib2.0-dev libuv1-dev libevent-dev libboost-dev libtbb-dev libconcurrentqueue-dev
    libsqlite3-dev libzstd-dev liblzma-dev libssl-dev libcurl4-openssl-dev libgtest-dev
    catch2 pkg-config libjansson-dev pixz libmicrohttpd-dev libgc-dev libapr1-dev libleveldb-dev
    libspdlog-dev libzmq3-dev libreaderwriterqueue-dev libthread-pool-dev libjemalloc-dev"
if [ -n "$install" ] && ! installed "$packages"; then
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    # shellcheck disable=SC2086 # words
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends \
        $packages || echo "not every package could be installed: their entries are skipped"
fi
make_jsonget "$scratch" || exit 70

# --- Packaged programs, as they are ---
section=programs
(
    cd "$scratch" || exit 70
    head -c 3000 /dev/zero | tr '\0' a >3k
    head -c 12000 /dev/zero | tr '\0' b >12k
    seq 14000 >70k
    gzip -c 70k >70k.gz
    head -c 70000 /dev/zero >zeros
    head -c 1100000 /dev/zero >megabyte
    yes '' | head -n 140000 >lines
    mkdir fresh
)
reduced='with --strategy cbpor: one execution for each order of its synchronisation calls'
program slow clean pigz 'pigz -p 2' '' pigz -p 2 -b 32 -1 -c zeros
program slow clean pigz 'pigz -p 3' "$reduced" --strategy cbpor pigz -p 3 -b 32 -1 -c zeros
program slow clean pigz 'pigz -d -p 3' '' pigz -p 3 -dc 70k.gz
program fast clean pbzip2 'pbzip2 -p 3' '' pbzip2 -p3 -b1 -c 3k
program slow clean lbzip2 'lbzip2 -n 1' '' lbzip2 -n1 -c 12k
program slow clean lbzip2 'lbzip2 -n 3' \
    'its signals leave no reduction: thousands of orders without any preemption' lbzip2 -n3 -c 3k
program fast clean zstd 'zstd -T2, one job' '' zstd -T2 -c 12k
program slow clean zstd 'zstd -T2, two jobs' "$reduced" \
    --strategy cbpor zstd -T2 --no-asyncio -B512K -1 -c megabyte
program slow clean zstd 'zstd -T3, one job, asynchronous I/O' '' zstd -T3 -1 -c zeros
program slow clean zstd 'zstd -T3, two jobs' \
    "$reduced; 3,906 of them without any preemption" \
    --strategy cbpor zstd -T3 --no-asyncio -B512K -1 -c megabyte
program slow clean xz-utils 'xz -T2' '' xz -T2 --block-size=4096 -0 -c 12k
program slow clean xz-utils 'xz -T3' '' xz -T3 --block-size=4096 -0 -c 12k
program slow clean plzip 'plzip -n 2' '' plzip -n2 -s4KiB -B8KiB -0 -c 12k
program slow clean plzip 'plzip -n 3' '' plzip -n3 -s4KiB -B8KiB -0 -c 12k
program slow clean pixz 'pixz -p 2' '' pixz -p 2 -0 -i 3k -o /dev/null
program slow clean coreutils 'sort --parallel=2' \
    'it starts a thread for 131,072 lines and more' sort --parallel=2 lines

# --- Libraries, through tests of our own ---
section=libraries
glib=$(pkg-config --cflags --libs glib-2.0 2>/dev/null)
builtins=(--volatile-atomic --races explore -DCK_USE_CC_BUILTINS)
urcu=(--volatile-atomic -D_LGPL_SOURCE -lurcu-mb -lurcu-common)
apr=$(pkg-config --cflags --libs apr-1 2>/dev/null)
spdlog=(-DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -lspdlog -lfmt)
invisible='with --strategy bpor: its atomics are invisible, and the default strategy then claims less'
queue_visible=(--visible _cds_wfcq_enqueue --visible ___cds_wfcq_dequeue_with_state
    --visible ___cds_wfcq_node_sync_next --visible _cds_wfcq_init --visible _cds_wfcq_node_init)
stack_visible=(--visible ck_stack_pop_upmc --visible pusher)
library fast clean liburcu-dev 'liburcu: read side and grace period' '' urcu_list.c "${urcu[@]}"
library slow clean liburcu-dev 'liburcu: wait-free queue' 'calls into the library: no switch inside them' urcu_queue.c -lurcu-common
library slow clean liburcu-dev 'liburcu: wait-free queue, inlined' \
    'with --visible: its exchange is inline assembly' urcu_queue.c -D_LGPL_SOURCE "${queue_visible[@]}" -lurcu-mb -lurcu-common
library slow clean libck-dev 'Concurrency Kit: stack' \
    'built with CK_USE_CC_BUILTINS; its plain loads of pointers race by C11' ck_stack.c "${builtins[@]}"
library slow clean libck-dev 'Concurrency Kit: ring' \
    'built with CK_USE_CC_BUILTINS; its fences order only the processor' ck_ring.c "${builtins[@]}"
library slow clean libck-dev 'Concurrency Kit: ring, as packaged' \
    'with --visible: its atomics are inline assembly' ck_ring.c \
    --visible ck_ring_enqueue_spsc --visible ck_ring_dequeue_spsc
library slow clean libck-dev 'Concurrency Kit: stack, as packaged' \
    'with --visible: its atomics are inline assembly' ck_stack.c "${stack_visible[@]}"
# shellcheck disable=SC2086 # words
library fast clean libglib2.0-dev 'GLib: GAsyncQueue, GMutex' '' glib_queue.c $glib
# shellcheck disable=SC2086
library slow clean libglib2.0-dev 'GLib: GThreadPool' '' glib_pool.c $glib
library fast clean libuv1-dev 'libuv: uv_async_send' '' uv_async.c -luv
library slow clean libuv1-dev 'libuv: thread pool' "$invisible" uv_work.c --strategy bpor -luv
library fast clean libevent-dev 'libevent: socketpair and loop' '' libevent_pair.c -levent
library slow clean libboost-dev 'Boost.Lockfree: spsc_queue' '' boost_spsc.cpp
library slow data-race libboost-dev 'Boost.Lockfree: queue' \
    'a race of Boost: the freelist reads a node that another thread may be constructing (its tag makes it harmless); --races explore passes' boost_queue.cpp
library slow clean libboost-dev 'Boost.Lockfree: queue, races explored' '' boost_queue.cpp --races explore
library slow clean libtbb-dev 'oneTBB: concurrent_queue' 'its own allocator is kept out: malloc() has names for its blocks' tbb_queue.cpp -ltbb
library slow clean libtbb-dev 'oneTBB: concurrent_hash_map' 'its own allocator is kept out' tbb_map.cpp -ltbb
library slow clean libconcurrentqueue-dev 'moodycamel: ConcurrentQueue' '' moodycamel.cpp -Wno-tsan
library fast clean libsqlite3-dev 'SQLite: one connection, serialised' '' sqlite_threads.c -lsqlite3
library slow clean libzstd-dev 'libzstd: two workers' '' zstd_mt.c -lzstd
library slow clean liblzma-dev 'liblzma: multi-threaded encoder' '' lzma_mt.c -llzma
library slow clean libssl-dev 'OpenSSL: first use from two threads' '' openssl_once.c -lcrypto
library fast clean libssl-dev 'OpenSSL: reference count of a BIO' '' openssl_refcount.c -lcrypto
library slow clean libcurl4-openssl-dev 'libcurl: shared cookies' '' curl_share.c -lcurl
library slow clean libmicrohttpd-dev 'libmicrohttpd: a request over the loopback' '' microhttpd.c -lmicrohttpd
library slow clean libgc-dev 'Boehm collector: threads allocate' '' boehm_gc.c -lgc
# shellcheck disable=SC2086
library slow clean libapr1-dev 'Apache Portable Runtime: mutex and condition' '' apr_queue.c $apr
library slow clean libleveldb-dev 'LevelDB: put and get' 'with --scratch: its files are fresh in every execution' \
    leveldb_put.cpp --scratch fresh -lleveldb
library slow clean libspdlog-dev 'spdlog: asynchronous logger' '' spdlog_async.cpp "${spdlog[@]}"
library slow clean libzmq3-dev 'ZeroMQ: a pair over inproc' "$invisible" zmq_pair.c --strategy bpor -lzmq
library slow clean libreaderwriterqueue-dev 'moodycamel: BlockingReaderWriterQueue' '' readerwriter.cpp
library slow clean libthread-pool-dev 'thread_pool: tasks and futures' '' thread_pool.cpp
library slow clean libjemalloc-dev 'jemalloc, linked' "Mazur's heap takes its place" allocator.c -Wl,--no-as-needed -ljemalloc
library slow clean libgtest-dev 'GoogleTest binary' '' gtest_pool.cpp -lgtest -lgtest_main
library slow clean catch2 'Catch2 binary' '' catch2_queue.cpp -O0
library slow clean g++ 'libstdc++: atomic wait, latch, semaphore, async, exceptions' '' std_waiting.cpp -std=c++20
library slow clean g++ 'libstdc++: barrier' '' std_barrier.cpp -std=c++20
OMP_WAIT_POLICY=passive library slow clean gcc 'GNU OpenMP (libgomp)' \
    'with --visible libgomp.so.1 and OMP_WAIT_POLICY=passive: it spins, and makes futex calls with its own instructions' \
    openmp_sum.c -fopenmp --visible libgomp.so.1

# --- Bugs that were seeded into those tests ---
section=seeded
library fast memory-error liburcu-dev 'liburcu: freed without a grace period' '' urcu_list.c -DSEED "${urcu[@]}"
# shellcheck disable=SC2086
library fast data-race libglib2.0-dev 'GLib: a counter beside the queue loses its GMutex' '' glib_queue.c -DSEED $glib
library slow data-race libuv1-dev 'libuv: works share a counter without a lock' '' uv_work.c -DSEED -luv
library slow data-race libboost-dev 'Boost.Lockfree: published before it is written' '' boost_queue.cpp -DSEED
library slow data-race libtbb-dev 'oneTBB: a reference outlives its accessor' '' tbb_map.cpp -DSEED -ltbb
library fast assertion libsqlite3-dev 'SQLite: a connection without mutex is shared' '' sqlite_threads.c -DSEED -lsqlite3
library fast memory-error libssl-dev 'OpenSSL: one reference too few' '' openssl_refcount.c -DSEED -lcrypto
library slow data-race libcurl4-openssl-dev 'libcurl: lock callbacks that do not lock' '' curl_share.c -DSEED -lcurl
library slow data-race libgtest-dev 'GoogleTest: a counter read outside its lock' '' gtest_pool.cpp -DSEED -lgtest -lgtest_main
library slow assertion libck-dev 'Concurrency Kit: two producers push as one' '' ck_stack.c -DSEED "${stack_visible[@]}"
OMP_WAIT_POLICY=passive library slow data-race gcc 'OpenMP: a sum without reduction' '' \
    openmp_sum.c -DSEED -fopenmp --visible libgomp.so.1
library slow data-race libmicrohttpd-dev 'libmicrohttpd: requests counted without a lock' '' microhttpd.c -DSEED -lmicrohttpd
# shellcheck disable=SC2086
library slow data-race libapr1-dev 'Apache Portable Runtime: the producer leaves the mutex out' '' apr_queue.c -DSEED $apr
library slow data-race libspdlog-dev 'spdlog: a sink without a mutex is shared' '' spdlog_async.cpp -DSEED "${spdlog[@]}"
library slow data-race libreaderwriterqueue-dev 'moodycamel: two writers of a queue for one' '' readerwriter.cpp -DSEED
library slow data-race libthread-pool-dev 'thread_pool: tasks share a counter' '' thread_pool.cpp -DSEED
library slow assertion g++ 'libstdc++: a barrier is left out' '' std_barrier.cpp -DSEED -std=c++20

# --- Programs without threads ---
untouched fast sh -c 'echo hello; exit 3'
untouched fast sort 12k
if installed libgtest-dev && wanted 'untouched gtest' slow; then
    "$MAZUR" c++ -o "$scratch/gtest" "$here/gtest_pool.cpp" -lgtest -lgtest_main
    untouched slow ./gtest --gtest_list_tests
    untouched slow ./gtest '--gtest_filter=*Zero'
fi

table() {
    echo "| subject | package | verdict | executions | distinct | covered | uncontrolled calls | remarks |"
    echo "|---|---|---|---:|---:|---|---|---|"
    [ ! -e "$scratch/$1" ] || cat "$scratch/$1"
    echo
}

# count FILE [VERDICT]: its rows, or those with this verdict
count() { awk -F ' *[|] *' -v verdict="${2:-}" 'verdict == "" || $4 == verdict { n++ } END { print n + 0 }' "$scratch/$1"; }

document() {
    local by_hand # what follows the tables
    by_hand=$(sed -n '/^## What does not work/,$p' "$here/../../docs/compatibility.md")
    cat <<END
# Compatibility: software that others wrote

- $(count programs) searches of packaged programs, as Debian ships them: $(count programs passed) searched up to one preemption, $(count programs nothing-found) cut by the time.
- $(count libraries) searches of tests of packaged libraries: $(count libraries passed) passed, $(count libraries nothing-found) cut by the time, $(count libraries data-race) found a race of the library itself.
- $(count seeded) bugs seeded into those tests: all found, the slowest after $(awk -F ' *[|] *' '$5 > most { most = $5 } END { print most }' "$scratch/seeded") executions.

Written by \`make compat\` ($(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $(uname -m)). Every search went up to one
preemption within $BUDGET. \`passed\` means that this was completed, \`nothing-found\` that time ran
out first; "covered" says how far it came. A packaged program is not instrumented: its pthread
calls, futexes, signals and descriptors are the scheduling points, and its plain memory is not
checked for races. A library is called by an instrumented test (\`tests/real\`); the library's own
code is as packaged, except where it is all headers. What code that is not instrumented does with
atomics or plain memory is taken to tell threads nothing about each other: orders that differ in
that alone are not all tried.

## Programs, unmodified

END
    table programs
    printf '## Libraries\n\n'
    table libraries
    printf '## Seeded bugs\n\nThe same tests with one mistake put in on purpose; each must be found.\n\n'
    table seeded
    printf '%s\n' "$by_hand"
}

if [ -n "$write" ] && [ "$skipped" -gt 0 ]; then
    echo "docs/compatibility.md is not written: packages are missing"
elif [ -n "$write" ] && [ -z "$quick" ] && [ ${#filters[@]} -eq 0 ]; then
    document >"$scratch/document" && cp "$scratch/document" "$here/../../docs/compatibility.md"
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped: packages are missing (make compat installs them)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]

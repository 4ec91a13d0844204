#!/bin/bash
# Reasons to claim less, raised by programs that give one, every row of claim_reasons.def: each is in the JSON output by
# its id, and "complete" falls unless it is only a remark. (tests/unit/test_claim.c does the same for the table as a whole.)
. "$(dirname "$0")/lib.sh"

declare -A raised=()

# claim_follows: what r.json claims is what the reasons in it allow (claim_severity of the table: claim.h)
claim_follows() {
    local i count claimed=true
    count=$(field r.json 'reasons.#')
    for ((i = 0; i < count; i++)); do
        [ "$(field r.json "reasons.$i.severity")" = remark ] || claimed=false
    done
    [ "$(field r.json verdict)" = passed ] || claimed=false
    [[ $last != *--bound* ]] || claimed=false
    [ "$(field r.json complete)" = $claimed ] || fault "$last: complete is $(field r.json complete), not $claimed: $(field r.json reasons)"
}

# was_raised ID: it is in r.json, as the table has it, and the claim fell
was_raised() {
    local severity i count
    severity=$(sed -n "s/^REASON([A-Z_]*, \"$1\", CLAIM_\([A-Z]*\),.*/\L\1/p" "$root/src/explore/claim/claim_reasons.def")
    count=$(field r.json 'reasons.#')
    for ((i = 0; i < ${count:-0}; i++)); do
        [ "$(field r.json "reasons.$i.id" "reasons.$i.severity")" != "$1 $severity" ] || raised[$1]=1
    done
    [ -n "${raised[$1]:-}" ] || fault "$last: no reason $1 ($severity) in $(field r.json reasons)"
    claim_follows
    [ "$severity" != forbids ] || lacks out "passed" "complete: "
}

# raises ID STATUS COMMAND...: in a search that writes r.json
raises() {
    local id=$1 status=$2
    shift 2
    t "$id"
    rm -f r.json
    expect "$status" "$1" "$2" --json r.json "${@:3}"
    was_raised "$id"
}

# program NAME DECLARATIONS BODY-OF-THREAD BODY-OF-MAIN
program() {
    cat >"$1.c" <<C
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int shared;
atomic_int flag;
$2
static void *work(void *unused)
{
    $3
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    $4
    pthread_join(thread, 0);
    return 0;
}
C
}

program twice '' 'flag++;' 'char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *again = mremap(page, 0, 4096, MREMAP_MAYMOVE); page[0] = again[0];'
raises mapped-twice 0 "$MAZUR" check twice.c

program signalled 'static void handle(int number) { (void)number; }' 'flag++;' 'signal(SIGUSR1, handle); pthread_kill(thread, SIGUSR1);'
raises no-reduction 0 "$MAZUR" check signalled.c

program nine 'atomic_int cell[9];' 'for (int i = 0; i < 9; i++) cell[i] = 1;' \
    'for (int i = 0; i < 9; i++) atomic_load(&flag);
    for (int sum = 0; sum < 9; ) for (int i = sum = 0; i < 9; i++) sum += atomic_load(&cell[i]);'
raises long-rounds 0 "$MAZUR" check nine.c --bound 0

program excluded 'void AnnotateIgnoreReadsBegin(const char *, int); void AnnotateIgnoreReadsEnd(const char *, int);' \
    'shared = 1;' 'AnnotateIgnoreReadsBegin(__FILE__, __LINE__); volatile int seen = shared; (void)seen; AnnotateIgnoreReadsEnd(__FILE__, __LINE__);'
raises races-excluded 0 "$MAZUR" check excluded.c

program benign 'void AnnotateBenignRaceSized(const char *, int, const volatile void *, long, const char *);' \
    'shared = 1;' 'AnnotateBenignRaceSized(__FILE__, __LINE__, &shared, sizeof shared, "known"); shared = 2;'
raises races-benign 0 "$MAZUR" check benign.c

program orders 'void AnnotateIgnoreSyncBegin(const char *, int); void AnnotateIgnoreSyncEnd(const char *, int);' \
    'flag++;' 'AnnotateIgnoreSyncBegin(__FILE__, __LINE__); flag++; AnnotateIgnoreSyncEnd(__FILE__, __LINE__);'
raises orders-kept 0 "$MAZUR" check orders.c

program plain '' 'flag++;' 'flag++;'
$CC -g -o plain plain.c -pthread
raises not-instrumented 0 "$MAZUR" run ./plain

echo 'extern int shared; void add(void); void add(void) { shared++; }' >other.c
$CC -g -c -o other.o other.c
program calls 'void add(void);' 'flag++;' 'add();'
raises code-not-instrumented 0 "$MAZUR" check calls.c other.o

program clock '' 'flag++;' 'shared = (int)__builtin_ia32_rdtsc() & 0;'
raises outside-values 0 "$MAZUR" check clock.c

program errno_of 'static int *_Atomic place;' 'place = &errno; while (!flag) { }' 'while (!place) { } volatile int seen = *place; (void)seen; flag = 1;'
raises libc-storage 0 "$MAZUR" check errno_of.c

program many '' 'flag = 1; flag = 0;' "$(for i in $(seq 40); do echo "assert(flag != 1 || $i == 0);"; done)"
raises many-failures 1 "$MAZUR" check --keep-going --strategy icb --execs 2000 many.c
raises stopped-at-failure 1 "$MAZUR" check many.c

program file_memory '#include <fcntl.h>' 'flag++;' 'int file = open("memory", O_RDWR | O_CREAT, 0600); (void)!ftruncate(file, 4096);
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); page[0] = 1; close(file);'
raises mapped-file 0 "$MAZUR" check file_memory.c

program shared_lock 'pthread_mutex_t lock;' 'pthread_mutex_lock(&lock); shared++; pthread_mutex_unlock(&lock);' \
    'pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);'
raises process-shared 0 "$MAZUR" check shared_lock.c

program counted '#include <time.h>' 'flag++;' 'struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); long start = now.tv_sec;
    pthread_join(thread, 0); volatile long rounds = 0;
    while (now.tv_sec <= start + 1 && flag < 5) { clock_gettime(CLOCK_MONOTONIC, &now); rounds = rounds + 1; }
    return 0;'
raises unproven-loop 0 "$MAZUR" check counted.c

program spins '' 'for (int i = 0; i < 5000; i++) if (flag == 2) return 0;' 'flag = 1;'
raises rounds-counted 0 "$MAZUR" check spins.c

program own_stack 'static char stack[1 << 18] __attribute__((aligned(4096)));' 'flag++;' \
    'pthread_attr_t how; pthread_t other; pthread_attr_init(&how); pthread_attr_setstack(&how, stack, sizeof stack);
    pthread_create(&other, &how, work, 0); pthread_join(other, 0);'
raises own-stacks 0 "$MAZUR" check own_stack.c

cp "$root"/tests/programs/api/linear_counter_*.c .
raises serial-histories 0 "$MAZUR" check linear_counter_good.c "-I$root/include"
raises no-reduction-by-place 0 "$MAZUR" check --no-preempt work plain.c
raises blind-reduction 0 "$MAZUR" run --strategy dpor ./plain

program locked_add '' '__asm__ volatile("lock incl %0" : "+m"(shared));' '__asm__ volatile("lock incl %0" : "+m"(shared));'
raises assembly 0 "$MAZUR" check locked_add.c
raises assembly-moves 0 "$MAZUR" check "$root/tests/programs/machine/machine_assembly_move_bad.c"
raises untold-accesses 0 "$MAZUR" check "$root/tests/programs/machine/machine_untold_bad.c"

cat >late.c <<'C'
struct pair { long first, second; } pair;
__attribute__((noinline, noclone)) struct pair make(long n) { return (struct pair){n, n}; }
void put(void) { pair = make(1); }
C
program loads '#include <dlfcn.h>' 'flag++;' '((void (*)(void))dlsym(dlopen("./liblate.so", RTLD_NOW), "put"))();'
expect 0 "$MAZUR" cc --compiler gcc -O1 -g -fPIC -shared -o liblate.so late.c
raises unannounced 0 "$MAZUR" check --isolate=fork loads.c

raises frames-unknown 0 "$MAZUR" check -DCONTEXT "$root/tests/programs/memory/returned_frame_stacks_good.c"

raises ended-block 0 "$MAZUR" check -O0 "$root/tests/programs/memory/ended_block_bad.c"
lacks out "passed"

program unseen 'static int next; static atomic_int cell[2], own[3];
__attribute__((noinline, no_sanitize("thread"))) static int ticket(void) { return next++ & 1; }' \
    'own[unused ? 1 : 2]++; cell[ticket()]++; flag++;' 'pthread_t other; pthread_create(&other, 0, work, &thread); pthread_join(other, 0);'
raises unseen-dependence 0 "$MAZUR" check unseen.c

program counts '' 'flag++;' 'for (int i = 0; i < 1000; i++) flag++;'
raises cut-loop 0 "$MAZUR" check --depth 200 counts.c
says out "the step limit was reached after 200 operations, in a loop of main"
says r.json '"complete": false'

program circle '' 'while (!flag) { atomic_fetch_xor((atomic_int *)&shared, 1); sched_yield(); }' 'sched_yield(); flag = 1;'
raises state-cycle 0 "$MAZUR" check --strategy sdpor circle.c
lacks out "complete: "

program two '' 'flag++; flag++;' 'flag++; flag++;'
raises states-without-buffers 0 "$MAZUR" check --strategy icb --store-buffers --cache-states two.c
raises ways-differ 0 "$MAZUR" check --strategy icb --store-buffers --cache-states two.c
lacks out "passed" "all executions"

# what it does depends on how often it was run
program changing '#include <fcntl.h>
#include <sys/stat.h>' 'struct stat status; int file = open("counter", O_WRONLY | O_APPEND | O_CREAT, 0600);
    (void)!write(file, "x", 1); fstat(file, &status); close(file); for (long i = status.st_size & 3; i > 0; i--) flag++;' \
    'for (int i = 0; i < 4; i++) flag++;'
raises diverged 5 "$MAZUR" check --keep-going --strategy dfs --execs 100 changing.c
rm -f counter
raises prefix-lost 5 "$MAZUR" check --keep-going --strategy dfs --execs 100 changing.c

cat >histories.c <<'C'
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        mazur_history_begin("add");
        n++;
        mazur_history_end("");
    }
    return unused;
}
int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
    return 0;
}
C
raises serial-unfinished 0 "$MAZUR" check --time 1ms histories.c "-I$root/include"
raises time 0 "$MAZUR" check --time 1ms histories.c "-I$root/include"

# more than a preemption per round, and only one execution that keeps to it
program alternates '#include <mazur.h>' 'for (int i = 0; i < 40; i++) mazur_assume(atomic_fetch_add(&flag, 1) == 2 * i);' \
    'for (int i = 0; i < 40; i++) mazur_assume(atomic_fetch_add(&flag, 1) == 2 * i + 1);'
raises many-bounds 0 "$MAZUR" check --strategy icb alternates.c "-I$root/include"

cat >ticks.cpp <<'C'
#include <atomic>
#include <exception>
#include <thread>
int main()
{
    auto first = std::make_exception_ptr(1);
    std::atomic<int> n{0};
    std::thread other([&] { n++; });
    for (int i = 0; i < 9000000; i++) /* each copy that is let go is an order, and no operation */
        std::exception_ptr copy = first;
    other.join();
}
C
raises race-clocks 0 "$MAZUR" check --execs 1 -O1 ticks.cpp

program slow '' 'flag++;' 'for (int i = 0; i < 2000000000; i++) { for (volatile int k = 0; k < 1000000; k++) { } flag++; }'
raises stopped 0 "$MAZUR" check --time 300ms --hang 1000s slow.c

program many_steps '' 'for (int i = 0; i < 40; i++) flag++;' 'for (int i = 0; i < 40; i++) flag++;'
t interrupted
rm -f r.json
last="check, interrupted"
"$MAZUR" check --json r.json --strategy dfs --time 0 many_steps.c >out 2>err &
pid=$!
wait_until $pid grep -q "visible operations" out
kill -INT $pid
wait $pid
[ $? = 0 ] || fault "exit $?"
was_raised interrupted

program scribbles '#include "board/board.h"' 'flag++;' \
    '((struct board *)BOARD_ADDRESS)->claim.raised[CLAIM_REASONS / 64] |= UINT64_C(1) << 63;'
raises doubtful 70 "$MAZUR" check -O0 "-I$root/src" scribbles.c
lacks out "passed" "complete" "all executions"
says r.json '"bound_done": null'

# --- what options and ends of the search raise ---
raises executions 0 "$MAZUR" check --execs 1 two.c
raises places 0 "$MAZUR" check --no-preempt work two.c
program seven '' 'for (int i = 0; i < 7; i++) flag++;' 'for (int i = 0; i < 7; i++) flag++;'
raises shard 0 "$MAZUR" check --shard 1/2 seven.c
cp r.json shard.json
raises shards-missing 0 "$MAZUR" merge shard.json
raises step-limit 0 "$MAZUR" check --depth 200 counts.c
raises known-states 0 "$MAZUR" check --strategy icb --cache-states two.c
# one path to the state after both additions has the race, and is not the first
program plainly '#include <semaphore.h>
static atomic_int told; static sem_t done;
__attribute__((constructor)) static void before(void) { sem_init(&done, 0, 0); }' \
    'shared = 1; flag++; atomic_store_explicit(&told, 1, memory_order_relaxed); sem_wait(&done);' \
    'flag++; if (atomic_load_explicit(&told, memory_order_relaxed)) shared = 1; sem_post(&done);'
raises states-without-clocks 0 "$MAZUR" check --strategy icb --bound 1 --cache-states plainly.c
raises known-state-cycle 0 "$MAZUR" check --strategy icb --bound 1 --cache-states circle.c

program alike '' 'flag++;' 'pthread_t other; pthread_create(&other, 0, work, 0); pthread_join(other, 0);'
raises symmetric 0 "$MAZUR" check --symmetric alike.c

program yields '' 'sched_yield(); sched_yield(); flag = 1;' 'sched_yield(); flag = 2;'
raises fair-bound 0 "$MAZUR" check --strategy bpor --fair 1 --bound 1 yields.c

program races '' 'shared++;' 'shared++;'
raises races-ignored 0 "$MAZUR" check --races ignore races.c

program writes '#include <stdio.h>' 'FILE *file = fopen("written", "w"); if (file) fclose(file);' 'shared = system("true");'
raises files-changed 0 "$MAZUR" check writes.c
raises uncontrolled-call 0 "$MAZUR" check writes.c
raises handler-places 0 "$MAZUR" check signalled.c

program timed '#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t ready = PTHREAD_COND_INITIALIZER;' \
    'pthread_mutex_lock(&lock); struct timespec at = {1, 0}; pthread_cond_timedwait(&ready, &lock, &at); pthread_mutex_unlock(&lock);' 'flag++;'
raises idle-timeouts 0 "$MAZUR" check timed.c

program waits '' 'flag = 1;' 'while (!atomic_load(&flag)) atomic_fetch_add((atomic_int *)&shared, 1);'
raises waits-learned 0 "$MAZUR" check waits.c

program timers '#include <time.h>' 'struct sigevent event = {.sigev_notify = SIGEV_NONE}; timer_t timer;
    for (int i = 0; i < 40; i++) timer_create(CLOCK_MONOTONIC, &event, &timer);' ''
raises limit 0 "$MAZUR" check timers.c

t "every reason of the table was raised here, and the claim fell"
while read -r id; do
    case $id in
    queue-lost) # takes a queue of gigabytes, or a smaller one
        grep -q 'claim_has(&claim, REASON_QUEUE_LOST)' "$root/tests/unit/test_queue.c" || fault "tests/unit/test_queue.c does not raise $id" ;;
    *) [ -n "${raised[$id]:-}" ] || fault "no test raises $id" ;;
    esac
done < <(sed -n 's/^REASON([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$root/src/explore/claim/claim_reasons.def")

end_of_file

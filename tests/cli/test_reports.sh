#!/bin/bash
# The block that belongs to each kind of failure, on programs of tests/programs and small ones.
. "$(dirname "$0")/lib.sh"
programs=$root/tests/programs

t "data race: both accesses, their stacks, locks held"
expect 7 "$MAZUR" check "$programs/races/counter_plain_bad.c" --no-trace
says out "data race on counter" "Two accesses that nothing orders" "first:  write of 4 bytes at counter by T1" \
    "second: read of 4 bytes at counter by T2" "holding no lock" "increment"

t "use after free: allocation, free, use"
expect 11 "$MAZUR" check "$programs/memory/use_after_free_bad.c" --no-trace
says out "use after free" "heap block of main()" "allocated by main" "freed by T1" "owner"

t "livelock: the cycle once, and who spins"
expect 3 "$MAZUR" check "$programs/loops/livelock_spin_bad.c" --no-trace
says out "livelock" "T1 spins: load flag"
expect 3 "$MAZUR" check "$programs/loops/livelock_polite_bad.c" --no-trace
says out "trylock left: fails" "⋮"
[ "$(wc -l <out)" -le 45 ] || fault "the report has $(wc -l <out) lines"

t "misuse: the object by name"
expect 12 "$MAZUR" check "$programs/misuse/misuse_unlock_not_owner_bad.c" --no-trace
says out "misuse of a synchronisation object" "mutex"

t "crash: the signal and the place"
expect 1 "$MAZUR" check "$programs/endings/crash_null_bad.c" --no-trace
says out "crash" "SIGSEGV" "crash_null_bad.c:"

t "C++: names with their classes, lambdas, user code before library code"
cat >queue.cpp <<'C'
#include <mutex>
#include <thread>
namespace shop {
class Queue {
public:
    void push(std::mutex &first, std::mutex &second)
    {
        std::lock_guard<std::mutex> a(first);
        std::lock_guard<std::mutex> b(second);
    }
};
}
static std::mutex left, right;
int main()
{
    shop::Queue queue;
    std::thread one([&] { queue.push(left, right); });
    std::thread two([&] { queue.push(right, left); });
    one.join();
    two.join();
}
C
expect 2 "$MAZUR" check queue.cpp --no-trace
says out "queue.cpp:9 shop::Queue::push" "holds left, taken at queue.cpp:8 shop::Queue::push" "T1 lambda" \
    "lock right"

t "atomic members, arrays and 64-bit values"
cat >values.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static struct { int pad; struct { _Atomic uint64_t big; _Atomic signed char small; } cell[3]; } box;
static void *work(void *unused)
{
    atomic_store_explicit(&box.cell[2].big, UINT64_C(0xdeadbeef00000001), memory_order_relaxed);
    box.cell[1].small = -1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(box.cell[1].small == 0);
}
C
expect 1 "$MAZUR" check values.c --no-trace
says out "store box.cell[2].big: 0 → 0xdeadbeef00000001 (relaxed)" "store box.cell[1].small: 0 → -1" \
    "load box.cell[1].small = -1 from T1"

t "--full shows what was folded"
cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int x;
static void *work(void *unused)
{
    for (int i = 0; i < 200; i++)
        x++;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    abort();
}
C
expect 1 "$MAZUR" check long.c --no-trace
says out "⋮"
[ "$(wc -l <out)" -le 45 ] || fault "the report has $(wc -l <out) lines"
expect 1 "$MAZUR" check long.c --no-trace --full
lacks out "⋮"
says out "update x: 100 → 101"

t "variables on stacks, thread-local ones, blocks from operator new, calls through a library"
cat >names.cpp <<'C'
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
struct node { int pad; std::atomic<int> value; };
static thread_local std::atomic<int> mine;
static std::atomic<node *> head;
int main()
{
    std::atomic<int> local{0};
    std::mutex guard;
    std::condition_variable cond;
    std::atomic<int> table[4] = {};
    struct { int a; std::atomic<long> b; } pair = {1, {2}};
    head = new node{0, {7}};
    std::thread worker([&] {
        local++;
        table[2] = 5;
        pair.b = 9;
        mine = 3;
        head.load()->value = 8;
        std::lock_guard<std::mutex> lock(guard);
        cond.notify_all();
    });
    worker.join();
    assert(mine == local);
}
C
for compiler in $CC -O0 -O2 clang; do
    case $compiler in
    -O*) options=$compiler ;;
    clang) command -v clang++ >/dev/null || continue; options=--compiler=clang++ ;;
    *) options=-O1 ;;
    esac
    expect 1 "$MAZUR" check names.cpp $options --no-trace --full
    says out "fetch_add local: 0 → 1" "store table[2]: 0 → 5" "store pair.b: 2 → 9" \
        "lock guard" "broadcast cond" "head->value: 7 → 8" "names.cpp:26 main"
    [ $compiler = clang ] || says out "store mine in T1: 0 → 3" "load mine in main = 0"
    lacks out "0x48" "operator new"
done

t "heap objects behind the nodes of maps are called by their keys; a local that a global is named like"
cat >keys.cpp <<'C'
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
enum class Color { Red = 3, Green };
struct Account { std::atomic<int> balance{1}; };
struct Bank {
    std::map<int, std::unique_ptr<Account>> accounts;
    std::map<std::string, std::shared_ptr<Account>> owners;
    std::unordered_map<Color, Account *> colors;
};
static Bank *bank;
std::atomic<int> twin{0}, single{0};
int main()
{
    std::atomic<int> twin{0}, alone{0};
    bank = new Bank;
    bank->accounts[-7] = std::make_unique<Account>();
    bank->accounts[12] = std::make_unique<Account>();
    bank->owners["anna"] = std::make_shared<Account>();
    bank->owners["somebody with a name that is very long"] = std::make_shared<Account>();
    bank->colors[Color::Green] = new Account;
    std::thread worker([&] {
        bank->accounts.at(-7)->balance = 2;
        bank->accounts.at(12)->balance = 3;
        bank->owners.at("anna")->balance = 4;
        bank->owners.at("somebody with a name that is very long")->balance = 5;
        bank->colors.at(Color::Green)->balance = 6;
        twin++;
        alone++;
    });
    worker.join();
    assert(!alone);
}
C
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    expect 1 "$MAZUR" check keys.cpp --compiler $compiler --no-trace --full
    says out "store bank->accounts[-7]->balance: 1 → 2" "store bank->accounts[12]->balance: 1 → 3" \
        'store bank->owners["anna"]->balance: 1 → 4' \
        'store bank->owners["somebody with a name tha…"]->balance: 1 → 5' \
        "store bank->colors[Green]->balance: 1 → 6" "fetch_add twin of main(): 0 → 1" "fetch_add alone: 0 → 1"
done

t "a race on a local variable names it on both sides"
cat >stack_race.c <<'C'
#include <pthread.h>
struct box { int a, b; };
static void *add(void *argument)
{
    struct box *box = argument;
    box->b++;
    return 0;
}
int main(void)
{
    struct box shared = {0, 0};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, &shared);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
expect 7 "$MAZUR" check stack_race.c --no-trace
says out "data race on shared.b" "first:  write of 4 bytes at shared.b by T1" \
    "second: read of 4 bytes at shared.b by T2"

t "a broadcast names everybody that it wakes"
cat >broadcast.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, done;
static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    assert(++done < 3);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_mutex_lock(&m);
    while (go < 1) {
        go = 1;
        pthread_cond_broadcast(&c);
    }
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
expect 1 "$MAZUR" check broadcast.c --no-trace --strategy=random --seed=1 --simplify=0 --full --json b.json
event=0
while [ "$(field b.json failures.0.trace.$event.operation)" != broadcast ] && [ $event -lt 100 ]; do
    event=$((event + 1))
done
woken=$(field b.json failures.0.trace.$event.woken | tr -d '[]')
[[ $woken == *,* ]] || fault "the broadcast is to wake several: $woken"
woken=T${woken//,/, T}
says out "wakes ${woken%, *} and ${woken##*, }"

if command -v clang >/dev/null; then
    t "an assertion has its line also where the compiler made one call of several"
    cp "$root/examples/deque.c" .
    expect 1 "$MAZUR" check deque.c --compiler clang --no-trace
    says out "failed, at deque.c:$(grep -n 'every job runs once' deque.c | cut -d: -f1)"
    lacks out 'deque.c:0'
fi

t "heap blocks: the member that a pointer's type tells, and which of several blocks it is"
expect 1 "$MAZUR" check "$programs/algorithms/ms_queue_bad.c" --no-trace --full
says out "heap block of new_node():18.next: 0 → " "heap block of new_node():18 #2.next" "heap block of new_node():18 #3.next"

t "a lost wake-up is below the verdict, also with --quiet; a signal that decided nothing is not"
cp "$programs/conditions/lost_wakeup_bad.c" .
expect 2 "$MAZUR" check lost_wakeup_bad.c --no-trace --quiet
sed -n '/wait for ever: main for T1, T1 for a signal on condition, at/{n;p;}' out >second
says second "lost wake-up: T2's signal condition (" ") found nobody waiting"
cat >skip.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static atomic_int closed;
static void *close_it(void *arg) { closed = 1; return arg; }
static void *wait_if_closed(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (closed) pthread_cond_wait(&news, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_cond_signal(&news);
    pthread_create(&t[0], 0, close_it, 0);
    pthread_create(&t[1], 0, wait_if_closed, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
C
expect 2 "$MAZUR" check skip.c --no-trace
says out "    lost wake-up: the signal #1 of main"
lacks out "       lost wake-up: "

t "an object of a library, which no debug information names, has a number, not an address"
expect 1 "$MAZUR" check "$programs/cxx/std_shared_atomic_bad.cpp" --no-trace
says out "lock unnamed #1 of libstdc++.so"
lacks out 0x

t "a failure after a time-out or a choice says so"
expect 1 "$MAZUR" check "$programs/conditions/cond_timedwait_bad.c" --no-trace
says out "  In short:" " times out"

end_of_file

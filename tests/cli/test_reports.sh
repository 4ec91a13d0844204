# The block that belongs to each kind of failure, on programs of tests/programs and small ones.
programs=$root/tests/programs

t "data race: both accesses, their stacks, locks held"
expect 7 "$MAZUR" check "$programs/counter_plain_bad.c" --no-trace
says out "data race on counter" "Two accesses that nothing orders" "first:  write of 4 bytes at counter by T1" \
    "second: read of 4 bytes at counter by T2" "holding no lock" "increment"

t "use after free: allocation, free, use"
expect 11 "$MAZUR" check "$programs/use_after_free_bad.c" --no-trace
says out "use after free" "heap block of main()" "allocated by main" "freed by T1" "owner"

t "livelock: the cycle once, and who spins"
expect 3 "$MAZUR" check "$programs/livelock_spin_bad.c" --no-trace
says out "livelock" "T1 spins: load flag"
expect 3 "$MAZUR" check "$programs/livelock_polite_bad.c" --no-trace
says out "trylock left: fails" "⋮"
[ "$(wc -l <out)" -le 45 ] || fault "the report has $(wc -l <out) lines"

t "misuse: the object by name"
expect 12 "$MAZUR" check "$programs/misuse_unlock_not_owner_bad.c" --no-trace
says out "misuse of a synchronisation object" "mutex"

t "crash: the signal and the place"
expect 1 "$MAZUR" check "$programs/crash_null_bad.c" --no-trace
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

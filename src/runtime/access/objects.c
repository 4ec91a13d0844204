/* Uses of synchronisation objects, and the end of their memory: see objects.h. */
#include "runtime/access/objects.h"

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/race/race.h"

#define TOUCHED 8 /* bytes of an object that stand for it in the race detector: one cell */

static size_t touched_bytes(size_t size)
{
    return size < TOUCHED ? size : TOUCHED;
}

/* Code without instrumentation may order its accesses by atomics that Mazur does not see, so
 * the race check ignores its uses. */
void object_use(const volatile void *object, size_t size, uint64_t pc)
{
    access_check(ADDRESS(object), size, true, pc);
    if (caller_counts(pc))
        race_use(rt.current, ADDRESS(object), touched_bytes(size), pc);
}

void object_init(const volatile void *object, size_t size, uint64_t pc)
{
    access_check(ADDRESS(object), size, true, pc);
    if (caller_counts(pc) && rt.check_races)
        race_write(rt.current, ADDRESS(object), touched_bytes(size), pc);
}

static bool waits_in(int tid, uint64_t base, uint64_t size)
{
    const struct thread *thread = &rt.thread[tid];
    const struct op *op = &rt.pending[tid];
    if (ADDRESS(thread->wait.condition) - base < size && !thread->wait.notified)
        return true;
    if (op->kind == OP_BARRIER_LEAVE && !thread->wait.condition)
        return false; /* the barrier was destroyed after its round had ended */
    for (int i = 0; i < op->nobjects; i++)
        if (op->object[i] - base < size)
            return true;
    return false;
}

void object_memory_ends(uint64_t base, uint64_t size, uint64_t pc)
{
    rt.frees++;
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1))
        if (UNLIKELY(t != rt.current && waits_in(t, base, size)))
            failure_memory_ends("use after free: the block is freed while another thread waits "
                                "for an object in it",
                                base, size, pc);
}

/* Interchangeable threads, on the user's word (--symmetric).
 *
 *     create T1, create T2, create T3     same function, equal arguments, consecutive
 *
 *     START T2 waits for T1's first operation, START T3 for that of T2
 *
 * Such threads are indistinguishable, so the threads of an execution can be renamed: the thread
 * whose first operation comes first is called T1, and so on. A START changes nothing that
 * others see; moved to just before its thread's first operation it costs no preemption and may
 * save one. So every execution has a twin in this order, with the same outcome and at most as
 * many preemptions: n threads have one order to start with, not n!.
 *
 * To the strategies this looks like a semaphore: the first operation writes an object that the
 * next START reads and waits for. The race detector knows nothing of it.
 *
 * A thread that waits at its first operation keeps the following ones from starting; they would
 * wait at the same operation. If nothing else can run they start anyway, before any time
 * passes, so that deadlocks and time-outs are those of the program. Such a START is like a
 * time-out that happens because nothing else can run: it depends on everything. */
#include "runtime/core/symmetry.h"

#include "base/hash.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/heap.h"

static struct thread *leader_of(const struct thread *thread)
{
    return thread->life.leader ? &rt.thread[thread->life.leader - 1] : NULL;
}

static bool may_start(struct thread *thread)
{
    return thread->life.released || leader_of(thread)->life.worked;
}

/* Notes the argument when the thread is created. Later it may have been changed or freed, so a
 * comparison would depend on the schedule. */
static void note_argument(struct thread *thread)
{
    struct thread_argument *noted = &thread->life.noted;
    uint64_t address = (uint64_t)(uintptr_t)thread->life.argument;
    struct board_block block;
    *noted = (struct thread_argument){.address = address};
    if (!heap_block(address, &block) || block.base != address || block.freed_by >= 0)
        return;
    noted->owner = block.tid + 1;
    noted->number = block.number;
    noted->size = block.size;
    const unsigned char *byte = thread->life.argument;
    for (uint64_t i = 0; i < block.size; i++)
        noted->hash = hash_join(noted->hash, byte[i]);
}

/* The same memory, or heap blocks with the same contents (std::thread passes such blocks). */
static bool has_equal_argument(const struct thread *a, const struct thread *b)
{
    const struct thread_argument *left = &a->life.noted, *right = &b->life.noted;
    if (left->address == right->address && left->owner == right->owner &&
        left->number == right->number)
        return true;
    return left->owner && right->owner && left->size == right->size &&
           left->hash == right->hash;
}

/* Which thread waits for which depends on what the parent does, not on how far the first child
 * has come. The creation is independent of the child's progress, so that progress must make no
 * difference to the strategies.
 */
void symmetry_created(struct thread *parent, struct thread *child)
{
    struct thread *before = parent->life.latest ? &rt.thread[parent->life.latest - 1] : NULL;
    parent->life.latest = child->slot + 1;
    note_argument(child);
    if (!before || before->life.routine != child->life.routine ||
        !has_equal_argument(before, child))
        return;
    raise_reason(REASON_SYMMETRIC, NULL);
    struct op *start = &rt.pending[child->slot];
    child->life.leader = before->slot + 1;
    start->flags |= OP_MAY_BLOCK | OP_TIMED;
    start->object[start->nobjects++] = OBJECT_TURN(before->slot);
    child->wait.ready = may_start;
    threadset_add(&rt.blocking, child->slot);
    rt.stale = true;
}

void symmetry_start(struct thread *child)
{
    if (child->life.leader)
        threadset_remove(&rt.blocking, child->slot);
}

/* The operation is its thread's first one. Whether another thread will wait for it is not known
 * yet. */
static void add_turn(struct op *op)
{
    if (op->nobjects == OP_OBJECTS) {
        op->flags |= OP_GLOBAL;
        return;
    }
    if (!(op->flags & OP_WRITES))
        op->only_read = (uint8_t)((1u << op->nobjects) - 1);
    op->flags |= OP_WRITES | OP_MAY_RELEASE;
    op->object[op->nobjects++] = OBJECT_TURN(rt.current);
}

void symmetry_announce(void)
{
    if (rt.current != 0 && !rt.self->life.worked)
        add_turn(&rt.pending[rt.current]);
}

void symmetry_done(void)
{
    struct thread *self = rt.self;
    if (rt.done.kind == OP_START) {
        if (self->life.released)
            rt.done.flags |= OP_GLOBAL | OP_TIMED_OUT;
        return;
    }
    if (rt.done.kind != OP_CREATE)
        self->life.latest = 0;
    if (rt.current == 0 || self->life.worked)
        return;
    add_turn(&rt.done);
    self->life.worked = true;
    rt.stale = true;
}

bool symmetry_release(void)
{
    bool some = false;
    for (uint32_t t = 1; t < rt.used; t++) {
        struct thread *thread = &rt.thread[t];
        if (thread->state == THREAD_NONE || rt.pending[t].kind != OP_START ||
            !thread->life.leader || may_start(thread))
            continue;
        thread->life.released = some = rt.stale = true;
    }
    return some;
}

/* The fingerprint of the program's state, for searches that prune at known states (world.h says
 * what it must guarantee). As in paper 004, section 3, but with the whole state instead of
 * differences, since fibers have all of it at hand.
 *
 *   memory    hot pages that differ from the snapshot, heap blocks of this execution
 *   threads   registers and stack at the time when the thread called its pending operation,
 *             and what the runtime keeps for it
 *
 * Everything is hashed as it is in memory, since addresses do not depend on the interleaving. A
 * value in a dead slot can make equal states look different, but never the other way round. If
 * part of the state is unknown (an operation that was not entered through FIBER_STUB,
 * descriptors or mappings that the execution created), the state gets a unique number.
 *
 * The race detector's clocks are not part of the state. So a search that prunes may miss a race
 * that only another path to the same state would have shown, unless race_guard.h proves that
 * there is none; the result says so. */
#define XXH_INLINE_ALL
#include "runtime/waiting/fingerprint.h"

#include <xxhash.h>

#include "runtime/core/calls_up.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/evidence/history.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race_guard.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/waits.h"

static uint64_t mix_hash(uint64_t hash, const void *data, size_t size)
{
    return XXH3_64bits_withSeed(data, size, hash);
}

/* The registers at the entry of the hook belong to the pending operation if the hook was
 * entered through a stub: then the return address on the stack is that of the operation. */
void fingerprint_note_entry(struct thread *self, uint64_t pc)
{
    uint64_t sp = fiber_entry.sp;
    bool inside = sp >= (uint64_t)(uintptr_t)self->fiber.stack &&
                  sp + 8 <= (uint64_t)(uintptr_t)self->fiber.base;
    self->entry_known = inside && *(const uint64_t *)sp == pc;
    self->entry = fiber_entry;
}

/* Virtual time relative to `start`. */
static uint64_t time_since(uint64_t start, uint64_t time)
{
    return time == NEVER ? NEVER : time - start;
}

static void hash_stack(const struct thread *thread, uint64_t from, uint64_t *hash)
{
    if (thread->routine_end > from)
        *hash = mix_hash(*hash, (const void *)from, thread->routine_end - from);
}

/* What the runtime keeps for the thread. */
static void hash_facts(const struct thread *thread, uint64_t start, uint64_t *hash)
{
    const struct op *op = &rt.pending[thread->slot];
    struct {
        uint64_t slot, state, result, children, flags, wait_object, wait_detail, condition,
            futex, now, deadline, naps, random, locks, reads, woke_state, signals, mask;
        struct op op;
    } facts;
    __builtin_memset(&facts, 0, sizeof facts);
    facts.slot = (uint64_t)thread->slot;
    facts.state = thread->state;
    facts.result = (uint64_t)(uintptr_t)thread->life.result;
    facts.children = thread->life.children;
    facts.flags =
        (uint64_t)thread->life.detached | (uint64_t)thread->life.joined << 1 |
        (uint64_t)thread->wait.notified << 2 | (uint64_t)thread->spin.wrote << 3 |
        (uint64_t)thread->wait.woke_spuriously << 5 | (uint64_t)thread->time.saw_clock << 4 |
        (uint64_t)thread->time.read_since << 6 | (uint64_t)thread->cancel.asynchronous << 7 |
        (uint64_t)thread->atomic << 8 | (uint64_t)thread->no_preempt << 32;
    facts.wait_object = (uint64_t)(uintptr_t)thread->wait.object;
    facts.wait_detail = thread->wait.detail;
    facts.condition = (uint64_t)(uintptr_t)thread->wait.condition;
    facts.futex = (uint64_t)(uintptr_t)thread->wait.futex;
    facts.now = time_since(start, thread->time.now);
    facts.deadline = time_since(start, thread->time.deadline);
    facts.naps = thread->spin.naps;
    facts.woke_state = thread->wait.woke_state;
    facts.random = thread->random;
    facts.locks = thread->nlocks;
    facts.reads = thread->spin.nreads | (uint64_t)thread->spin.lost_reads << 32;
    facts.signals = thread->signals.pending | (uint64_t)thread->signals.handled_in_spin << 63;
    facts.mask = thread->signals.mask;
    facts.op = *op;
    *hash = mix_hash(*hash, &facts, sizeof facts);
}

/* Returns false if the thread's local state is unknown. */
static bool hash_thread(const struct thread *thread, uint64_t start, uint64_t *hash)
{
    const struct op *op = &rt.pending[thread->slot];
    bool fresh = op->kind == OP_START;
    /* It has nothing left to run except its end (the main thread still has exit handlers). */
    bool ending = op->kind == OP_THREAD_EXIT && thread->slot != 0;
    bool known = thread->entry_known && thread_owns_stack(thread, thread->entry.sp);
    if (!fresh && !ending && op->kind != OP_NONE && !known)
        return false;
    hash_facts(thread, start, hash);
    if (op->kind == OP_NONE || ending)
        return true;
    *hash = mix_hash(*hash, thread->read, thread->spin.nreads * sizeof thread->read[0]);
    if (UNLIKELY(rt.waits))
        *hash = waits_hash(thread, *hash);
    if (fresh) {
        *hash = mix_hash(*hash, &thread->life.argument, sizeof thread->life.argument);
        return true;
    }
    *hash = mix_hash(*hash, thread->entry.preserved, sizeof thread->entry.preserved);
    hash_stack(thread, thread->entry.sp, hash);
    return true;
}

uint64_t fingerprint_state(const struct position *pos)
{
    static uint64_t unknown;
    (void)pos;
    uint64_t hash = 0;
    bool known = !calls_up.files_touched() && !calls_up.mappings_changed();
    for (uint32_t t = 0; t < rt.used && known; t++)
        if (rt.thread[t].state != THREAD_NONE)
            known = hash_thread(&rt.thread[t], 0, &hash);
    if (!known)
        return mix_hash(++unknown, &hash, sizeof hash) | 1;
    hash = history_hash(snapshot_hash(hash));
    return heap_hash(hash) | 1;
}

/* --- States of one execution --- */

static uint64_t earliest_now(void)
{
    uint64_t earliest = NEVER;
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.thread[t].state != THREAD_NONE && rt.thread[t].state != THREAD_FINISHED &&
            rt.thread[t].time.now < earliest)
            earliest = rt.thread[t].time.now;
    return earliest;
}

/* A thread that is not stopped in an operation with a known entry is hashed as it is, including
 * Mazur's own frames. */
static void hash_stopped(const struct thread *thread, uint64_t start, uint64_t *hash)
{
    hash_facts(thread, start, hash);
    if (thread->state != THREAD_FINISHED)
        hash_stack(thread, (uint64_t)(uintptr_t)thread->fiber.sp, hash);
}

uint64_t fingerprint_cycle(void)
{
    const struct thread *self = rt.self;
    if (!self->entry_known)
        return 0;
    snapshot_watch();
    uint64_t start = earliest_now();
    uint64_t hash = rt.clock_looks;
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        if (thread->state == THREAD_NONE || hash_thread(thread, start, &hash))
            continue;
        if (thread == self)
            return 0;
        hash_stopped(thread, start, &hash);
    }
    streams_hide();
    hash = heap_hash(history_hash(snapshot_hash(hash))) | 1;
    streams_show();
    return hash;
}

/* --- What another path to a state may show --- */

/* Calls made in between (a memset of the table, say) are not calls of the program. */
static void enter_guard(struct race_holding *holding)
{
    const struct thread *self = rt.self;
    holding->was_on = rt.on;
    rt.on = false;
    holding->nlocks = 0;
    threadset_clear(&holding->children);
    for (uint32_t i = 0; i < self->nlocks && i < LOCKS_MAX && i < RACE_HOLDING; i++) {
        holding->lock[i] = self->lock[i].address;
        holding->shared[i] = self->lock[i].shared;
        holding->nlocks++;
    }
    for (uint32_t t = 1; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        bool gone = thread->life.joined && thread->life.joiner == self->slot &&
                    thread->life.children == 0;
        if (thread->state != THREAD_NONE && thread->life.parent == self->slot && !gone)
            threadset_add(&holding->children, (int)t);
    }
}

static void leave_guard(const struct race_holding *holding)
{
    rt.on = holding->was_on;
}

static int parent_of(int tid)
{
    return rt.board->thread[tid].parent;
}

static bool ways_agree(const struct position *pos)
{
    (void)pos;
    if (rt.store_buffers) {
        raise_reason(REASON_STATES_WITHOUT_BUFFERS, NULL);
        return false;
    }
    if (!rt.check_races || race_guarded((int)rt.board->nthreads, parent_of))
        return true;
    raise_reason(REASON_STATES_WITHOUT_CLOCKS, NULL);
    return false;
}

void fingerprint_start(struct pool *pool)
{
    rt.pos.ways_agree = ways_agree;
    race_guard_stop(); /* its memory belonged to the previous search, which is over */
    if (!rt.fingerprints || !rt.check_races)
        return;
    race_guard_enter = enter_guard;
    race_guard_leave = leave_guard;
    race_guard_start(pool);
}

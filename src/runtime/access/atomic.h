/* The two halves of an atomic operation on the program's memory, for the compiler's calls
 * (atomics.c) and trapped instructions (traps.c). Between the two the caller makes the access
 * itself; no other thread runs in between. */
#ifndef MAZUR_RUNTIME_ATOMIC_H
#define MAZUR_RUNTIME_ATOMIC_H

#include "runtime/access/access.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/race/race.h"
#include "runtime/waiting/counted.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin.h"

/* In addition to an operation's flags: it always changes the value (as adding one does). Such a
 * step is progress, no loop with it is idle, and the local state need not be hashed. */
#define ATOMIC_CHANGES 0x10000

/* Announces the operation and waits until it is picked. An operation that may change nothing
 * can be part of an idle spin loop: then it waits until something that the loop reads has
 * changed. `operand` is what it stores or compares with: two operations at one pc differ if
 * this or the address differs, and neither need be in a register that survives the call. */
static inline struct op atomic_begin_with(int kind, int flags, uint64_t address, uint32_t size,
                                          int order, uint64_t pc, uint64_t operand)
{
    rt.operand = (flags & OP_READS) && !(flags & ATOMIC_CHANGES) ? operand ^ address << 20 : 0;
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_atomic(address, size, (flags & OP_READS) && !(flags & ATOMIC_CHANGES),
                             operand, pc);
        return (struct op){.kind = (uint16_t)kind, .flags = (uint16_t)flags};
    }
    uint32_t frees = rt.frees;
    uint64_t object = access_atomic_object(address, size, flags & OP_WRITES, pc);
    struct op op = {.kind = (uint16_t)kind,
                    .flags = (uint16_t)flags,
                    .order = (uint8_t)order,
                    .size = (uint8_t)size,
                    .nobjects = 1,
                    .object = {object},
                    .pc = pc};
    rt.board->atomics_seen = true;
    if ((flags & OP_READS) && !(flags & ATOMIC_CHANGES))
        spin_point(&op, address, pc);
    else
        schedule_point(&op);
    if (UNLIKELY(rt.frees != frees)) /* other threads ran since it was announced */
        access_check(address, size, flags & OP_WRITES, pc);
    if (UNLIKELY(rt.recording))
        record_facts.address = address;
    return op;
}

static inline struct op atomic_begin(int kind, int flags, uint64_t address, uint32_t size,
                                     int order, uint64_t pc)
{
    return atomic_begin_with(kind, flags, address, size, order, pc, 0);
}

static inline void atomic_note_before(struct op *op, uint32_t size, uint64_t before)
{
    if (size > sizeof before)
        return;
    op->flags |= OP_KNOWS_BEFORE;
    op->before = before;
}

static inline void atomic_values(uint64_t before, uint64_t after)
{
    if (UNLIKELY(rt.recording)) {
        record_facts.before = before;
        record_facts.after = after;
        record_facts.has_values = true;
    }
}

static inline void atomic_end_load(struct op *op, uint64_t address, uint32_t size, int order,
                                   uint64_t value, uint64_t pc)
{
    if (UNLIKELY(rt.looking_ahead)) {
        rt.on = true;
        return;
    }
    op->flags &= (uint16_t)~OP_WRITES;
    op->value = value;
    atomic_values(value, value);
    race_atomic_load(rt.current, address, size, order, pc);
    if (size <= 8)
        spin_note_read(pc, address, op->object[0], value, size);
    schedule_done(op);
}

/* An exchange, fetch-or or store of the value that was already there changes nothing:
 * test-and-set locks spin this way. The search still treats it as a write, but it is not
 * progress of the thread. A loop of such writes also waits for a change of what it writes. */
static inline void atomic_written(struct op *op, uint64_t address, uint32_t size,
                                  uint64_t before, uint64_t after, uint64_t pc)
{
    struct thread *self = rt.self;
    uint32_t nreads = self->spin.nreads, spin_depth = self->spin.depth;
    uint32_t rounds = self->spin.rounds;
    bool idle = before == after && size <= 8;
    if (UNLIKELY(rt.on_trial) && idle)
        op->flags &= (uint16_t)~OP_WRITES;
    schedule_done(op);
    if (idle) {
        self->spin.nreads = nreads;
        self->spin.depth = spin_depth;
        self->spin.rounds = rounds;
        if (UNLIKELY(rt.on_trial) && op->kind == OP_STORE) /* spin_point was not called */
            spin_trial_read(pc, self->spin.state);
        spin_note_read(pc, address, op->object[0], before, size);
        if (self->spin.nreads > 0) {
            struct spin_read *read = &self->read[self->spin.nreads - 1];
            read->by_store = op->kind == OP_STORE;
            read->by_rmw = op->kind != OP_STORE;
        }
    }
}

static inline void atomic_end_store(struct op *op, uint64_t address, uint32_t size, int order,
                                    uint64_t before, uint64_t after, uint64_t pc)
{
    op->value = after;
    atomic_note_before(op, size, before);
    atomic_values(before, after);
    race_atomic_store(rt.current, address, size, order, pc);
    atomic_written(op, address, size, before, after, pc);
}

static inline void atomic_end_rmw(struct op *op, uint64_t address, uint32_t size, int order,
                                  uint64_t before, uint64_t after, uint64_t pc)
{
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_store(before == after);
        rt.on = true;
        return;
    }
    op->flags = (uint16_t)((op->flags & ~(OP_SPINS | OP_MAY_BLOCK)) | OP_READS | OP_WRITES);
    op->value = before;
    atomic_note_before(op, size, before);
    atomic_values(before, after);
    race_atomic_rmw(rt.current, address, size, order, pc);
    atomic_written(op, address, size, before, after, pc);
}

#endif

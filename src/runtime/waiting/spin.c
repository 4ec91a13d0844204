/* Idle spin loops.
 *
 * Suppose a thread returns to the same read in the same local state, has only made reads since,
 * and all of them would return the same values again. Then it can do nothing else until one of
 * these locations changes, and it is blocked until then. No loop has to be unrolled or
 * annotated, and a program in which only such threads are left is provably in a livelock.
 *
 * The local state is the registers that survive a call, and the stack from the hook's caller up
 * to the end of the outermost frame that has run since the thread's last progress. Frames
 * further out were suspended all the time: only an instrumented write can change them, and it
 * counts as progress (access.c). The same holds for the parts of the stack that other threads
 * write, which are left out (spin_stack.c). After a return to a frame further out everything
 * starts again, since the earlier hashes did not cover that frame. Values in dead slots can
 * make two equal states look different, but never two different ones equal.
 *
 * Mazur does not see the writes of code without instrumentation, so a cycle has to be proven
 * idle once (spin_proof.c). Such code does not report its frames either, so there the whole
 * stack is hashed. A read-modify-write that stored the value that was already there counts as a
 * read: the usual test-and-set lock spins this way. */
#define XXH_INLINE_ALL
#include "runtime/waiting/spin.h"

#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/stacks.h"
#include "runtime/waiting/counted.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin_stack.h"

#define NAP           UINT64_C(1000000) /* nanoseconds */
#define NAP_DOUBLINGS 16                /* the longest nap is about a minute */

uint64_t spin_local_state(struct thread *self, uint64_t pc)
{
    uint64_t sp = fiber_entry.sp, operand = rt.operand * UINT64_C(0x9e3779b97f4a7c15);
    rt.operand = 0;
    /* Frames that were left without __tsan_func_exit (longjmp) are below the stack pointer. */
    while (self->nframes > 0 && self->nframes <= FRAMES_MAX &&
           self->frame[self->nframes - 1].sp < sp - 256)
        self->nframes--;
    spin_returned(self);
    uint64_t end = module_instrumented(pc) ? thread_frame_end(self) : self->routine_end;
    if (end <= sp || !thread_owns_stack(self, sp))
        return 0;
    uint64_t registers = XXH3_64bits(fiber_entry.preserved, sizeof fiber_entry.preserved);
    registers ^= operand;
    if (UNLIKELY(rt.shares_stacks))
        return stacks_hash(sp, end, registers) | 1;
    return XXH3_64bits_withSeed((const void *)sp, end - sp, registers) | 1;
}

static uint64_t current_value(const struct spin_read *read)
{
    switch (read->size) {
    case 1:
        return *(volatile uint8_t *)read->address;
    case 2:
        return *(volatile uint16_t *)read->address;
    case 4:
        return *(volatile uint32_t *)read->address;
    default:
        return *(volatile uint64_t *)read->address;
    }
}

/* --- Plain writes --- */

/* A loop may keep a copy of what it reads (queues do, of the other side's index): a store of
 * the same value changes nothing and is not progress. The hook runs before the store, so the
 * stored value is compared when the loop arrives at its next read. The location then contains
 * the value of this store, or that of a thread ordered after it (this takes a release in
 * between, which is progress), or the two race. */

static uint64_t bytes_at(uint64_t address, uint8_t size)
{
    uint64_t bytes = 0;
    __builtin_memcpy(&bytes, (const void *)address, size);
    return bytes;
}

bool spin_stays_mapped(uint64_t address, uint64_t size)
{
    return heap_contains(address) || stacks_have(address) ||
           (address >= rt.image_start && address + size <= rt.image_end - 4096);
}

void spin_note_write(struct thread *thread, uint64_t address, uint64_t size)
{
    if (size > sizeof(uint64_t) || thread->spin.nwrites == SPIN_WRITES ||
        !spin_stays_mapped(address, size)) {
        spin_progress(thread);
        return;
    }
    thread->write[thread->spin.nwrites++] =
        (struct spin_write){address, bytes_at(address, (uint8_t)size), (uint8_t)size};
}

static void look_at_writes(struct thread *self)
{
    for (uint32_t i = 0; i < self->spin.nwrites; i++) {
        const struct spin_write *write = &self->write[i];
        if (bytes_at(write->address, write->size) != write->before) {
            spin_progress(self);
            return;
        }
    }
    self->spin.nwrites = 0;
}

bool spin_reads_unchanged(const struct thread *thread, uint32_t from)
{
    for (uint32_t i = from; i < thread->spin.nreads; i++)
        if (current_value(&thread->read[i]) != thread->read[i].value)
            return false;
    return true;
}

/* A signal handler that has run meanwhile may have changed what the loop reads: it makes one
 * more round. */
static bool await_ready(struct thread *thread)
{
    if (thread->time.timed_out || thread->signals.handled_in_spin ||
        !spin_reads_unchanged(thread, (uint32_t)thread->wait.detail))
        return true;
    rt.saw_unproven_loop = rt.saw_unproven_loop || thread->spin.unproven;
    return false;
}

/* A proof holds for what Mazur observes. If the loop calls code without instrumentation, it may
 * have read something else, which another thread has changed since: without this trial, that
 * would be reported as a livelock. */
int spin_prove_again(void)
{
    if (rt.recording || lessons_full(&rt.board->lessons))
        return -1;
    for (uint32_t t = 0; t < rt.used; t++) {
        struct thread *thread = &rt.thread[t];
        if (!threadset_has(&rt.blocking, (int)t) || thread->wait.ready != await_ready ||
            thread->spin.proven_again)
            continue;
        thread->spin.proven_again = true;
        rt.on_trial = true;
        return (int)t;
    }
    return -1;
}

/* A compare-exchange, an exchange or a trylock may write its own location when it is picked. */
void spin_add_reads(const struct thread *self, struct op *op, uint32_t from)
{
    must(from < self->spin.nreads);
    op->flags |= OP_READS;
    op->nobjects = 1;
    for (uint32_t i = from; i < self->spin.nreads; i++)
        op_add_read(op, self->read[i].object);
}

/* The read that closes a cycle waits for a change of any location in the cycle, and depends on
 * all of them. */
static void become_await(struct thread *self, struct op *op, uint32_t from)
{
    spin_add_reads(self, op, from);
    op->flags |= OP_MAY_BLOCK | OP_SPINS;
    self->wait.detail = from;
}

static bool is_in_cycle(const struct thread *self, uint32_t from, uint64_t address, uint64_t pc)
{
    for (uint32_t i = from; i < self->spin.nreads; i++)
        if (self->read[i].address == address && (pc == 0 || self->read[i].pc == pc))
            return true;
    return false;
}

/* The first read since the thread's last progress of a location that the cycle reads. */
static const struct spin_read *head_of_cycle(const struct thread *self, uint32_t from)
{
    uint32_t i = 0;
    while (i < from &&
           (self->read[i].by_store || !is_in_cycle(self, from, self->read[i].address, 0)))
        i++;
    return &self->read[i];
}

/* Does the cycle self->read[from] … begin where the thread began its rounds? Which state recurs
 * first depends on dead registers and stack slots, so on the compiler; but where the thread
 * waits, and a switch away from it is free, must not. (A compiler may have moved the loop's
 * first read out of the loop: then only the location counts.) */
static bool begins_at_head(const struct thread *self, uint32_t from)
{
    if (from + 1 == self->spin.nreads)
        return true;
    if (UNLIKELY(self->spin.lost_reads)) {
        raise_reason(REASON_LONG_ROUNDS, NULL);
        return true;
    }
    const struct spin_read *head = head_of_cycle(self, from), *read = &self->read[from];
    if (read->address != head->address)
        return false;
    return read->pc == head->pc || !is_in_cycle(self, from, head->address, head->pc);
}

/* This does not check whether one of the locations has already changed: the same read must be
 * the same operation in every order of independent steps, blocked or not. */
static enum spin_verdict closes_cycle(struct op *op, uint64_t pc)
{
    struct thread *self = rt.self;
    if (UNLIKELY(self->spin.nwrites > 0))
        look_at_writes(self);
    uint64_t state = self->spin.state = spin_local_state(self, pc);
    if (UNLIKELY(rt.on_trial)) {
        spin_trial_read(pc, state);
        if (rt.on_trial)
            return SPIN_ON_TRIAL;
    }
    self->spin.comes_again = false;
    if (state == 0)
        return SPIN_BUSY;
    for (uint32_t i = self->spin.nreads; i-- > 0;) {
        if (self->read[i].pc != pc)
            continue;
        self->spin.comes_again = true;
        if (self->read[i].state != state)
            continue;
        if (!begins_at_head(self, i))
            return SPIN_BUSY;
        enum spin_verdict verdict = spin_judge(i, spin_reads_unchanged(self, i));
        if (verdict == SPIN_IDLE) {
            look_ahead_learn(self, i);
            become_await(self, op, i);
        }
        return verdict;
    }
    return SPIN_BUSY;
}

/* A loop that also reads the clock ends by itself when time passes. So its wait has a deadline,
 * a little later each time. If time-outs may happen at any time, it is not treated as a wait at
 * all. */
static bool set_nap(struct thread *self, struct op *op)
{
    if (!self->time.saw_clock)
        return true;
    if (rt.any_timeouts)
        return false;
    uint32_t doublings = self->spin.naps < NAP_DOUBLINGS ? self->spin.naps++ : NAP_DOUBLINGS;
    self->time.deadline = self->time.now + (NAP << doublings);
    op->flags |= OP_TIMED;
    return true;
}

void spin_point(struct op *op, uint64_t address, uint64_t pc)
{
    struct thread *self = rt.self;
    struct op await = *op;
    enum spin_verdict verdict = closes_cycle(&await, pc);
    if (UNLIKELY(verdict == SPIN_ON_TRIAL)) {
        rt.on = false;
        return;
    }
    if (UNLIKELY(self->spin.comes_again) && verdict == SPIN_BUSY && address != 0) {
        uint32_t from;
        if (UNLIKELY(rt.counts_rounds) && counted_applies(self, pc, address, &from)) {
            counted_point(op, from);
            return;
        }
        counted_note(self, pc, address);
        look_ahead_learn_retry(self, pc);
    }
    if (UNLIKELY(rt.looks_ahead) && verdict == SPIN_BUSY && address != 0 &&
        look_ahead_applies(self, op, pc)) {
        look_ahead_point(op, address, pc);
        return;
    }
    if (verdict == SPIN_BUSY || !set_nap(self, &await)) {
        schedule_point(op);
        return;
    }
    *op = await;
    self->signals.handled_in_spin = false;
    uint64_t sp = fiber_entry.sp;
    schedule_point_blocking(op, await_ready);
    if (UNLIKELY(rt.on_trial)) {
        spin_trial_begin((uint32_t)self->wait.detail, sp);
        return;
    }
    if (self->time.deadline != NEVER && schedule_timed_out())
        op->flags |= OP_TIMED_OUT;
    self->time.deadline = NEVER;
    self->spin.proven_again = false;
    spin_progress(self);
}

void spin_note_read(uint64_t pc, uint64_t address, uint64_t object, uint64_t value,
                    uint32_t size)
{
    struct thread *self = rt.self;
    bool yielded = self->spin.yielded;
    self->time.read_since = true;
    self->spin.yielded = false;
    if (self->spin.state == 0)
        return;
    if (UNLIKELY(rt.on_trial)) {
        spin_trial_value(value);
        return;
    }
    if (self->spin.nreads == SPIN_READS) {
        for (uint32_t i = 1; i < SPIN_READS; i++)
            self->read[i - 1] = self->read[i];
        self->spin.nreads--;
        self->spin.lost_reads = true;
    }
    self->read[self->spin.nreads++] = (struct spin_read){
        .pc = pc,
        .state = self->spin.state,
        .address = address,
        .object = object,
        .value = value,
        .size = (uint8_t)size,
        .yielded = yielded,
    };
}

/* Proof that a spin loop is idle: exact, not a guess.
 *
 * spin.c knows the local state of a thread that has completed a cycle, and that no instrumented
 * code has written anything. But code without instrumentation (a library, a separately compiled
 * function) may have written something: a hidden counter, say, that ends the loop one day. So
 * the first time that a cycle closes, the thread repeats it in a trial: nothing is scheduled,
 * no event is recorded, no other thread runs. If the thread makes the same reads, returns in
 * the same local state and has left all of the program's memory unchanged, it can only repeat
 * this forever. Then the cycle is idle for good: the same cycle with the same values is not
 * tried again. Otherwise loops that close at this read are never treated as idle, and the
 * search starts over, since the effects of the trial can't be undone and the search was built
 * on a wrong guess.
 *
 * What the thread prints in the loop is not part of the state: output streams are restored
 * after the trial.
 *
 * Invariant: `rt.on_trial` is set only in a SEARCH; a trial ends with a completed cycle or with
 * spin_trial_fail(). Idle cycles are kept with the search (forked executions and a restarted
 * child keep using them), cycles that are not idle on the board (RECORD runs need them). */
#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin.h"

#define PROOFS      (UINT64_C(1) << 16) /* a power of two */
#define PROOFS_MOST (PROOFS / 4 * 3)

struct proofs {
    uint64_t count;
    uint64_t cycle[PROOFS]; /* hash of a cycle that is idle; 0: free */
};

static struct proofs *proofs;

static struct {
    uint64_t cycle;
    uint64_t pc;     /* of the read that closes it */
    uint64_t memory; /* hash of all memory before */
    uint64_t now;
    uint32_t from; /* the cycle is self->read[from] … */
    uint32_t at;   /* … and this is the read being repeated */
    uint32_t nreads;
} trial;

uint64_t spin_proof_bytes(void)
{
    return (sizeof *proofs + 4095) & ~UINT64_C(4095);
}

void spin_proof_init(void *memory)
{
    proofs = memory;
}

static uint64_t cycle_hash(const struct thread *self, uint32_t from)
{
    uint64_t hash = 0;
    for (uint32_t i = from; i < self->spin.nreads; i++) {
        const struct spin_read *read = &self->read[i];
        uint64_t facts[] = {read->pc, read->state, read->address, read->value};
        hash = XXH3_64bits_withSeed(facts, sizeof facts, hash);
    }
    return hash | 1;
}

/* The cycle's entry in the table, or the free entry for it. */
static uint64_t *proof_place(uint64_t cycle)
{
    uint64_t at = cycle >> 8;
    while (proofs->cycle[at & (PROOFS - 1)] != 0 && proofs->cycle[at & (PROOFS - 1)] != cycle)
        at++;
    return &proofs->cycle[at & (PROOFS - 1)];
}

/* Everything that the program can write: data, heap, the stacks of all threads. */
uint64_t spin_memory_hash(uint64_t own_low)
{
    uint64_t hash = heap_hash(snapshot_hash(1));
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        uint64_t low = thread == rt.self ? own_low : thread->stack_low;
        if (thread->state != THREAD_NONE && low < thread->routine_end)
            hash = XXH3_64bits_withSeed((const void *)low, thread->routine_end - low, hash);
    }
    return hash;
}

/* --- What a loop prints --- */

#define PRINTED_MOST 4096

static struct {
    FILE stream;
    char *at;
    size_t room;
    char bytes[PRINTED_MOST];
} printed[2];

static void streams_keep(void)
{
    FILE *const streams[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        const FILE *stream = streams[i];
        printed[i].stream = *stream;
        printed[i].at = stream->_IO_write_ptr;
        printed[i].room = 0;
        if (stream->_IO_write_ptr && stream->_IO_buf_end > stream->_IO_write_ptr)
            printed[i].room = (size_t)(stream->_IO_buf_end - stream->_IO_write_ptr);
        if (printed[i].room > PRINTED_MOST)
            printed[i].room = PRINTED_MOST;
        __builtin_memcpy(printed[i].bytes, printed[i].at, printed[i].room);
    }
}

/* Only if something was printed, so that unwritten pages stay unwritten. */
static void streams_put_back(void)
{
    FILE *const streams[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        if (__builtin_memcmp(streams[i], &printed[i].stream, sizeof(FILE)) == 0)
            continue;
        *streams[i] = printed[i].stream;
        __builtin_memcpy(printed[i].at, printed[i].bytes, printed[i].room);
    }
}

/* For a state that will be compared with others: it must not depend on what was printed. */
static struct {
    FILE stream;
    char *buffer;
    size_t size;
    char bytes[PRINTED_MOST];
} hidden[2];

void streams_hide(void)
{
    FILE *const streams[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        FILE *stream = streams[i];
        hidden[i].stream = *stream;
        hidden[i].buffer = stream->_IO_buf_base;
        hidden[i].size = (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);
        if (!stream->_IO_buf_base || hidden[i].size > PRINTED_MOST)
            hidden[i].size = 0;
        if (stream->_IO_write_ptr == stream->_IO_write_base && hidden[i].size == 0)
            continue;
        __builtin_memcpy(hidden[i].bytes, hidden[i].buffer, hidden[i].size);
        __builtin_memset(hidden[i].buffer, 0, hidden[i].size);
        stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_read_base = NULL;
        stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_write_base = NULL;
    }
}

void streams_show(void)
{
    FILE *const streams[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        if (__builtin_memcmp(streams[i], &hidden[i].stream, sizeof(FILE)) != 0)
            *streams[i] = hidden[i].stream;
        __builtin_memcpy(hidden[i].buffer, hidden[i].bytes, hidden[i].size);
    }
}

/* --- The trial --- */

void spin_trial_begin(uint32_t from, uint64_t sp)
{
    struct thread *self = rt.self;
    snapshot_watch();
    streams_keep();
    trial.cycle = cycle_hash(self, from);
    trial.pc = self->read[from].pc;
    trial.memory = spin_memory_hash(sp);
    trial.now = self->time.now;
    trial.from = trial.at = from;
    trial.nreads = self->spin.nreads;
}

enum spin_verdict spin_judge(uint32_t from, bool unchanged)
{
    struct thread *self = rt.self;
    self->spin.unproven = false;
    struct lessons *lessons = &rt.board->lessons;
    if (UNLIKELY(lessons_have(lessons, LESSON_BUSY)) &&
        lessons_know(lessons, LESSON_BUSY, self->read[from].pc, 0))
        return SPIN_BUSY;
    if (rt.recording)
        return SPIN_IDLE;
    uint64_t cycle = cycle_hash(self, from);
    if (LIKELY(*proof_place(cycle) == cycle))
        return SPIN_IDLE;
    if (!unchanged || proofs->count == PROOFS_MOST || lessons_full(lessons)) {
        self->spin.unproven = true;
        return SPIN_IDLE;
    }
    must(!rt.on_trial);
    rt.on_trial = true;
    spin_trial_begin(from, fiber_entry.sp);
    return SPIN_ON_TRIAL;
}

void spin_trial_fail(void)
{
    if (rt.looking_ahead)
        look_ahead_stop();
    rt.on_trial = false;
    lessons_add(&rt.board->lessons, LESSON_BUSY, trial.pc, 0);
    schedule_start_over();
}

void spin_trial_read(uint64_t pc, uint64_t state)
{
    struct thread *self = rt.self;
    if (self->spin.nreads != trial.nreads) /* it has made progress */
        spin_trial_fail();
    bool full_circle = ++trial.at == self->spin.nreads;
    const struct spin_read *before = &self->read[full_circle ? trial.from : trial.at];
    if (before->pc != pc || before->state != state)
        spin_trial_fail();
    if (!full_circle)
        return;
    self->time.now = trial.now;
    streams_put_back();
    if (spin_memory_hash(fiber_entry.sp) != trial.memory)
        spin_trial_fail();
    rt.on_trial = false;
    uint64_t *place = proof_place(trial.cycle);
    if (*place == trial.cycle || proofs->count == PROOFS_MOST)
        return;
    *place = trial.cycle;
    proofs->count++;
}

void spin_trial_value(uint64_t value)
{
    if (rt.self->spin.nreads != trial.nreads || rt.self->read[trial.at].value != value)
        spin_trial_fail();
}

void spin_trial_point(const struct op *op)
{
    struct thread *self = rt.self;
    if (rt.looking_ahead) {
        look_ahead_at_operation(op);
        return;
    }
    rt.on = false;
    if (self->spin.nreads != trial.nreads)
        spin_trial_fail();
    if (!(op->flags & OP_MAY_BLOCK) || self->wait.ready(self))
        return;
    /* No other thread will change this: time passes, or the cycle is not idle. */
    if (self->time.deadline == NEVER)
        spin_trial_fail();
    if (self->time.deadline > self->time.now)
        self->time.now = self->time.deadline;
}

void spin_trial_done(const struct op *op)
{
    if (op->flags & (OP_WRITES | OP_MAY_RELEASE))
        spin_trial_fail();
    rt.on = true; /* a trial of look_ahead.c has passed a yield, too */
}

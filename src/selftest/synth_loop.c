/* Idle loops of synthetic programs (synth.h), as the native runtime has them
 * (runtime/waiting/spin.c).
 *
 * A thread that comes back to the same place of a loop in the same local state, having changed
 * nothing since, has closed a cycle: it is blocked until one of the variables that the cycle
 * read has another value. What it has pending then reads all of them, and may write its own: a
 * compare-exchange or an exchange. An exchange that stored what was already there is a write to
 * the search, but not progress.
 *
 * Invariant: whether a cycle is closed depends only on the thread's own past. */
#include <string.h>

#include "selftest/synth.h"

bool synth_is_loop(int kind)
{
    return kind == SYNTH_POLL || kind == SYNTH_GRAB || kind == SYNTH_CLAIM;
}

uint8_t synth_loop_object(const struct synth_op *op, const struct synth_loop *loop)
{
    return (uint8_t)((op->object + loop->place) % SYNTH_VARS);
}

static void add_object(struct op *op, uint64_t object)
{
    for (int i = 0; i < op->nobjects; i++)
        if (op->object[i] == object)
            return;
    op->only_read |= (uint8_t)(1u << op->nobjects);
    op->object[op->nobjects++] = object;
}

void synth_loop_pending(const struct synth_op *next, const struct synth_loop *loop,
                        struct op *op)
{
    if (loop->cycle == 0)
        return;
    op->flags |= OP_READS | OP_MAY_BLOCK | OP_SPINS;
    if (next->wide)
        op->flags |= OP_GLOBAL;
    for (int i = loop->cycle - 1; i < loop->nreads; i++)
        add_object(op, SYNTH_VARIABLE(loop->read[i].object));
}

bool synth_loop_enabled(const struct synth_loop *loop, const struct synth_state *state)
{
    if (loop->cycle == 0)
        return true;
    for (int i = loop->cycle - 1; i < loop->nreads; i++)
        if (state->variable[loop->read[i].object] != loop->read[i].value)
            return true;
    return false;
}

static void note_read(struct synth_loop *loop, struct synth_read read)
{
    if (loop->nreads == SYNTH_READS) {
        memmove(&loop->read[0], &loop->read[1], sizeof loop->read - sizeof loop->read[0]);
        loop->nreads--;
    }
    loop->read[loop->nreads++] = read;
}

static uint8_t local_state(const struct synth_state *state, int tid, const struct synth_op *op)
{
    return op->kind == SYNTH_POLL && op->add_r ? state->r[tid] : 0;
}

/* Has the thread been here before, in the same local state? */
static void close_cycle(struct synth_loop *loop, uint8_t local)
{
    loop->cycle = loop->nreads;
    while (loop->cycle > 0 && (loop->read[loop->cycle - 1].place != loop->place ||
                               loop->read[loop->cycle - 1].local != local))
        loop->cycle--;
}

bool synth_loop_step(struct synth_state *state, int tid, const struct synth_op *op,
                     struct op *done)
{
    struct synth_loop *loop = &state->loop[tid];
    uint8_t object = synth_loop_object(op, loop);
    uint8_t *x = &state->variable[object];
    struct synth_read read = {loop->place, local_state(state, tid, op), object, *x};
    bool leaves = *x == (op->kind == SYNTH_GRAB ? 0 : op->value);
    bool progress = op->kind == SYNTH_GRAB && *x != 1;
    if (loop->cycle > 0)
        loop->nreads = 0;
    done->flags &= (uint16_t) ~(OP_MAY_BLOCK | OP_SPINS);
    synth_note_before(done, *x);
    state->r[tid] = op->kind == SYNTH_CLAIM ? leaves : *x;
    if (op->kind == SYNTH_GRAB)
        *x = 1;
    else if (op->kind == SYNTH_CLAIM && leaves)
        *x = (uint8_t)((op->value + 1) % SYNTH_VALUES);
    else if (op->kind == SYNTH_CLAIM)
        done->flags = OP_READS | OP_FAILED;
    if (leaves) {
        memset(loop, 0, sizeof *loop);
        return true;
    }
    if (progress)
        loop->nreads = 0;
    else
        note_read(loop, read);
    if (op->kind == SYNTH_POLL)
        loop->place ^= 1;
    close_cycle(loop, local_state(state, tid, op));
    return false;
}

/* Which events of a trace form a block, so that there are no prefixes between them
 * (cbpor_trace.h says why this loses nothing).
 *
 * Invariant: with `private_too`, an event is in a block with the one before it only as long as
 * no other thread was seen to use its objects; `grown` says that the blocks must be
 * computed again. */
#include "explore/cbpor/cbpor_trace.h"

static void note_users(struct cbpor_trace *trace, uint32_t by, const struct op *op)
{
    for (int i = 0; trace->private_too && op->kind != OP_NONE && i < op->nobjects; i++) {
        uint32_t *user = table_put(&trace->seen->users, op->object[i], 0, NULL);
        if (*user == 0 && by != CBPOR_SHARED)
            *user = by;
        if (*user == by || *user == CBPOR_SHARED)
            continue;
        *user = CBPOR_SHARED;
        trace->seen->grown = true;
    }
}

/* The thread uses the objects of the operation, or is about to. */
void cbpor_block_users(struct cbpor_trace *trace, int tid, const struct op *op)
{
    note_users(trace, (uint32_t)tid + 1, op);
}

void cbpor_block_share(struct cbpor_trace *trace, const struct op *op)
{
    note_users(trace, CBPOR_SHARED, op);
}

static bool owns_objects(const struct cbpor_trace *trace, int tid, const struct op *op)
{
    for (int i = 0; i < op->nobjects; i++) {
        const uint32_t *user = table_get(&trace->seen->users, op->object[i], 0);
        if (user && *user != (uint32_t)tid + 1)
            return false;
    }
    return true;
}

/* Is the thread's next operation independent of all other threads, and can it run whatever they
 * do? (A possible idle loop qualifies if it reads nothing but the thread's own objects.) */
static bool is_private(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    const uint16_t never = OP_GLOBAL | OP_MAY_BLOCK | OP_YIELDS | OP_TIMED | OP_SPINS;
    const struct op *op = &event->after.pending;
    if (!trace->private_too || op->flags & never || op->nobjects == 0 ||
        !op_has(op, OP_PRIVATE) || !owns_objects(trace, event->tid, op))
        return false;
    uint32_t first = event->after.spin;
    if (first == NO_EVENT)
        return true;
    const struct cbpor_event *looked = event;
    while (owns_objects(trace, event->tid, &looked->op)) {
        if (looked == &trace->events.item[first])
            return true;
        looked = &trace->events.item[looked->previous];
    }
    return false;
}

/* Was switching away before the event free? Not because its final form yields: a section may
 * begin with something else, and what a yield in it makes free is the switch after it. */
static bool was_free_before(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    const struct cbpor_standing *before = event->previous == NO_EVENT
                                              ? &trace->threads.item[event->tid].standing
                                              : &trace->events.item[event->previous].after;
    return before->pending.flags & OP_YIELDS;
}

/* Does the block continue after the event? See cbpor_trace.h. */
static bool block_goes_on(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    const struct op *op = &event->op;
    const struct op *pending = &event->after.pending;
    if (is_private(trace, event))
        return true;
    if (pending->kind == OP_THREAD_EXIT)
        return true;
    if (op->flags & OP_GLOBAL || (op->kind != OP_START && op->nobjects > 0))
        return false;
    if (pending->kind == OP_NONE || pending->flags & OP_MAY_BLOCK ||
        event->after.spin != NO_EVENT)
        return false;
    return op->kind == OP_START || was_free_before(trace, event) ||
           !(pending->flags & OP_YIELDS);
}

void cbpor_block_put(struct cbpor_trace *trace, uint32_t id)
{
    struct cbpor_event *event = &trace->events.item[id];
    uint32_t before = event->previous;
    bool inside = before != NO_EVENT && trace->events.item[before].goes_on;
    event->goes_on = trace->in_blocks && block_goes_on(trace, event);
    event->block = inside ? trace->events.item[before].block : id;
    trace->has_blocks |= event->goes_on;
}

/* Notes which thread uses what, for a trace that was recorded before `private_too` was set. */
static void note_all_users(struct cbpor_trace *trace)
{
    for (uint32_t tid = 0; tid < trace->threads.count; tid++)
        if (trace->threads.item[tid].born)
            cbpor_block_users(trace, (int)tid, &trace->threads.item[tid].standing.pending);
    for (uint32_t id = 0; id < trace->events.count; id++) {
        const struct cbpor_event *event = &trace->events.item[id];
        cbpor_block_users(trace, event->tid, &event->op);
        cbpor_block_users(trace, event->tid, &event->after.pending);
    }
}

void cbpor_trace_reblock(struct cbpor_trace *trace)
{
    note_all_users(trace);
    for (uint32_t id = 0; id < trace->events.count; id++)
        cbpor_block_put(trace, id);
}

void cbpor_trace_split(struct cbpor_trace *trace)
{
    trace->in_blocks = false;
    cbpor_trace_reblock(trace);
}

uint64_t cbpor_trace_cuts(const struct cbpor_trace *trace)
{
    double cuts = 1;
    for (uint32_t tid = 0; tid < trace->threads.count; tid++) {
        uint32_t blocks = 0;
        uint32_t event = trace->threads.item[tid].last;
        while (event != NO_EVENT) {
            event = trace->events.item[trace->events.item[event].block].previous;
            blocks++;
        }
        cuts *= blocks + 1;
    }
    return cuts < 1e18 ? (uint64_t)cuts : UINT64_MAX;
}

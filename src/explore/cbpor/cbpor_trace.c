/* Recording an execution: events, what they follow, clocks (cbpor_trace.h; paper 000, section
 * 2). */
#include "explore/cbpor/cbpor_trace.h"

#include <string.h>

#include "base/must.h"

#define SPIN_LONGEST 64 /* how many events to look back for an idle loop */

void cbpor_seen_init(struct cbpor_seen *seen, struct pool *pool)
{
    table_init(&seen->table, pool, sizeof(uint64_t));
    table_init(&seen->locals, pool, sizeof(uint64_t));
    table_init(&seen->users, pool, sizeof(uint32_t));
}

void cbpor_trace_init(struct cbpor_trace *trace, struct cbpor_seen *seen, struct pool *pool)
{
    memset(trace, 0, sizeof *trace);
    trace->pool = pool;
    trace->seen = seen;
    hb_init(&trace->hb, pool);
    table_init_stamped(&trace->objects, pool, sizeof(struct cbpor_object));
}

static void forget_trace(struct cbpor_trace *trace)
{
    hb_begin(&trace->hb);
    trace->events.count = trace->moments.count = trace->choices.count = 0;
    trace->threads.count = 0;
    trace->open_choices = 0;
    trace->old = false;
}

/* A trace that can go back is not forgotten before it must be. */
void cbpor_trace_begin(struct cbpor_trace *trace, uint32_t kept)
{
    trace->kept = kept;
    trace->diverged = trace->estranged = false;
    trace->old = trace->hb.keeps;
    if (!trace->old)
        forget_trace(trace);
}

bool cbpor_trace_mark(struct cbpor_trace *trace, struct strategy_mark *mark)
{
    bool can = trace->hb.keeps && !trace->old && !trace->diverged;
    hb_keep(&trace->hb);
    if (!can)
        return false;
    *mark = (struct strategy_mark){.cursor = trace->events.count + 1,
                                   .choices = trace->choices.count,
                                   .open = trace->open_choices,
                                   .moments = trace->moments.count,
                                   .threads = trace->threads.count,
                                   .hb = hb_mark(&trace->hb)};
    return true;
}

/* The thread as it was before event `limit`. */
static void cut_thread(struct cbpor_trace *trace, struct cbpor_birth *thread, uint32_t limit)
{
    if (thread->event != NO_EVENT && thread->event >= limit)
        thread->born = false;
    if (!thread->born || thread->first >= limit)
        thread->first = thread->last = NO_EVENT;
    while (thread->last != NO_EVENT && thread->last >= limit)
        thread->last = trace->events.item[thread->last].previous;
    if (thread->last != NO_EVENT)
        trace->events.item[thread->last].next = NO_EVENT;
}

void cbpor_trace_go_on(struct cbpor_trace *trace, const struct strategy_mark *mark)
{
    must(trace->old && trace->threads.count >= mark->threads);
    trace->threads.count = mark->threads;
    for (uint32_t tid = 0; tid < mark->threads; tid++)
        cut_thread(trace, &trace->threads.item[tid], mark->cursor - 1);
    trace->events.count = mark->cursor - 1;
    trace->choices.count = mark->choices;
    trace->open_choices = mark->open;
    trace->moments.count = mark->moments;
    hb_go_back(&trace->hb, &mark->hb);
    trace->old = false;
}

void cbpor_trace_choice(struct cbpor_trace *trace, int n, int value)
{
    if (trace->old)
        forget_trace(trace);
    hb_choice(&trace->hb, n, value);
    *vector_add(trace->pool, &trace->choices) =
        (struct cbpor_choice){(uint32_t)n, (uint32_t)value};
    trace->open_choices++;
}

/* Has the thread been at this operation before, without writing anything since? Then the world
 * may find that it spins, and the pending operation does not always show this: what it reads
 * may have changed before it arrived. A read-modify-write may have stored the old value. */
static uint32_t spin_start(const struct cbpor_trace *trace, uint32_t event, uint64_t pc)
{
    for (int i = 0; pc != 0 && event != NO_EVENT && i < SPIN_LONGEST; i++) {
        const struct cbpor_event *earlier = &trace->events.item[event];
        if (earlier->op.flags & OP_WRITES && earlier->op.kind != OP_RMW)
            break;
        if (earlier->op.pc == pc)
            return event;
        event = earlier->previous;
    }
    return NO_EVENT;
}

/* Is this the same event as in the last execution, and is its thread about to do the same as
 * then? */
static bool is_repeated(const struct cbpor_event *event, const struct cbpor_event *before)
{
    const struct op *pending = &event->after.pending;
    return hash128_equal(event->hash, before->hash) &&
           pending->kind == before->after.pending.kind &&
           pending->object[0] == before->after.pending.object[0];
}

/* What a thread is about to do depends only on its past. */
static bool is_as_ever(struct cbpor_seen *seen, const struct cbpor_event *event)
{
    const struct op *pending = &event->after.pending;
    bool fresh;
    uint64_t *known = table_put(&seen->locals, event->hash.low, event->hash.high, &fresh);
    uint64_t now = hash_join(pending->kind, pending->kind == OP_NONE ? 0 : pending->object[0]);
    if (fresh)
        *known = now;
    return *known == now;
}

/* For all new events at once: the table is larger than the processor's cache, so each slot is
 * prefetched some events before it is used. */
static void check_locals(struct cbpor_trace *trace)
{
    const uint32_t ahead = 8;
    struct cbpor_seen *seen = trace->seen;
    if (trace->followed <= trace->kept)
        return;
    if (seen->locals.count + (trace->followed - trace->kept) > CBPOR_LOCALS)
        table_clear(&seen->locals);
    for (uint32_t id = trace->kept; id < trace->followed + ahead; id++) {
        const struct cbpor_event *event = trace->events.item;
        if (id < trace->followed)
            table_fetch(&seen->locals, event[id].hash.low, event[id].hash.high);
        if (id >= trace->kept + ahead)
            trace->estranged |= !is_as_ever(seen, &event[id - ahead]);
    }
}

static void add_event(struct cbpor_trace *trace, const struct position *pos)
{
    uint32_t id = trace->events.count;
    struct cbpor_birth *thread = &trace->threads.item[pos->last];
    struct cbpor_event *event = vector_add(trace->pool, &trace->events);
    struct cbpor_event repeated = {0};
    if (id < trace->kept) /* what is there is still the event of the last execution */
        repeated = *event;
    uint32_t before = thread->last;
    *event = (struct cbpor_event){
        .tid = pos->last,
        .previous = before,
        .next = NO_EVENT,
        .choice = trace->choices.count - trace->open_choices,
        .nchoices = trace->open_choices,
        .op = *pos->done,
        .hash = hb_step(&trace->hb, pos->last, pos->done),
    };
    if (before == NO_EVENT) {
        thread->first = id;
    } else {
        event->index = trace->events.item[before].index + 1;
        trace->events.item[before].next = id;
    }
    thread->last = id;
    event->after.pending = pos->pending[pos->last];
    event->after.spin = spin_start(trace, id, event->after.pending.pc);
    cbpor_block_users(trace, pos->last, pos->done);
    cbpor_block_users(trace, pos->last, &event->after.pending);
    cbpor_block_put(trace, id);
    if (id < trace->kept && !is_repeated(event, &repeated))
        trace->diverged = true;
    trace->open_choices = 0;
}

static void look_for_births(struct cbpor_trace *trace, const struct position *pos)
{
    while (trace->threads.count < (uint32_t)pos->nthreads)
        *vector_add(trace->pool, &trace->threads) =
            (struct cbpor_birth){.first = NO_EVENT, .last = NO_EVENT};
    for (int tid = 0; tid < pos->nthreads; tid++) {
        struct cbpor_birth *thread = &trace->threads.item[tid];
        if (thread->born || pos->pending[tid].kind == OP_NONE)
            continue;
        thread->born = true;
        thread->event = trace->events.count ? trace->events.count - 1 : NO_EVENT;
        thread->standing = (struct cbpor_standing){pos->pending[tid], NO_EVENT};
        cbpor_block_users(trace, tid, &pos->pending[tid]);
    }
}

void cbpor_trace_position(struct cbpor_trace *trace, const struct position *pos,
                          int preemptions)
{
    if (trace->old)
        forget_trace(trace);
    if (pos->depth > trace->events.count && pos->done)
        add_event(trace, pos);
    look_for_births(trace, pos);
    if (trace->moments.count == trace->events.count)
        *vector_add(trace->pool, &trace->moments) = (struct cbpor_moment){
            .enabled = pos->enabled, .last = pos->last, .preemptions = preemptions};
}

void cbpor_trace_end(struct cbpor_trace *trace, const struct position *pos, bool settled,
                     bool cut_off)
{
    uint32_t before = trace->events.count;
    cbpor_trace_position(trace, pos, 0);
    trace->followed = cut_off ? before : trace->events.count;
    if (!settled && trace->moments.count > trace->events.count)
        trace->moments.count = trace->events.count;
}

/* --- clocks --- */

static uint32_t *clock_of(const struct cbpor_trace *trace, uint32_t event)
{
    return &trace->clock.item[(size_t)event * trace->threads.count];
}

static void join_clock(const struct cbpor_trace *trace, uint32_t *into, const uint32_t *from)
{
    for (uint32_t tid = 0; tid < trace->threads.count; tid++)
        if (from[tid] > into[tid])
            into[tid] = from[tid];
}

static uint32_t *reads_of(struct cbpor_trace *trace, struct cbpor_object *object)
{
    uint32_t width = trace->threads.count;
    if (object->reads == 0) {
        vector_reserve(trace->pool, &trace->reads, trace->reads.count + width);
        memset(trace->reads.item + trace->reads.count, 0, width * sizeof(uint32_t));
        trace->reads.count += width;
        object->reads = trace->reads.count / width;
    }
    return &trace->reads.item[(size_t)(object->reads - 1) * width];
}

/* Joins the clocks of what the event directly follows according to op_dependent(). */
static void join_what_it_follows(struct cbpor_trace *trace, struct cbpor_event *event,
                                 uint32_t *clock)
{
    if (event->previous != NO_EVENT)
        join_clock(trace, clock, clock_of(trace, event->previous));
    else if (trace->threads.item[event->tid].event != NO_EVENT)
        join_clock(trace, clock, clock_of(trace, trace->threads.item[event->tid].event));
    if (trace->global != NO_EVENT)
        join_clock(trace, clock, clock_of(trace, trace->global));
    event->global = trace->global;
    for (int i = 0; i < event->op.nobjects; i++) {
        struct cbpor_object *object = table_put(&trace->objects, event->op.object[i], 0, NULL);
        event->written[i] = object->write - 1;
        if (object->write)
            join_clock(trace, clock, clock_of(trace, object->write - 1));
        if (op_writes(&event->op, i) && object->reads)
            join_clock(trace, clock, reads_of(trace, object));
    }
}

static void note_access(struct cbpor_trace *trace, uint32_t id, const uint32_t *clock)
{
    const struct op *op = &trace->events.item[id].op;
    for (int i = 0; i < op->nobjects; i++) {
        struct cbpor_object *object = table_put(&trace->objects, op->object[i], 0, NULL);
        uint32_t *reads = reads_of(trace, object);
        if (op_writes(op, i)) {
            object->write = id + 1;
            if (!object->first)
                object->first = id + 1;
            memset(reads, 0, trace->threads.count * sizeof *reads);
        } else {
            join_clock(trace, reads, clock);
        }
    }
    if (op->flags & OP_GLOBAL)
        trace->global = id;
}

static void follow_all(const struct cbpor_trace *trace, uint32_t id, uint32_t *clock)
{
    for (uint32_t earlier = 0; earlier < id; earlier++) {
        const struct cbpor_event *event = &trace->events.item[earlier];
        if (clock[event->tid] < event->index + 1)
            clock[event->tid] = event->index + 1;
    }
}

/* Which threads use the names of threads, and for what? */
static void note_use(struct cbpor_trace *trace, int tid, const struct op *op)
{
    for (int i = 0; i < op->nobjects && op->kind != OP_NONE; i++) {
        struct cbpor_object *object = table_put(&trace->objects, op->object[i], 0, NULL);
        bool life = i == 0 && (op->kind == OP_CREATE || op->kind == OP_START ||
                               op->kind == OP_THREAD_EXIT); /* the world may add others */
        bool joins = op->kind == OP_JOIN && op->flags & OP_MAY_BLOCK && !(op->flags & OP_TIMED);
        object->thread |= life;
        object->mixed |= !life && !joins;
        if (joins) {
            object->mixed |= object->joiner != 0 && object->joiner != (uint32_t)tid + 1;
            object->joiner = (uint32_t)tid + 1;
        }
        trace->mixed |= object->thread && object->mixed;
    }
}

/* Has the thread of the event joined all others before it? */
static bool has_joined_all(const struct cbpor_trace *trace, const struct cbpor_event *event)
{
    for (uint32_t tid = 0; tid < trace->threads.count; tid++) {
        const struct cbpor_birth *thread = &trace->threads.item[tid];
        if (!thread->born || tid == (uint32_t)event->tid)
            continue;
        const struct cbpor_event *last =
            thread->last == NO_EVENT ? NULL : &trace->events.item[thread->last];
        if (!last || last->op.kind != OP_THREAD_EXIT || event->previous == NO_EVENT ||
            clock_of(trace, event->previous)[tid] <= last->index)
            return false;
    }
    return true;
}

bool cbpor_trace_cut_short(const struct cbpor_trace *trace)
{
    uint32_t count = trace->events.count;
    return count > 0 && !has_joined_all(trace, &trace->events.item[count - 1]);
}

/* The last step ended the execution, so it follows everything, and its hash must say so. In
 * another order of the same steps the execution may go on: without this, the state there would
 * be taken for the end that is known here, and nothing would be left to do in it. */
static void seal_last_event(struct cbpor_trace *trace)
{
    struct cbpor_event *last = &trace->events.item[trace->events.count - 1];
    struct hash128 whole = trace->hb.sum;
    hash128_subtract(&trace->hb.sum, last->hash);
    hash128_join(&last->hash, whole.low);
    hash128_join(&last->hash, whole.high);
    hash128_add(&trace->hb.sum, last->hash);
}

void cbpor_trace_finish(struct cbpor_trace *trace, bool final)
{
    uint32_t width = trace->threads.count;
    uint32_t count = trace->events.count;
    struct cbpor_cut cut = {.trace = trace};
    check_locals(trace);
    if (final && count > 0)
        seal_last_event(trace);
    trace->clock.count = 0;
    vector_reserve(trace->pool, &trace->clock, count * width);
    trace->reads.count = 0;
    table_clear(&trace->objects);
    trace->global = NO_EVENT;
    trace->mixed = false;
    cbpor_cut_full(&cut, trace);
    for (uint32_t tid = 0; tid < width; tid++)
        cut.last.item[tid] = NO_EVENT;
    cut.key = (struct hash128){0, 0};
    for (uint32_t id = 0; id < count; id++) {
        struct cbpor_event *event = &trace->events.item[id];
        uint32_t *clock = clock_of(trace, id);
        if (id >= trace->kept)
            cbpor_cut_note(&cut, id);
        memset(clock, 0, width * sizeof *clock);
        join_what_it_follows(trace, event, clock);
        note_use(trace, event->tid, &event->op);
        bool global = event->op.flags & OP_GLOBAL;
        trace->mixed |= global && !has_joined_all(trace, event);
        if (global || (final && id + 1 == count))
            follow_all(trace, id, clock);
        clock[event->tid] = event->index + 1;
        note_access(trace, id, clock);
        cbpor_cut_restore(&cut, event->tid, id);
    }
    if (trace->moments.count > count)
        cbpor_cut_note(&cut, count);
    for (uint32_t tid = 0; tid < width; tid++)
        if (trace->threads.item[tid].born)
            note_use(trace, (int)tid, cbpor_pending(&cut, (int)tid));
    vector_free(trace->pool, &cut.last);
}

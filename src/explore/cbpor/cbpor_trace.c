/* Recording an execution and asking about its prefixes (cbpor_trace.h; paper 000, sections 2
 * and 3.2). */
#include "explore/cbpor/cbpor_trace.h"

#include <string.h>

#include "base/must.h"

#define SPIN_LONGEST 64 /* how many events to look back for an idle loop */

/* Of one object, while clocks are computed. */
struct cbpor_object {
    uint32_t first;  /* write + 1 */
    uint32_t write;  /* last one + 1 */
    uint32_t reads;  /* where the clocks of the reads since then are joined: + 1, in clocks */
    uint32_t joiner; /* thread + 1 that joins the thread of this name */
    bool thread;     /* it is the name of a thread */
    bool mixed;      /* it is used by more than its creator, itself, and one that joins it */
};

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

void cbpor_trace_begin(struct cbpor_trace *trace, uint32_t kept)
{
    trace->kept = kept;
    trace->diverged = trace->estranged = false;
    hb_begin(&trace->hb);
    trace->events.count = trace->moments.count = trace->choices.count = 0;
    trace->threads.count = 0;
    trace->open_choices = 0;
}

void cbpor_trace_choice(struct cbpor_trace *trace, int n, int value)
{
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

static void note_enabled(const struct cbpor_cut *cut, uint32_t moment);
static const struct cbpor_standing *standing_of(const struct cbpor_cut *cut, int tid);

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
            note_enabled(&cut, id);
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
        note_enabled(&cut, count);
    for (uint32_t tid = 0; tid < width; tid++)
        if (trace->threads.item[tid].born)
            note_use(trace, (int)tid, &standing_of(&cut, (int)tid)->pending);
    vector_free(trace->pool, &cut.last);
}

/* --- cuts --- */

static struct hash128 hash_of(const struct cbpor_trace *trace, uint32_t event)
{
    return event == NO_EVENT ? (struct hash128){0, 0} : trace->events.item[event].hash;
}

void cbpor_cut_full(struct cbpor_cut *cut, struct cbpor_trace *trace)
{
    cut->trace = trace;
    cut->key = trace->hb.sum;
    vector_reserve(trace->pool, &cut->last, trace->threads.count);
    cut->last.count = trace->threads.count;
    for (uint32_t tid = 0; tid < cut->last.count; tid++)
        cut->last.item[tid] = trace->threads.item[tid].last;
}

static uint32_t before_block(const struct cbpor_trace *trace, uint32_t event)
{
    const struct cbpor_event *events = trace->events.item;
    return events[events[event].block].previous;
}

struct hash128 cbpor_cut_before(const struct cbpor_cut *cut, int tid)
{
    uint32_t event = cut->last.item[tid];
    struct hash128 key = cut->key;
    hash128_subtract(&key, hash_of(cut->trace, event));
    hash128_add(&key, hash_of(cut->trace, before_block(cut->trace, event)));
    return key;
}

uint32_t cbpor_cut_remove(struct cbpor_cut *cut, int tid)
{
    uint32_t event = cut->last.item[tid];
    cut->key = cbpor_cut_before(cut, tid);
    cut->last.item[tid] = before_block(cut->trace, event);
    return event;
}

void cbpor_cut_restore(struct cbpor_cut *cut, int tid, uint32_t event)
{
    hash128_subtract(&cut->key, hash_of(cut->trace, cut->last.item[tid]));
    hash128_add(&cut->key, hash_of(cut->trace, event));
    cut->last.item[tid] = event;
}

bool cbpor_cut_frontier(const struct cbpor_cut *cut, int tid)
{
    const struct cbpor_trace *trace = cut->trace;
    uint32_t event = cut->last.item[tid];
    if (event == NO_EVENT)
        return false;
    uint32_t index = trace->events.item[trace->events.item[event].block].index;
    for (uint32_t other = 0; other < cut->last.count; other++) {
        uint32_t last = cut->last.item[other];
        if (last != NO_EVENT && last != event && clock_of(trace, last)[tid] > index)
            return false;
    }
    return true;
}

static bool cut_contains(const struct cbpor_cut *cut, uint32_t event)
{
    const struct cbpor_event *events = cut->trace->events.item;
    uint32_t last = cut->last.item[events[event].tid];
    return last != NO_EVENT && events[last].index >= events[event].index;
}

/* --- which threads are enabled in a cut --- */

/* The write of the object before this one. */
static uint32_t write_before(const struct cbpor_trace *trace, uint32_t write, uint64_t object)
{
    const struct cbpor_event *event = &trace->events.item[write];
    int i = 0;
    while (event->op.object[i] != object) {
        i++;
        must(i < event->op.nobjects);
    }
    return event->written[i];
}

static uint32_t last_write(const struct cbpor_cut *cut, uint64_t object)
{
    const struct cbpor_object *found = table_get(&cut->trace->objects, object, 0);
    uint32_t write = found ? found->write - 1 : NO_EVENT;
    while (write != NO_EVENT && !cut_contains(cut, write))
        write = write_before(cut->trace, write, object);
    return write;
}

static void join_writes(const struct cbpor_cut *cut, const struct op *op, struct hash128 *key)
{
    for (int i = 0; i < op->nobjects; i++) {
        struct hash128 write = hash_of(cut->trace, last_write(cut, op->object[i]));
        hash128_join(key, write.low);
        hash128_join(key, write.high);
    }
}

/* Everything that the answer depends on. A time-out happens if nothing else can run, and a
 * global operation may wait for anything: these depend on the whole cut. */
static struct hash128 question_key(const struct cbpor_cut *cut, int tid,
                                   const struct cbpor_standing *standing)
{
    const struct cbpor_trace *trace = cut->trace;
    struct hash128 key = hash_of(trace, cut->last.item[tid]);
    hash128_join(&key, (uint64_t)tid + 1);
    if (standing->pending.flags & (OP_GLOBAL | OP_TIMED)) {
        hash128_join(&key, cut->key.low);
        hash128_join(&key, cut->key.high);
        return key;
    }
    uint32_t global = trace->global;
    while (global != NO_EVENT && !cut_contains(cut, global))
        global = trace->events.item[global].global;
    hash128_join(&key, hash_of(trace, global).low);
    join_writes(cut, &standing->pending, &key);
    if (standing->spin == NO_EVENT)
        return key;
    for (uint32_t i = cut->last.item[tid];; i = trace->events.item[i].previous) {
        join_writes(cut, &trace->events.item[i].op, &key);
        if (i == standing->spin)
            return key;
    }
}

static const struct cbpor_standing *standing_of(const struct cbpor_cut *cut, int tid)
{
    uint32_t last = cut->last.item[tid];
    return last == NO_EVENT ? &cut->trace->threads.item[tid].standing
                            : &cut->trace->events.item[last].after;
}

const struct op *cbpor_pending(const struct cbpor_cut *cut, int tid)
{
    return &standing_of(cut, tid)->pending;
}

static bool may_block(const struct cbpor_standing *standing)
{
    return standing->pending.flags & OP_MAY_BLOCK || standing->spin != NO_EVENT;
}

/* Is everything that the thread's next event follows in the cut? Then the event can happen. */
static bool next_is_ready(const struct cbpor_cut *cut, int tid)
{
    const struct cbpor_trace *trace = cut->trace;
    uint32_t last = cut->last.item[tid];
    uint32_t next =
        last == NO_EVENT ? trace->threads.item[tid].first : trace->events.item[last].next;
    if (next == NO_EVENT)
        return false;
    const uint32_t *clock = clock_of(trace, next);
    for (uint32_t other = 0; other < cut->last.count; other++) {
        uint32_t reached = cut->last.item[other];
        uint32_t has = reached == NO_EVENT ? 0 : trace->events.item[reached].index + 1;
        if (other != (uint32_t)tid && clock[other] > has)
            return false;
    }
    return true;
}

static bool names_object(const struct op *op, uint64_t object)
{
    for (int i = 0; i < op->nobjects; i++)
        if (op->object[i] == object)
            return true;
    return false;
}

static bool takes_mutex(const struct op *op)
{
    return op_has(op, OP_TAKES_LOCK);
}

/* Did the thread of this wait certainly hold the mutex: was the last operation on it that the
 * thread took it? (A wait by a thread that does not hold the mutex writes it as well.) */
static bool wait_gives_up(const struct cbpor_trace *trace, uint32_t wait, uint64_t mutex)
{
    const struct cbpor_event *events = trace->events.item;
    if (events[wait].op.kind != OP_COND_WAIT || !names_object(&events[wait].op, mutex))
        return false;
    uint32_t before = write_before(trace, wait, mutex);
    return before != NO_EVENT && events[before].tid == events[wait].tid &&
           takes_mutex(&events[before].op);
}

/* Was the mutex free at the start of the trace? It was if the first operation on it takes it.
 * (A constructor may have locked it: then the first operation releases it.)
 */
static bool was_free_at_start(const struct cbpor_trace *trace, uint64_t mutex)
{
    const struct cbpor_object *object = table_get(&trace->objects, mutex, 0);
    return object && object->first && takes_mutex(&trace->events.item[object->first - 1].op);
}

/* How often does the thread of `write` hold the mutex after it? The writes by one thread at the
 * end of the mutex's history belong together: it was free when that thread first took it. The
 * wake-up takes again what the wait released. -1: unknown. */
static int times_held(const struct cbpor_trace *trace, uint32_t write, uint64_t mutex)
{
    const struct cbpor_event *events = trace->events.item;
    int holder = events[write].tid;
    int held = 0;
    while (write != NO_EVENT && events[write].tid == holder) {
        uint16_t kind = events[write].op.kind;
        if (kind == OP_COND_WAKE) {
            write = events[write].previous;
            if (!wait_gives_up(trace, write, mutex))
                return -1;
        } else if (kind == OP_COND_WAIT) {
            return wait_gives_up(trace, write, mutex) ? held : -1;
        } else if (takes_mutex(&events[write].op)) {
            held++;
        } else if (kind == OP_MUTEX_UNLOCK) {
            held--;
        } else {
            return -1;
        }
        write = write_before(trace, write, mutex);
    }
    bool free_before = write == NO_EVENT ? was_free_at_start(trace, mutex)
                                         : events[write].op.kind != OP_COND_WAIT ||
                                               wait_gives_up(trace, write, mutex);
    return free_before ? held : -1;
}

static enum cbpor_answer mutex_is_free(const struct cbpor_cut *cut, int tid, uint64_t mutex)
{
    uint32_t write = last_write(cut, mutex);
    if (write == NO_EVENT)
        return was_free_at_start(cut->trace, mutex) ? CBPOR_YES : CBPOR_UNKNOWN;
    int held = times_held(cut->trace, write, mutex);
    if (held == 0)
        return CBPOR_YES;
    bool by_other = held > 0 && cut->trace->events.item[write].tid != tid;
    return by_other ? CBPOR_NO : CBPOR_UNKNOWN;
}

/* The answer that follows from the object's history, for the most common operations. */
static enum cbpor_answer derive_enabled(const struct cbpor_cut *cut, int tid,
                                        const struct op *op)
{
    if (op->flags & (OP_GLOBAL | OP_TIMED) || op->nobjects != 1)
        return CBPOR_UNKNOWN;
    if (op->kind == OP_MUTEX_LOCK)
        return mutex_is_free(cut, tid, op->object[0]);
    if (op->kind != OP_JOIN)
        return CBPOR_UNKNOWN;
    uint32_t write = last_write(cut, op->object[0]);
    uint16_t kind = write == NO_EVENT ? OP_NONE : cut->trace->events.item[write].op.kind;
    if (kind == OP_THREAD_EXIT)
        return CBPOR_YES;
    bool lives = kind == OP_NONE || kind == OP_CREATE || kind == OP_START;
    return lives ? CBPOR_NO : CBPOR_UNKNOWN;
}

enum cbpor_answer cbpor_enabled(const struct cbpor_cut *cut, int tid,
                                const struct cbpor_seen *seen)
{
    const struct cbpor_birth *thread = &cut->trace->threads.item[tid];
    const struct cbpor_standing *standing = standing_of(cut, tid);
    if (!thread->born || standing->pending.kind == OP_NONE)
        return CBPOR_NO;
    if (cut->last.item[tid] == NO_EVENT && thread->event != NO_EVENT &&
        !cut_contains(cut, thread->event))
        return CBPOR_NO;
    if (!may_block(standing) || next_is_ready(cut, tid))
        return CBPOR_YES;
    enum cbpor_answer answer = derive_enabled(cut, tid, &standing->pending);
    if (answer != CBPOR_UNKNOWN)
        return answer;
    struct hash128 key = question_key(cut, tid, standing);
    const uint8_t *known = table_get(&seen->table, key.low, key.high);
    return known ? *known : CBPOR_UNKNOWN;
}

enum cbpor_answer cbpor_goes_on(const struct cbpor_cut *cut, int tid,
                                const struct cbpor_seen *seen)
{
    const struct cbpor_standing *standing = standing_of(cut, tid);
    if (standing->pending.flags & OP_YIELDS)
        return CBPOR_NO;
    return cbpor_enabled(cut, tid, seen);
}

int cbpor_cut_least(const struct cbpor_cut *cut)
{
    int preempted = -1;
    for (int tid = 0; tid < (int)cut->last.count; tid++) {
        const struct cbpor_standing *standing = standing_of(cut, tid);
        preempted += cut->last.item[tid] != NO_EVENT && standing->pending.kind != OP_NONE &&
                     !(standing->pending.flags & OP_YIELDS) && !may_block(standing);
    }
    return preempted;
}

void cbpor_assume(const struct cbpor_cut *cut, int tid, struct cbpor_seen *seen,
                  enum cbpor_answer answer)
{
    struct hash128 key = question_key(cut, tid, standing_of(cut, tid));
    *(uint8_t *)table_put(&seen->table, key.low, key.high, NULL) = (uint8_t)answer;
}

/* Remembers what the search saw at a moment of the execution, for the threads that may block.
 */
static void note_enabled(const struct cbpor_cut *cut, uint32_t moment)
{
    struct cbpor_seen *seen = cut->trace->seen;
    const struct cbpor_moment *now = &cut->trace->moments.item[moment];
    for (uint32_t i = 0; i < cut->last.count; i++) {
        int tid = (int)i;
        const struct cbpor_birth *thread = &cut->trace->threads.item[tid];
        const struct cbpor_standing *standing = standing_of(cut, tid);
        bool exists =
            thread->born && (cut->last.item[tid] != NO_EVENT || thread->event == NO_EVENT ||
                             cut_contains(cut, thread->event));
        if (!exists || standing->pending.kind == OP_NONE || !may_block(standing))
            continue;
        enum cbpor_answer answer = threadset_has(&now->enabled, tid) ? CBPOR_YES : CBPOR_NO;
        enum cbpor_answer expected = derive_enabled(cut, tid, &standing->pending);
        if (expected == CBPOR_UNKNOWN)
            cbpor_assume(cut, tid, seen, answer);
        else
            seen->contradicted |= expected != answer;
    }
}

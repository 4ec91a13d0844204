/* Prefixes of an execution, and which threads are enabled in them (cbpor_trace.h; paper 000,
 * sections 2 and 3.2). */
#include "base/must.h"
#include "explore/cbpor/cbpor_trace.h"

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
        if (last != NO_EVENT && last != event && cbpor_trace_clock(trace, last)[tid] > index)
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
    const uint32_t *clock = cbpor_trace_clock(trace, next);
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

void cbpor_cut_note(const struct cbpor_cut *cut, uint32_t moment)
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

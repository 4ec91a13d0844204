/* Finds every reachable state, on all cores: assertions, faults and invalid end states.
 *
 * A worker's stack holds numbers of stored states, four bytes each, not vectors: when its turn
 * comes, a state is read back from the store, which also knows each state's predecessor for the
 * counter-example. Several states are read at once, so that their cache misses overlap. Where
 * the depth changes, a mark gives the depth of the states below it:
 *
 *      stack   | a | b | c | 7, marked | d | e |     a, b, c: depth 7; d, e: top_depth
 *
 * Reduction (safe_states.h): a state is expanded by the steps of one process alone only if one
 * of their successors was not entered yet, or is known to lead to a state that was expanded in
 * full. Then no step is postponed for ever: following such successors, each is entered later
 * than the one before, or leads to a state expanded in full, and there are finitely many. This
 * needs no stack, so it holds for any number of workers; with one worker and depth-first order
 * it is the usual rule (not back to the stack). A state may be pushed several times, so one on
 * top of the stack that was entered already is dropped. With reduction, a state whose
 * successors are being searched stays on the stack below them, marked; a second stack holds the
 * witness of each: the successor because of which no step was postponed.
 *
 *      stack   … | a, marked | b | c, marked | d | e |      a's successors: b, c; c's: d, e
 *      witnesses       b               e
 *
 * Some models may be reduced further if no run starts more than 255 processes (safe_states.c).
 * Where the model itself does not show this, one worker assumes and checks it: the states form
 * no cycle, and all steps together start no more than that. If the assumption fails, the search
 * starts again without it. */
#include <stdlib.h>
#include <string.h>

#include "promela/search/team.h"
#include "promela/verifier/safe_states.h"
#include "promela/verifier/pace.h"

#define MARKED        0x80000000u /* a stack entry with another meaning than a state to expand */
#define BATCH         64u
#define LEAST_ENTRIES 4096u /* that a stack grows by */
#define GROUP         8u    /* states taken at once, without reduction */

/* Flags of a state, with reduction: its extra byte. */
#define ENTERED 1u
#define FULL    2u /* expanded in full, or leads to one that was */
#define LEFT    4u /* all that it leads to was searched */

#define MAY_BE_MANY "more processes"

struct reach {
    struct team team;
    struct worker *workers;
    uint32_t processes, channels; /* that all steps together start, if few are assumed */
};

/* A successor on its way into the store. */
struct coming {
    struct store_root root;
    uint32_t parent, depth;
};

struct entries {
    uint32_t *data;
    size_t bottom, top;
    atomic_size_t room; /* read by the worker that watches the limits */
};

struct worker {
    struct reach *reach;
    struct member member;
    struct entries stack;
    uint32_t top_depth;       /* without reduction */
    struct entries witnesses; /* with it: one for each that is marked on the stack */
    uint32_t depth;           /* of the state being expanded */
    uint32_t witness; /* a successor that keeps the others from being postponed for ever */
    struct coming batch[BATCH];
    uint32_t batched, batch_used;
    uint64_t *batch_keys;
    uint64_t expanded;
    struct pace pace;
};

static atomic_uchar *flags_of(const struct worker *w, uint32_t number)
{
    return store_extra(w->reach->team.store, number);
}

static size_t used_bytes(const struct reach *r)
{
    size_t bytes = 0;
    for (int i = 0; i < atomic_load(&r->team.crew.size); i++)
        bytes += sizeof(uint32_t) * (atomic_load(&r->workers[i].stack.room) +
                                     atomic_load(&r->workers[i].witnesses.room));
    return store_bytes_with(r->team.store, bytes);
}

/* A quarter more, or half of what the limit leaves. */
static bool add_entries(struct reach *r, struct entries *e)
{
    size_t had = atomic_load_explicit(&e->room, memory_order_relaxed), bytes = used_bytes(r);
    size_t limit = r->team.verifier->options->memory,
           more = had < LEAST_ENTRIES ? LEAST_ENTRIES : had / 4;
    size_t left = (limit > bytes ? limit - bytes : 0) / sizeof(uint32_t) / 2;
    if (more > left)
        more = left > LEAST_ENTRIES ? left : LEAST_ENTRIES;
    uint32_t *data = realloc(e->data, (had + more) * sizeof *data);
    if (!data)
        return false;
    e->data = data;
    atomic_store_explicit(&e->room, had + more, memory_order_relaxed);
    return true;
}

static void push_entry(struct worker *w, struct entries *e, uint32_t entry)
{
    if (e->top == atomic_load_explicit(&e->room, memory_order_relaxed) &&
        !add_entries(w->reach, e)) {
        team_halt(&w->reach->team, "memory");
        return;
    }
    e->data[e->top++] = entry;
}

static void push_at_depth(struct worker *w, uint32_t number, uint32_t depth)
{
    if (depth != w->top_depth && w->stack.top > w->stack.bottom)
        push_entry(w, &w->stack, w->top_depth | MARKED);
    w->top_depth = depth;
    push_entry(w, &w->stack, number);
}

/* Takes the top entry; the stack is not empty. No mark stays on top. */
static uint32_t pop_at_depth(struct worker *w, uint32_t *depth)
{
    struct entries *e = &w->stack;
    uint32_t number = e->data[--e->top];
    *depth = w->top_depth;
    if (e->top > e->bottom && (e->data[e->top - 1] & MARKED))
        w->top_depth = e->data[--e->top] & ~MARKED;
    return number;
}

static void arrive_at(struct worker *w, const struct coming *c, uint32_t number, bool fresh)
{
    if (!w->reach->team.verifier->por) {
        if (fresh)
            push_at_depth(w, number, c->depth);
        return;
    }
    uint8_t flags = atomic_load(flags_of(w, number));
    if ((flags & (ENTERED | LEFT)) == ENTERED && w->reach->team.verifier->assumes_few)
        team_halt(&w->reach->team, MAY_BE_MANY);
    if (!(flags & ENTERED))
        push_entry(w, &w->stack, number);
    if (!(flags & ENTERED) || (flags & FULL))
        w->witness = number;
}

static void flush_batch(struct worker *w)
{
    struct store *store = w->reach->team.store;
    uint32_t count = w->batched;
    w->batched = w->batch_used = 0;
    for (uint32_t i = 0; i < count; i++)
        store_prefetch_record(store, w->batch[i].root);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number;
        bool fresh = store_add(w->member.writer, w->batch[i].root, &number);
        if (fresh)
            store_set_parent(w->member.writer, number, w->batch[i].parent);
        if (store_full(store)) { /* then "not new" means nothing */
            team_halt(&w->reach->team, "memory limit");
            return;
        }
        arrive_at(w, &w->batch[i], number, fresh);
    }
    w->member.transitions += count;
}

static void note_started(struct reach *r, const struct shape *before, const struct shape *after)
{
    if (after->processes > before->processes)
        r->processes += after->processes - before->processes;
    if (after->channels > before->channels)
        r->channels += after->channels - before->channels;
    if (r->processes > MOST_PROCESSES || r->channels > MOST_PROCESSES)
        team_halt(&r->team, MAY_BE_MANY);
}

static void batch_successor(void *context, const struct macro *m)
{
    struct worker *w = context;
    if (m->fault != 0) {
        member_fail(&w->member, failure_of_fault(m->fault, m->fault_transition), -1);
        return;
    }
    if (__builtin_expect(w->reach->team.verifier->assumes_few, 0))
        note_started(w->reach, w->member.shape, m->shape);
    uint32_t words = store_key_words(m->shape->size);
    if (w->batched == BATCH || w->batch_used + words > STORE_ROOM)
        flush_batch(w);
    struct store_root root =
        store_key(w->member.writer, m->vector, m->shape->size, w->member.vector,
                  w->member.shape->size, w->member.key, w->batch_keys + w->batch_used);
    store_prefetch(w->reach->team.store, root);
    w->batch_used += words;
    w->batch[w->batched++] = (struct coming){root, w->member.current, w->depth + 1};
}

/* The steps of one process, if they may stand for all. */
static bool expand_alone(struct worker *w, uint32_t *alone)
{
    const struct verifier *v = w->reach->team.verifier;
    for (uint32_t pid = w->member.shape->processes; pid-- > 0;) {
        if (!por_safe(v, w->member.vector, w->member.shape, pid) ||
            macro_expand_alone(&w->member.macro, w->member.vector, w->member.shape, pid) == 0)
            continue;
        flush_batch(w);
        *alone = pid;
        return true;
    }
    return false;
}

static void fetch_state(struct worker *w, uint32_t number, uint32_t depth)
{
    w->depth = depth;
    if (depth > w->member.deepest)
        w->member.deepest = depth;
    member_fetch(&w->member, number);
    w->expanded++;
}

static void expand_all(struct worker *w, uint32_t except)
{
    const struct verifier *v = w->reach->team.verifier;
    uint32_t count =
        macro_expand_others(&w->member.macro, w->member.vector, w->member.shape, except);
    if (count == 0 && !valid_end(v, w->member.vector, w->member.shape))
        member_fail(&w->member, failure_of_end(), -1);
}

/* --- with reduction: one state at a time --- */

static void expand_reduced(struct worker *w)
{
    uint32_t alone = NO_PARTNER, *kept = &w->witnesses.data[w->witnesses.top - 1];
    w->witness = NOWHERE;
    if (expand_alone(w, &alone) && w->witness != NOWHERE) {
        *kept = w->witness;
        if (atomic_load(flags_of(w, w->witness)) & FULL)
            atomic_fetch_or(flags_of(w, w->member.current), FULL);
        return;
    }
    expand_all(w, alone);
    flush_batch(w);
    atomic_fetch_or(flags_of(w, w->member.current), FULL);
}

/* Everything above it is done. It leads to whatever its witness leads to. */
static void leave_state(struct worker *w)
{
    uint32_t number = w->stack.data[--w->stack.top] & ~MARKED;
    uint32_t witness = w->witnesses.data[--w->witnesses.top];
    if (witness != NOWHERE && (atomic_load(flags_of(w, witness)) & FULL))
        atomic_fetch_or(flags_of(w, number), FULL);
    atomic_fetch_or(flags_of(w, number), LEFT);
}

static void enter_state(struct worker *w)
{
    uint32_t *entry = &w->stack.data[w->stack.top - 1], number = *entry;
    if (atomic_fetch_or(flags_of(w, number), ENTERED) & ENTERED) {
        w->stack.top--;
        return;
    }
    *entry |= MARKED;
    fetch_state(w, number, (uint32_t)(w->witnesses.top - w->witnesses.bottom));
    push_entry(w, &w->witnesses, NOWHERE);
    if (!atomic_load_explicit(&w->reach->team.stop, memory_order_relaxed))
        expand_reduced(w);
}

static void step_reduced(struct worker *w)
{
    if (w->stack.data[w->stack.top - 1] & MARKED)
        leave_state(w);
    else
        enter_state(w);
}

/* --- without: a group of states at a time --- */

static void step_plain(struct worker *w)
{
    /* C may pass something to the next statement in memory that is not tracked: strictly
     * depth first, as in Spin */
    uint32_t group[GROUP], depth[GROUP], count = 0;
    uint32_t most = w->reach->team.verifier->model->uses_c ? 1 : GROUP;
    for (; count < most && w->stack.top > w->stack.bottom; count++) {
        group[count] = pop_at_depth(w, &depth[count]);
        store_prefetch_state(w->reach->team.store, group[count]);
    }
    for (uint32_t i = 0; i < count; i++) {
        fetch_state(w, group[i], depth[i]);
        expand_all(w, NO_PARTNER);
    }
    flush_batch(w);
}

/* --- sharing --- */

/* The depth of the entries at the bottom of the stack, up to the next mark. */
static uint32_t bottom_depth(const struct worker *w)
{
    size_t at = w->stack.bottom;
    while (at < w->stack.top && !(w->stack.data[at] & MARKED))
        at++;
    return at < w->stack.top ? w->stack.data[at] & ~MARKED : w->top_depth;
}

/* The oldest half of the stack, or as much as a portion can hold. */
static void take_oldest(struct worker *w, struct portion *portion)
{
    struct entries *e = &w->stack;
    size_t end = e->bottom + (e->top - e->bottom) / 2;
    bool reduced = w->reach->team.verifier->por;
    uint32_t depth = reduced ? 0 : bottom_depth(w);
    while (e->bottom < end && portion->count < WORK_PORTION) {
        uint32_t entry = e->data[e->bottom++];
        if (!(entry & MARKED))
            portion->items[portion->count++] = (uint64_t)depth << 32 | entry;
        else if (reduced)
            w->witnesses.bottom++;
        else
            depth = bottom_depth(w);
    }
}

static void share_entries(struct worker *w)
{
    struct portion *portion = malloc(sizeof *portion);
    if (!portion)
        return;
    portion->count = 0;
    take_oldest(w, portion);
    if (portion->count > 0)
        work_give(&w->reach->team.pool, portion);
    else
        free(portion);
}

static void now_and_then(struct worker *w, bool first)
{
    if (work_wanted(&w->reach->team.pool))
        share_entries(w);
    if (!pace_is_due(&w->pace, w->expanded))
        return;
    if (first)
        team_check_limits(&w->reach->team, used_bytes(w->reach));
    if (macro_ends_search(&w->member.macro, w->expanded))
        team_halt(&w->reach->team, w->member.macro.cut_by);
}

static bool refill_entries(struct worker *w)
{
    struct portion *portion = member_take_work(&w->member);
    if (!portion)
        return false;
    w->stack.bottom = w->stack.top = 0;
    w->witnesses.bottom = w->witnesses.top = 0;
    for (uint32_t i = 0; i < portion->count; i++)
        if (w->reach->team.verifier->por)
            push_entry(w, &w->stack, (uint32_t)portion->items[i]);
        else
            push_at_depth(w, (uint32_t)portion->items[i], (uint32_t)(portion->items[i] >> 32));
    free(portion);
    return true;
}

static void run_worker(void *context, int number)
{
    struct reach *r = context;
    struct worker *w = &r->workers[number];
    while (!atomic_load_explicit(&r->team.stop, memory_order_relaxed)) {
        crew_poll(&r->team.crew);
        if (w->stack.top == w->stack.bottom) {
            if (!refill_entries(w))
                break;
            continue;
        }
        if (r->team.verifier->por)
            step_reduced(w);
        else
            step_plain(w);
        now_and_then(w, number == 0);
    }
}

static bool worker_init(struct reach *r, struct worker *w, int number)
{
    w->reach = r;
    w->batch_keys = malloc(2 * STORE_ROOM * sizeof *w->batch_keys);
    return member_init(&w->member, &r->team, number, batch_successor, w) && w->batch_keys;
}

static void worker_free(struct worker *w)
{
    member_free(&w->member);
    free(w->batch_keys);
    free(w->stack.data);
    free(w->witnesses.data);
}

static bool reach_init(struct reach *r, struct verifier *v)
{
    bool ready = team_init(&r->team, v, v->por ? 1 : 0);
    int jobs = atomic_load(&r->team.crew.size);
    r->workers = calloc((size_t)jobs, sizeof *r->workers);
    ready = ready && r->workers;
    for (int i = 0; ready && i < jobs; i++)
        ready = worker_init(r, &r->workers[i], i);
    return ready;
}

static void reach_free(struct reach *r, int jobs)
{
    for (int i = 0; r->workers && i < jobs; i++)
        worker_free(&r->workers[i]);
    free(r->workers);
    team_free(&r->team);
}

static void search_all(struct reach *r, int jobs)
{
    struct verifier *v = r->team.verifier;
    struct worker *first = &r->workers[0];
    uint32_t initial;
    v->crew = &r->team.crew;
    if (member_start(&first->member, first->batch_keys, &initial)) {
        push_entry(first, &first->stack, initial);
        member_fetch(&first->member, initial);
        r->processes = first->member.shape->processes;
        r->channels = first->member.shape->channels;
    }
    crew_run(&r->team.crew, run_worker, r);
    v->crew = NULL;
    team_note_bytes(&r->team, used_bytes(r));
    v->states = store_count(r->team.store);
    for (int i = 0; i < jobs; i++) {
        v->transitions_seen += r->workers[i].member.transitions;
        member_finish(&r->workers[i].member);
    }
    team_show_failures(&r->team, &first->member);
}

static void search_once(struct verifier *v)
{
    struct reach reach = {0}, *r = &reach;
    bool ready = reach_init(r, v);
    v->shared = true;
    int jobs = atomic_load(&r->team.crew.size);
    if (ready)
        search_all(r, jobs);
    else
        verifier_truncate(v, "memory");
    reach_free(r, jobs);
}

/* False: this can't be assumed. */
static bool search_if_few(struct verifier *v)
{
    struct por_state **proven = v->por;
    v->por = v->por_if_few;
    v->assumes_few = true;
    search_once(v);
    v->assumes_few = false;
    if (!v->truncated || strcmp(v->truncated_by, MAY_BE_MANY) != 0)
        return true;
    v->por = proven;
    v->truncated = false;
    v->states = v->transitions_seen = v->errors = v->depth = 0;
    trail_free(&v->trail);
    v->trail.preemptions = -1;
    return false;
}

void search_reach(struct verifier *v)
{
    if (!v->por_if_few || !search_if_few(v))
        search_once(v);
}

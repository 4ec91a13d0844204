/* Every reachable state, by all cores: assertions, faults and invalid end states.
 *
 * A worker's stack holds numbers of stored states, eight bytes each, not vectors: a state is
 * taken from the store again when its turn comes, and each stored state notes its predecessor
 * for the counter-example. Several are taken at once, so that what they wait for from memory is
 * waited for together.
 *
 * Reduction (por.h): a state is expanded by the steps of one process alone only if one of the
 * states they lead to was not entered yet, or is known to lead to one that was expanded in
 * full. Then no step is put off for ever: follow such successors; each is entered later than
 * the one before, or reaches a state expanded in full, and there are finitely many. That needs
 * no stack, so it holds for any number of workers; with one worker and successors entered in
 * depth-first order it comes to the usual rule, not back to the stack. A state on top of the
 * stack that was entered already is dropped: it may be pushed several times. With reduction a
 * state whose successors are being searched stays on the stack, marked, below them.
 *
 *      stack   … | a, marked | b | c, marked | d | e |      a's successors: b, c; c's: d, e */
#include "promela/work.h"
#include "promela/por.h"
#include "promela/retrace.h"

#include <stdlib.h>
#include <string.h>

#define MARKED         0x80000000u /* in the lower half of a stack entry */
#define NOWHERE        0xffffffffu
#define CHECK_INTERVAL 1024u
#define BATCH          64u
#define GROUP          8u /* states taken at once, without reduction */
#define PARENT_BYTES   4u /* extra bytes of a state: its predecessor, then flags */

/* Flags of a state, with reduction. */
#define ENTERED 1u
#define FULL    2u /* expanded in full, or leads to one that was */

struct reach {
    struct verifier *verifier;
    struct crew crew;
    struct work pool;
    struct store *store;
    struct worker *workers;
    atomic_bool stop;
    pthread_mutex_t lock; /* guards what follows, and the verifier's results */
    struct failure failure;
    u32 failed_at;
};

/* A successor on its way into the store. */
struct coming {
    struct store_root root;
    u32 parent, depth;
};

struct worker {
    struct reach *reach;
    struct macro_expander macro;
    struct store_writer *writer;
    u64 *stack;
    size_t bottom, top;
    atomic_size_t room; /* read by the worker that watches the limits */
    u32 marked;         /* how many on the stack are */
    /* the state being expanded */
    u32 current, depth;
    const struct shape *shape;
    u8 *vector;
    u64 *key;
    u32 witness; /* a successor that keeps the others from being put off for ever */
    struct coming batch[BATCH];
    u32 batched, batch_used;
    u64 *batch_keys;
    u64 transitions, errors, expanded, next_check, deepest;
};

static void halt(struct reach *r, const char *why)
{
    pthread_mutex_lock(&r->lock);
    verifier_truncate(r->verifier, why);
    pthread_mutex_unlock(&r->lock);
    atomic_store(&r->stop, true);
}

static atomic_uchar *flags_of(const struct worker *w, u32 number)
{
    return (atomic_uchar *)store_extra(w->reach->store, number) + PARENT_BYTES;
}

/* The first failure of all is the one that is shown. */
static void fail(struct worker *w, struct failure failure)
{
    struct reach *r = w->reach;
    w->errors++;
    pthread_mutex_lock(&r->lock);
    if (r->failure.violation == VIOLATION_NONE) {
        r->failure = failure;
        r->failed_at = w->current;
    }
    pthread_mutex_unlock(&r->lock);
    if (!r->verifier->options->keep_going)
        atomic_store(&r->stop, true);
}

/* The upper half: the depth; with reduction: the witness, none yet. */
static void push(struct worker *w, u32 number, u32 upper)
{
    size_t had = atomic_load_explicit(&w->room, memory_order_relaxed);
    if (w->top == had) {
        size_t room = had == 0 ? 4096 : had + had / 2;
        u64 *stack = realloc(w->stack, room * sizeof *stack);
        if (stack == NULL) {
            halt(w->reach, "memory");
            return;
        }
        w->stack = stack;
        atomic_store_explicit(&w->room, room, memory_order_relaxed);
    }
    w->stack[w->top++] = (u64)upper << 32 | number;
}

static void arrive(struct worker *w, const struct coming *c, u32 number, bool fresh)
{
    if (fresh)
        memcpy(store_extra(w->reach->store, number), &c->parent, sizeof c->parent);
    if (w->reach->verifier->por == NULL) {
        if (fresh)
            push(w, number, c->depth);
        return;
    }
    u8 flags = atomic_load(flags_of(w, number));
    if (!(flags & ENTERED))
        push(w, number, NOWHERE);
    if (!(flags & ENTERED) || (flags & FULL))
        w->witness = number;
}

static void flush(struct worker *w)
{
    struct store *store = w->reach->store;
    u32 count = w->batched;
    w->batched = w->batch_used = 0;
    for (u32 i = 0; i < count; i++)
        store_prefetch_record(store, w->batch[i].root);
    for (u32 i = 0; i < count; i++) {
        u32 number;
        bool fresh = store_add(w->writer, w->batch[i].root, &number);
        if (store_full(store)) { /* then "not new" means nothing */
            halt(w->reach, "memory limit");
            return;
        }
        arrive(w, &w->batch[i], number, fresh);
    }
    w->transitions += count;
}

static void successor(void *context, const struct macro *m)
{
    struct worker *w = context;
    if (m->fault != 0) {
        fail(w, (struct failure){m->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT,
                                 m->fault, m->fault_transition, NO_PARTNER});
        return;
    }
    u32 words = store_key_words(m->shape->size);
    if (w->batched == BATCH || w->batch_used + words > STORE_ROOM)
        flush(w);
    struct store_root root = store_key(w->writer, m->vector, m->shape->size, w->vector,
                                       w->shape->size, w->key, w->batch_keys + w->batch_used);
    store_prefetch(w->reach->store, root);
    w->batch_used += words;
    w->batch[w->batched++] = (struct coming){root, w->current, w->depth + 1};
}

/* The steps of one process, if they may stand for all. */
static bool expand_alone(struct worker *w, u32 *alone)
{
    const struct verifier *v = w->reach->verifier;
    for (u32 pid = w->shape->processes; pid-- > 0;) {
        if (!por_safe(v, w->vector, w->shape, pid) ||
            macro_expand_alone(&w->macro, w->vector, w->shape, pid) == 0)
            continue;
        flush(w);
        *alone = pid;
        return true;
    }
    return false;
}

static void fetch(struct worker *w, u32 number, u32 depth)
{
    w->current = number;
    w->depth = depth;
    if (depth > w->deepest)
        w->deepest = depth;
    w->shape = stored_state(w->reach->verifier, w->reach->store, number, w->vector, w->key);
    w->expanded++;
}

static void expand_all(struct worker *w, u32 except)
{
    const struct verifier *v = w->reach->verifier;
    u32 count = macro_expand_others(&w->macro, w->vector, w->shape, except);
    if (count == 0 && !valid_end(v, w->vector, w->shape))
        fail(w, (struct failure){VIOLATION_END, 0, 0, NO_PARTNER});
}

/* ---- with reduction: one state at a time ---- */

static void expand_reduced(struct worker *w, size_t at)
{
    u32 alone = NO_PARTNER;
    w->witness = NOWHERE;
    if (expand_alone(w, &alone) && w->witness != NOWHERE) {
        w->stack[at] = (u64)w->witness << 32 | (u32)w->stack[at];
        if (atomic_load(flags_of(w, w->witness)) & FULL)
            atomic_fetch_or(flags_of(w, w->current), FULL);
        return;
    }
    expand_all(w, alone);
    flush(w);
    atomic_fetch_or(flags_of(w, w->current), FULL);
}

/* All above it is done. What its witness leads to, it leads to. */
static void leave(struct worker *w, u64 entry)
{
    u32 witness = (u32)(entry >> 32);
    w->top--;
    w->marked--;
    if (witness != NOWHERE && (atomic_load(flags_of(w, witness)) & FULL))
        atomic_fetch_or(flags_of(w, (u32)entry & ~MARKED), FULL);
}

static void enter(struct worker *w, size_t at)
{
    u32 number = (u32)w->stack[at];
    if (atomic_fetch_or(flags_of(w, number), ENTERED) & ENTERED) {
        w->top--;
        return;
    }
    w->stack[at] |= MARKED;
    fetch(w, number, w->marked++);
    expand_reduced(w, at);
}

static void step_reduced(struct worker *w)
{
    if ((u32)w->stack[w->top - 1] & MARKED)
        leave(w, w->stack[w->top - 1]);
    else
        enter(w, w->top - 1);
}

/* ---- without: a group of states at a time ---- */

static void step_plain(struct worker *w)
{
    u64 group[GROUP];
    /* C may leave something for the statement behind it in memory that nobody tracks: depth
     * first, strictly, as in Spin */
    u32 count = 0, most = w->reach->verifier->model->uses_c ? 1 : GROUP;
    while (count < most && w->top > w->bottom) {
        group[count] = w->stack[--w->top];
        store_prefetch_state(w->reach->store, (u32)group[count++]);
    }
    for (u32 i = 0; i < count; i++) {
        fetch(w, (u32)group[i], (u32)(group[i] >> 32));
        expand_all(w, NO_PARTNER);
    }
    flush(w);
}

/* The oldest half of the stack, as far as a portion takes it. */
static void share(struct worker *w)
{
    size_t end = w->bottom + (w->top - w->bottom) / 2;
    struct portion *portion = end > w->bottom ? malloc(sizeof *portion) : NULL;
    if (portion == NULL)
        return;
    portion->count = 0;
    for (; w->bottom < end && portion->count < WORK_PORTION; w->bottom++) {
        if ((u32)w->stack[w->bottom] & MARKED)
            w->marked--;
        else
            portion->items[portion->count++] = w->stack[w->bottom];
    }
    if (portion->count > 0)
        work_give(&w->reach->pool, portion);
    else
        free(portion);
}

static size_t used(const struct reach *r)
{
    size_t bytes = store_bytes(r->store);
    for (int i = 0; i < atomic_load(&r->crew.size); i++)
        bytes += atomic_load(&r->workers[i].room) * sizeof(u64);
    return bytes;
}

/* By the first worker only. */
static void check_limits(struct worker *w)
{
    struct reach *r = w->reach;
    struct verifier *v = r->verifier;
    size_t bytes = used(r);
    v->bytes = bytes > v->bytes ? bytes : v->bytes;
    if (bytes > v->options->memory)
        halt(r, "memory limit");
    pthread_mutex_lock(&r->lock);
    bool stop = verifier_must_stop(v, store_count(r->store));
    pthread_mutex_unlock(&r->lock);
    if (stop)
        atomic_store(&r->stop, true);
}

static void now_and_then(struct worker *w, bool first)
{
    if (work_wanted(&w->reach->pool))
        share(w);
    if (w->expanded < w->next_check)
        return;
    w->next_check = w->expanded + CHECK_INTERVAL;
    if (first)
        check_limits(w);
    if (w->macro.endless)
        halt(w->reach, "an atomic sequence without end");
}

static bool refill(struct worker *w)
{
    struct reach *r = w->reach;
    if (atomic_load(&r->crew.size) == 1)
        return false;
    struct portion *portion = work_take(&r->pool, &r->stop);
    if (portion == NULL)
        return false;
    w->bottom = w->top = 0;
    w->marked = 0;
    for (u32 i = 0; i < portion->count; i++)
        push(w, (u32)portion->items[i], (u32)(portion->items[i] >> 32));
    free(portion);
    return true;
}

static void work(void *context, int number)
{
    struct reach *r = context;
    struct worker *w = &r->workers[number];
    while (!atomic_load_explicit(&r->stop, memory_order_relaxed)) {
        crew_poll(&r->crew);
        if (w->top == w->bottom) {
            if (!refill(w))
                break;
            continue;
        }
        if (r->verifier->por != NULL)
            step_reduced(w);
        else
            step_plain(w);
        now_and_then(w, number == 0);
    }
}

static bool worker_init(struct reach *r, struct worker *w, int number)
{
    w->reach = r;
    w->writer = store_writer(r->store, number);
    w->vector = malloc(VECTOR_BYTES);
    w->key = malloc(STORE_ROOM * sizeof *w->key);
    w->batch_keys = malloc(2 * STORE_ROOM * sizeof *w->batch_keys);
    w->macro.emit = successor;
    w->macro.context = w;
    return w->writer != NULL && w->vector != NULL && w->key != NULL && w->batch_keys != NULL &&
           macro_init(&w->macro, r->verifier);
}

static void worker_free(struct worker *w)
{
    macro_free(&w->macro);
    free(w->vector);
    free(w->key);
    free(w->batch_keys);
    free(w->stack);
}

static bool reach_init(struct reach *r, struct verifier *v)
{
    memset(r, 0, sizeof *r);
    r->verifier = v;
    int jobs = verifier_jobs(v);
    crew_init(&r->crew, jobs);
    work_init(&r->pool, &r->crew);
    pthread_mutex_init(&r->lock, NULL);
    r->store = store_create(v->options->memory, &r->crew, PARENT_BYTES + (v->por != NULL));
    r->workers = calloc((size_t)jobs, sizeof *r->workers);
    bool ready = r->store != NULL && r->workers != NULL;
    for (int i = 0; ready && i < jobs; i++)
        ready = worker_init(r, &r->workers[i], i);
    return ready;
}

static void reach_free(struct reach *r, int jobs)
{
    for (int i = 0; r->workers != NULL && i < jobs; i++)
        worker_free(&r->workers[i]);
    free(r->workers);
    store_free(r->store);
    work_free(&r->pool);
    crew_free(&r->crew);
    pthread_mutex_destroy(&r->lock);
}

static void start(struct worker *w)
{
    const struct shape *shape = expander_start(&w->macro.expander);
    u32 number;
    store_add(w->writer,
              store_key(w->writer, w->macro.expander.step.next, shape->size, NULL, 0, NULL,
                        w->batch_keys),
              &number);
    w->transitions++;
    if (store_full(w->reach->store)) {
        halt(w->reach, "memory limit");
        return;
    }
    u32 nobody = NOWHERE;
    memcpy(store_extra(w->reach->store, number), &nobody, sizeof nobody);
    push(w, number, w->reach->verifier->por != NULL ? NOWHERE : 0);
}

static void show_failure(struct reach *r)
{
    struct chain chain = {.verifier = r->verifier, .store = r->store};
    for (u32 at = r->failed_at; at != NOWHERE;) {
        if (!chain_add(&chain, at, NO_PARTNER))
            break;
        memcpy(&at, store_extra(r->store, at), sizeof at);
    }
    chain_reverse(&chain);
    struct path path = chain_path(&chain);
    retrace(r->verifier, &r->workers[0].macro, &path, &r->failure);
    chain_free(&chain);
}

void search_reach(struct verifier *v)
{
    struct reach reach, *r = &reach;
    bool ready = reach_init(r, v);
    v->shared = true;
    int jobs = atomic_load(&r->crew.size);
    if (!ready) {
        verifier_truncate(v, "memory");
    } else {
        v->crew = &r->crew;
        start(&r->workers[0]);
        crew_run(&r->crew, work, r);
        v->crew = NULL;
        size_t bytes = used(r);
        v->bytes = bytes > v->bytes ? bytes : v->bytes;
        v->states = store_count(r->store);
        for (int i = 0; i < jobs; i++) {
            v->transitions_seen += r->workers[i].transitions;
            v->errors += r->workers[i].errors;
            if (r->workers[i].deepest > v->depth)
                v->depth = r->workers[i].deepest;
            if (r->workers[i].macro.endless)
                verifier_truncate(v, "an atomic sequence without end");
        }
        if (r->failure.violation != VIOLATION_NONE)
            show_failure(r);
    }
    reach_free(r, jobs);
}

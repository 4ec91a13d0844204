/* The brute-force oracle (oracle.h).
 *
 * Enumeration copies states instead of re-running prefixes: this is simple, and unlike the code
 * under test. A class is keyed by the sum of its events' keys; a key holds the whole set of
 * events before it by name, so equal sums mean equal graphs up to 128-bit collisions. */
#include "selftest/oracle.h"

#include <string.h>

#include "base/must.h"

#define EVENT_FLAGS (OP_READS | OP_WRITES | OP_GLOBAL | OP_TIMED_OUT | OP_FAILED)

static struct hash128 event_key(const struct oracle_event *event, int choice)
{
    struct hash128 key = {1, 2};
    hash128_join(&key, event->bit);
    hash128_join(&key, event->past);
    hash128_join(&key, event->op.kind);
    hash128_join(&key, event->op.flags & EVENT_FLAGS);
    for (int i = 0; i < event->op.nobjects; i++)
        hash128_join(&key, event->op.object[i]);
    hash128_join(&key, (uint64_t)choice);
    return key;
}

/* Appends an event; false: the trace is full. */
static bool trace_push(struct oracle_trace *trace, int tid, const struct op *op, int choice)
{
    if (trace->per_thread[tid] == TRACE_PER_THREAD)
        return false;
    struct oracle_event *event = &trace->event[trace->count];
    event->tid = tid;
    event->op = *op;
    event->bit = UINT64_C(1) << (tid * TRACE_PER_THREAD + trace->per_thread[tid]);
    event->past = 0;
    for (int i = trace->count - 1; i >= 0; i--) {
        const struct oracle_event *earlier = &trace->event[i];
        if (earlier->tid == tid || op_dependent(&earlier->op, op))
            event->past |= earlier->past | earlier->bit;
    }
    event->key = event_key(event, choice);
    hash128_add(&trace->sum, event->key);
    trace->per_thread[tid]++;
    trace->count++;
    return true;
}

static void trace_pop(struct oracle_trace *trace)
{
    must(trace->count > 0);
    const struct oracle_event *event = &trace->event[--trace->count];
    trace->per_thread[event->tid]--;
    hash128_subtract(&trace->sum, event->key);
}

/* The local state that the last event led its thread to: the graph of its past (paper 002,
 * section 2.2). */
static struct hash128 trace_local(const struct oracle_trace *trace)
{
    const struct oracle_event *last = &trace->event[trace->count - 1];
    struct hash128 local = last->key;
    for (int i = 0; i < trace->count - 1; i++)
        if (last->past & trace->event[i].bit)
            hash128_add(&local, trace->event[i].key);
    hash128_join(&local, last->bit);
    return local;
}

void coverage_init(struct oracle_coverage *coverage, struct pool *pool)
{
    struct table *tables[] = {
        &coverage->interleavings, &coverage->classes,  &coverage->states,
        &coverage->prefixes,      &coverage->locals,   &coverage->values,
        &coverage->deadlocks,     &coverage->concrete, &coverage->assumed};
    memset(coverage, 0, sizeof *coverage);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        table_init(tables[i], pool, sizeof(struct coverage_entry));
    coverage->in_order = true;
}

static void note_met(struct table *table, struct hash128 key, uint32_t preemptions)
{
    bool fresh;
    struct coverage_entry *entry = table_put(table, key.low, key.high, &fresh);
    if (fresh || preemptions < entry->preemptions)
        entry->preemptions = preemptions;
    entry->count++;
}

static bool is_within(const struct coverage_entry *entry, int bound)
{
    return bound < 0 || entry->preemptions <= (uint32_t)bound;
}

uint32_t coverage_missing(const struct table *all, const struct table *seen, int bound)
{
    uint32_t missing = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct coverage_entry *entry;
    while ((entry = table_next(all, &cursor, key)))
        missing += is_within(entry, bound) && !table_get(seen, key[0], key[1]);
    return missing;
}

uint32_t coverage_count(const struct table *table, int bound)
{
    uint32_t count = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct coverage_entry *entry;
    while ((entry = table_next(table, &cursor, key)))
        count += is_within(entry, bound);
    return count;
}

uint32_t coverage_repeats(const struct table *table)
{
    uint32_t most = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct coverage_entry *entry;
    while ((entry = table_next(table, &cursor, key)))
        most = entry->count > most ? entry->count : most;
    return most;
}

uint32_t coverage_excess(const struct table *all, const struct table *seen, int bound)
{
    uint32_t excess = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    while (table_next(seen, &cursor, key)) {
        const struct coverage_entry *entry = table_get(all, key[0], key[1]);
        excess += !entry || !is_within(entry, bound);
    }
    return excess;
}

/* One execution as it grows: shared by the enumeration and by searches. */
struct oracle_run {
    const struct synth_program *program;
    struct synth_state state;
    struct oracle_trace *trace;
    struct hash128 schedule;
    int last;
    uint32_t preemptions;
    uint32_t blocking; /* operations so far that may block */
    int fair;          /* bound, -1: none */
    uint8_t yields[SYNTH_THREADS];
    bool yielded; /* in this atomic section: it counts once */
};

static void run_begin(struct oracle_run *run, const struct synth_program *program,
                      struct oracle_trace *trace)
{
    memset(run, 0, sizeof *run);
    memset(trace, 0, sizeof *trace);
    run->program = program;
    run->trace = trace;
    run->last = -1;
    run->fair = -1;
    synth_begin(program, &run->state);
}

static bool run_is_fair(const struct oracle_run *run, int tid)
{
    for (int other = 0; other < run->program->nthreads; other++)
        if (synth_enabled(run->program, &run->state, other) &&
            run->yields[tid] - run->yields[other] > run->fair)
            return false;
    return true;
}

/* What counts as a preemption, written a second time on purpose: the oracle does not use
 * world.h. */
static bool run_preempts(const struct oracle_run *run, int tid)
{
    struct op pending;
    if (run->last < 0 || run->last == tid)
        return false;
    if (!synth_enabled(run->program, &run->state, run->last))
        return false;
    if (run->fair >= 0 && !run_is_fair(run, run->last)) /* paper 002, 5.3 */
        return false;
    synth_pending(run->program, &run->state, run->last, &pending);
    return !(pending.flags & OP_YIELDS);
}

static void meet_prefix(struct oracle_coverage *coverage, const struct oracle_run *run)
{
    if (coverage->ends_only)
        return;
    note_met(&coverage->states, run->trace->sum, run->preemptions);
    note_met(&coverage->concrete, (struct hash128){synth_fingerprint(&run->state), 0},
             run->preemptions);
}

/* Does the step show what the traits of its kind promise (op.def)? Otherwise the world would be
 * wrong, or the table. */
static bool keeps_promises(const struct op *pending, const struct op *done)
{
    const uint16_t effect = OP_READS | OP_WRITES | OP_GLOBAL;
    if (op_in_section(pending) || pending->flags & (OP_TIMED | OP_SPINS))
        return true;
    bool same_objects = done->nobjects == pending->nobjects;
    for (int i = 0; same_objects && i < done->nobjects; i++)
        same_objects = done->object[i] == pending->object[i];
    bool same_effect = (done->flags & effect) == (pending->flags & effect);
    return (same_objects || !op_has(pending, OP_SAME_OBJECTS)) &&
           (same_effect || !op_has(pending, OP_AS_PENDING));
}

static bool run_step(struct oracle_run *run, int tid, int choice, struct op *done,
                     struct oracle_coverage *coverage)
{
    struct op pending;
    synth_pending(run->program, &run->state, tid, &pending);
    run->blocking += (pending.flags & OP_MAY_BLOCK) != 0;
    run->preemptions += run_preempts(run, tid);
    run->yielded &= run->state.glued;
    synth_step(run->program, &run->state, tid, choice, done);
    must(keeps_promises(&pending, done));
    if (done->flags & OP_YIELDS && !run->yielded) {
        run->yields[tid]++;
        run->yielded = true;
    }
    run->last = tid;
    hash128_join(&run->schedule, (uint64_t)tid << 32 | (uint32_t)choice);
    if (!trace_push(run->trace, tid, done, choice))
        return false;
    if (coverage->ends_only)
        return true;
    note_met(&coverage->prefixes, run->schedule, run->preemptions);
    struct hash128 value = {run->state.history[tid], (uint64_t)tid + 1};
    note_met(&coverage->values, value, run->preemptions);
    note_met(&coverage->locals, trace_local(run->trace), run->preemptions);
    meet_prefix(coverage, run);
    return true;
}

static void run_end(const struct oracle_run *run, struct oracle_coverage *coverage)
{
    if (run->state.assumed) {
        note_met(&coverage->assumed, run->trace->sum, run->preemptions);
    } else {
        note_met(&coverage->interleavings, run->schedule, run->preemptions);
        note_met(&coverage->classes, run->trace->sum, run->preemptions);
        coverage->by_steps[run->trace->count]++;
    }
    if (synth_deadlocked(run->program, &run->state))
        note_met(&coverage->deadlocks, run->trace->sum, run->preemptions);
    coverage->last = run->trace->sum;
    coverage->cuts += synth_cut(run->program, &run->state);
    if ((uint32_t)run->trace->count > coverage->most_steps)
        coverage->most_steps = (uint32_t)run->trace->count;
    if (run->blocking > coverage->most_blocking)
        coverage->most_blocking = run->blocking;
    if (run->preemptions > coverage->most_preemptions)
        coverage->most_preemptions = run->preemptions;
    if (run->preemptions < coverage->last_preemptions)
        coverage->in_order = false;
    coverage->last_preemptions = run->preemptions;
}

static bool enumerate_from(const struct oracle_run *run, uint32_t limit,
                           struct oracle_coverage *coverage)
{
    if (coverage->interleavings.count > limit)
        return false;
    if (synth_ended(run->program, &run->state)) {
        run_end(run, coverage);
        return true;
    }
    for (int tid = 0; tid < run->program->nthreads; tid++) {
        if (!synth_enabled(run->program, &run->state, tid) ||
            (run->fair >= 0 && !run_is_fair(run, tid)))
            continue;
        int choices = synth_choices(run->program, &run->state, tid);
        for (int choice = 0; choice < choices; choice++) {
            struct oracle_run next = *run;
            struct op done;
            if (!run_step(&next, tid, choice, &done, coverage) ||
                !enumerate_from(&next, limit, coverage))
                return false;
            trace_pop(run->trace);
        }
    }
    return true;
}

bool oracle_enumerate_fair(const struct synth_program *program, uint32_t limit, int fair,
                           struct oracle_coverage *coverage)
{
    struct oracle_run run;
    struct oracle_trace trace;
    run_begin(&run, program, &trace);
    run.fair = fair;
    meet_prefix(coverage, &run);
    return enumerate_from(&run, limit, coverage);
}

bool oracle_enumerate(const struct synth_program *program, uint32_t limit,
                      struct oracle_coverage *coverage)
{
    struct oracle_run run;
    struct oracle_trace trace;
    run_begin(&run, program, &trace);
    meet_prefix(coverage, &run);
    return enumerate_from(&run, limit, coverage);
}

/* --- the synthetic world as a search sees it --- */

struct oracle_world {
    struct position pos; /* first: the fingerprint call gets this address */
    struct oracle_run *run;
    struct op pending[SYNTH_THREADS];
    struct op done;
};

static uint64_t world_fingerprint(const struct position *pos)
{
    return synth_fingerprint(&((const struct oracle_world *)pos)->run->state);
}

/* In a nameless program a search is not told the kinds of operations, except for those that
 * create and end threads and processes: they look like a new kind without any trait
 * (op.def). */
static void hide_kind(const struct synth_program *program, struct op *op)
{
    switch (program->nameless ? op->kind : OP_NONE) {
    case OP_NONE:
    case OP_START:
    case OP_THREAD_EXIT:
    case OP_CREATE:
    case OP_JOIN:
    case OP_PROCESS_EXIT:
        break;
    default:
        op->kind = OP_UNNAMED;
    }
}

static void world_look(struct oracle_world *world)
{
    const struct oracle_run *run = world->run;
    struct position *pos = &world->pos;
    pos->depth = (uint32_t)run->trace->count;
    pos->last = run->last;
    pos->nthreads = run->program->nthreads;
    pos->enabled = synth_enabled_set(run->program, &run->state);
    pos->alone = run->state.glued;
    pos->section = run->state.section;
    pos->pending = world->pending;
    pos->done = run->last < 0 ? NULL : &world->done;
    pos->fingerprint = world_fingerprint;
    pos->must_wait = synth_must_wait;
    hide_kind(run->program, &world->done);
    for (int tid = 0; tid < run->program->nthreads; tid++) {
        synth_pending(run->program, &run->state, tid, &world->pending[tid]);
        hide_kind(run->program, &world->pending[tid]);
    }
}

static enum outcome run_outcome(const struct oracle_run *run)
{
    if (run->state.assumed)
        return OUTCOME_ASSUME_FAILED;
    if (run->state.failed)
        return OUTCOME_FAILED;
    if (synth_cut(run->program, &run->state))
        return OUTCOME_CUT;
    if (!synth_deadlocked(run->program, &run->state))
        return OUTCOME_FINISHED;
    return synth_spins(run->program, &run->state) ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK;
}

/* Checkpoints as the runtime makes them (runtime/driver/path.c), without saving anything: where
 * an execution goes on at one, the world repeats the steps up to there, and the search is not
 * asked about them. */
#define POINTS 24

struct oracle_path {
    struct oracle_point {
        struct search_mark mark;
        uint32_t decisions;
    } point[POINTS];
    uint32_t npoints;
    uint32_t known[2 * TRACE_EVENTS + 1];    /* decisions up to the last point */
    uint32_t decision[2 * TRACE_EVENTS + 1]; /* of this execution */
    uint32_t ndecisions;
};

/* The decisions that this execution makes without being asked. */
static uint32_t path_begin(struct oracle_path *path, struct search *search)
{
    for (; path->npoints > 0; path->npoints--) {
        const struct oracle_point *point = &path->point[path->npoints - 1];
        enum strategy_goes_on answer = search_go_on(search, &point->mark);
        if (answer == MARK_GOES_ON)
            return point->decisions;
        if (answer == MARK_LATER)
            return 0;
    }
    return 0;
}

/* Some positions of some programs, so that marks are close together and far apart. */
static void path_offer(struct oracle_path *path, struct search *search,
                       const struct oracle_run *run)
{
    uint32_t n = path->ndecisions;
    uint64_t seed = run->program->seed;
    bool wanted = seed % 2 && n > 0 && hash_mix(seed + n) % 4 <= seed / 2 % 4;
    bool before = path->npoints > 0 && path->point[path->npoints - 1].decisions >= n;
    if (!wanted || before || path->npoints == POINTS)
        return;
    struct oracle_point *point = &path->point[path->npoints];
    if (!search_mark(search, &point->mark))
        return;
    point->decisions = n;
    memcpy(path->known, path->decision, n * sizeof *path->known);
    path->npoints++;
}

static void path_add(struct oracle_path *path, uint32_t decision)
{
    path->decision[path->ndecisions++] = decision;
}

static bool run_execution(struct search *search, const struct synth_program *program,
                          struct oracle_coverage *coverage, struct oracle_path *path)
{
    struct oracle_run run;
    struct oracle_trace trace;
    struct oracle_world world = {.run = &run};
    run_begin(&run, program, &trace);
    meet_prefix(coverage, &run);
    search_begin(search);
    uint32_t known = path_begin(path, search);
    path->ndecisions = 0;
    for (;;) {
        world_look(&world);
        if (synth_ended(program, &run.state))
            break;
        bool asks = path->ndecisions >= known;
        if (asks)
            path_offer(path, search, &run);
        int tid = asks ? search_pick(search, &world.pos) : (int)path->known[path->ndecisions];
        if (tid == PICK_PRUNE)
            return search_end(search, &world.pos, OUTCOME_PRUNED);
        if (tid < 0 || !threadset_has(&world.pos.enabled, tid))
            return search_end(search, &world.pos, OUTCOME_DIVERGED);
        path_add(path, (uint32_t)tid);
        int choices = synth_choices(program, &run.state, tid), choice = 0;
        if (choices > 1) {
            choice = asks ? search_choose(search, choices)
                          : (int)(path->known[path->ndecisions] & ~SCHEDULE_CHOICE);
            path_add(path, SCHEDULE_CHOICE | (uint32_t)choice);
        }
        if (!run_step(&run, tid, choice, &world.done, coverage)) {
            world_look(&world);
            return search_end(search, &world.pos, OUTCOME_CUT);
        }
    }
    run_end(&run, coverage);
    return search_end(search, &world.pos, run_outcome(&run));
}

bool oracle_execute(struct search *search, const struct synth_program *program,
                    struct oracle_coverage *coverage, uint32_t *schedule, uint32_t *nschedule)
{
    struct oracle_path path = {.npoints = 0};
    bool more = run_execution(search, program, coverage, &path);
    if (schedule) {
        memcpy(schedule, path.decision, path.ndecisions * sizeof *schedule);
        *nschedule = path.ndecisions;
    }
    return more;
}

struct search_options oracle_options(const char *strategy, int bound)
{
    struct search_options options = {
        .bound = bound,
        .fair = -1,
        .delay = -1,
        .step_bound = -1,
        .pct_depth = 3,
        .depth = TRACE_EVENTS,
        .seed = 1,
        .keep_going = true,
        .count_traces = true,
        .states = true,
        .states_prove = true,
    };
    strncpy(options.strategy, strategy, sizeof options.strategy - 1);
    return options;
}

static bool search_all(struct search *search, const struct synth_program *program,
                       struct oracle_coverage *coverage, struct search_stats *stats)
{
    if (!search)
        return false;
    struct oracle_path path = {.npoints = 0};
    while (run_execution(search, program, coverage, &path))
        ;
    *stats = *search_stats(search);
    search_destroy(search);
    return true;
}

bool oracle_search(struct pool *pool, const struct synth_program *program,
                   const struct search_options *options, struct oracle_coverage *coverage,
                   struct search_stats *stats)
{
    return search_all(search_create(pool, options, NULL, 0), program, coverage, stats);
}

bool oracle_search_custom(struct pool *pool, const struct synth_program *program,
                          const struct strategy_ops *ops, const struct search_options *options,
                          struct oracle_coverage *coverage, struct search_stats *stats)
{
    return search_all(search_create_custom(pool, ops, options, NULL, 0), program, coverage,
                      stats);
}

/* What sdpor must cover: every local state and deadlock, where a local state is what a thread
 * is about to do and what it holds, not how it got there.
 *
 * The reference is a breadth-first search over the program's states: there are few, so it also
 * ends for programs with cycles, which have infinitely many interleavings. */
#include "base/vector.h"
#include "selftest/selftest.h"

struct meeting {
    struct table locals;    /* (thread, hash of its own part of the state) */
    struct table deadlocks; /* states in which threads are stuck */
    struct table states;
};

static void meeting_init(struct meeting *meeting, struct pool *pool)
{
    table_init(&meeting->locals, pool, sizeof(uint32_t));
    table_init(&meeting->deadlocks, pool, sizeof(uint32_t));
    table_init(&meeting->states, pool, sizeof(uint32_t));
}

/* True: the state is new. */
static bool meet_state(struct meeting *meeting, const struct synth_program *program,
                       const struct synth_state *state)
{
    bool fresh;
    table_put(&meeting->states, synth_fingerprint(state), 1, &fresh);
    for (int tid = 0; tid < program->nthreads; tid++) {
        uint64_t local = (uint64_t)state->loop[tid].place << 56 |
                         (uint64_t)state->loop[tid].cycle << 48 |
                         (uint64_t)state->woke[tid] << 40 | (uint64_t)state->life[tid] << 32 |
                         state->waiting[tid] << 24 | state->spun[tid] << 16 |
                         state->counter[tid] << 8 | state->r[tid];
        table_put(&meeting->locals, local + 1, (uint64_t)tid + 1, NULL);
    }
    if (synth_deadlocked(program, state))
        table_put(&meeting->deadlocks, synth_fingerprint(state), 1, NULL);
    return fresh;
}

/* All states; false: more than `limit`. */
static bool meet_all(struct meeting *meeting, struct pool *pool,
                     const struct synth_program *program, uint32_t limit)
{
    VECTOR(struct synth_state) queue = {0};
    struct synth_state *first = vector_add(pool, &queue);
    synth_begin(program, first);
    meet_state(meeting, program, first);
    for (uint32_t i = 0; i < queue.count; i++) {
        if (queue.count > limit)
            return false;
        for (int tid = 0; tid < program->nthreads; tid++) {
            int choices = synth_enabled(program, &queue.item[i], tid)
                              ? synth_choices(program, &queue.item[i], tid)
                              : 0;
            for (int choice = 0; choice < choices; choice++) {
                struct synth_state next = queue.item[i];
                struct op done;
                synth_step(program, &next, tid, choice, &done);
                if (meet_state(meeting, program, &next))
                    *vector_add(pool, &queue) = next;
            }
        }
    }
    return true;
}

/* --- one search --- */

struct state_world {
    struct position pos; /* first: the fingerprint call gets this address */
    struct synth_state state;
    struct op pending[SYNTH_THREADS];
};

static uint64_t world_fingerprint(const struct position *pos)
{
    return synth_fingerprint(&((const struct state_world *)pos)->state);
}

static void world_look(struct state_world *world, const struct synth_program *program)
{
    world->pos.enabled = synth_enabled_set(program, &world->state);
    world->pos.alone = world->state.glued;
    world->pos.section = world->state.section;
    for (int tid = 0; tid < program->nthreads; tid++)
        synth_pending(program, &world->state, tid, &world->pending[tid]);
}

#define STEPS 1000 /* the step limit of an execution */

static bool execute_once(struct search *search, const struct synth_program *program,
                         struct meeting *met, uint32_t depth)
{
    struct state_world world = {
        .pos = {.last = -1, .nthreads = program->nthreads, .fingerprint = world_fingerprint}};
    struct op done;
    world.pos.pending = world.pending;
    synth_begin(program, &world.state);
    search_begin(search);
    for (;;) {
        meet_state(met, program, &world.state);
        world_look(&world, program);
        if (synth_ended(program, &world.state))
            return search_end(search, &world.pos,
                              world.state.assumed                        ? OUTCOME_ASSUME_FAILED
                              : world.state.failed                       ? OUTCOME_FAILED
                              : !synth_deadlocked(program, &world.state) ? OUTCOME_FINISHED
                              : synth_spins(program, &world.state)       ? OUTCOME_LIVELOCK
                                                                         : OUTCOME_DEADLOCK);
        if (world.pos.depth == depth)
            return search_end(search, &world.pos, OUTCOME_CUT);
        int tid = search_pick(search, &world.pos);
        if (tid < 0)
            return search_end(search, &world.pos,
                              tid == PICK_PRUNE ? OUTCOME_PRUNED : OUTCOME_DIVERGED);
        int choices = synth_choices(program, &world.state, tid);
        int choice = choices > 1 ? search_choose(search, choices) : 0;
        synth_step(program, &world.state, tid, choice, &done);
        world.pos.depth++;
        world.pos.last = tid;
        world.pos.done = &done;
    }
}

static uint32_t count_missing(const struct table *all, const struct table *met)
{
    uint32_t count = 0;
    uint32_t cursor = 0;
    uint64_t key[2];
    while (table_next(all, &cursor, key))
        count += !table_get(met, key[0], key[1]);
    return count;
}

static bool has_cycles(const struct synth_program *program)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].kind == SYNTH_SPIN)
                return true;
    return false;
}

const char *selftest_states(struct pool *pool, const struct synth_program *program,
                            const struct strategy_ops *ops, struct search_stats *stats)
{
    struct search_options options = oracle_options(ops->name, BOUND_NONE);
    options.depth = STEPS;
    struct meeting all, met;
    meeting_init(&all, pool);
    meeting_init(&met, pool);
    if (!meet_all(&all, pool, program, 20000))
        return NULL;
    struct search *search = search_create_custom(pool, ops, &options, NULL, 0);
    if (!search)
        return "refused";
    while (execute_once(search, program, &met, STEPS))
        ;
    *stats = *search_stats(search);
    search_destroy(search);
    if ((stats->depth_cut && !stats->cycle) || stats->diverged)
        return "cut or diverged"; /* a fair cycle is repeated up to the limit */
    if (count_missing(&all.deadlocks, &met.deadlocks))
        return "a deadlock is missing";
    if (count_missing(&all.locals, &met.locals))
        return "a local state is missing";
    if (count_missing(&met.states, &all.states))
        return "an impossible state was met";
    if (stats->steps + 1 < met.states.count)
        return "fewer steps than states";
    if (has_cycles(program)) /* a cycle may repeat for ever, so nothing is claimed */
        return NULL;
    return stats->complete ? NULL : "not complete";
}

const char *selftest_sdpor(const struct selftest_case *one)
{
    struct search_stats stats;
    return selftest_states(one->pool, one->program, &strategy_sdpor, &stats);
}

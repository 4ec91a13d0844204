/* Measuring strategies (cost.h): threads that are always enabled run long lists of operations,
 * most on variables of their own, every fourth on a shared one. The world costs next to
 * nothing, so what is measured is the strategy. */
#include "selftest/cost.h"

#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "selftest/oracle.h"

struct cost_world {
    const struct cost_options *options;
    struct position pos;
    struct op pending[THREADS_MAX];
    struct op done;
    uint32_t next[THREADS_MAX]; /* operations that a thread has executed */
};

static uint32_t per_thread(const struct cost_options *options)
{
    return options->length / (uint32_t)options->threads;
}

static void set_pending(struct cost_world *world, int tid)
{
    uint32_t index = world->next[tid];
    struct op *op = &world->pending[tid];
    if (index == per_thread(world->options)) {
        op->kind = OP_NONE;
        threadset_remove(&world->pos.enabled, tid);
        return;
    }
    uint64_t random = hash_mix((uint64_t)tid << 32 | index);
    bool shared = random % 4 == 0;
    bool write = random & 16;
    *op = (struct op){
        .kind = write ? OP_STORE : OP_LOAD,
        .flags = write ? OP_WRITES : OP_READS,
        .nobjects = 1,
        .object = {shared ? 1 + (random >> 8) % world->options->objects
                          : ((uint64_t)tid + 1) << 32 | random >> 60},
    };
    threadset_add(&world->pos.enabled, tid);
}

static void world_begin(struct cost_world *world)
{
    world->pos.depth = 0;
    world->pos.last = -1;
    world->pos.nthreads = world->options->threads;
    world->pos.pending = world->pending;
    world->pos.done = NULL;
    memset(world->next, 0, sizeof world->next);
    for (int tid = 0; tid < world->options->threads; tid++)
        set_pending(world, tid);
}

static bool run_once(struct cost_world *world, struct search *search)
{
    world_begin(world);
    search_begin(search);
    while (!threadset_empty(&world->pos.enabled)) {
        int tid = search_pick(search, &world->pos);
        if (tid < 0)
            return search_end(search, &world->pos,
                              tid == PICK_PRUNE ? OUTCOME_PRUNED : OUTCOME_DIVERGED);
        world->done = world->pending[tid];
        world->pos.done = &world->done;
        world->pos.last = tid;
        world->pos.depth++;
        world->next[tid]++;
        set_pending(world, tid);
    }
    return search_end(search, &world->pos, OUTCOME_FINISHED);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double cost_of(const char *strategy, const struct cost_options *options)
{
    struct pool *pool = pool_create_private((size_t)8 << 30);
    struct search_options search_options = oracle_options(strategy, BOUND_AUTO);
    search_options.count_traces = false;
    search_options.execs = options->executions;
    struct search *search = search_create(pool, &search_options, NULL, 0);
    double cost = -1;
    if (search) {
        struct cost_world *world = pool_alloc(pool, sizeof *world);
        world->options = options;
        double begin = cpu_seconds();
        while (run_once(world, search))
            ;
        cost = (cpu_seconds() - begin) * 1e9 / (double)search_stats(search)->steps;
        search_destroy(search);
    }
    pool_destroy_private(pool);
    return cost;
}

/* The simplest lasso against brute force, on random models with few states.
 *
 * The oracle knows the graph of the naive interpreter (promela_oracle.c) and claims of two
 * states, which it moves by hand. For every state (of the system and the claim) and every
 * process that could begin a cycle there, it lowers the cost of all (state, process that moved
 * last, what was met so far) until nothing changes, with no order and nothing left out. The
 * smallest sum of path, round and the switch to the next round is what the search must find:
 * preemptions, switches and steps, each of them. Within a bound no preemption may be on the
 * cycle, and the search by bounds must have found as many as that needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "host/temporary.h"
#include "promela/search/levels.h"
#include "promela/verifier/verifier.h"
#include "promela_oracle.h"
#include "unit_size.h"

#define MODELS  UNIT_SIZE(200)
#define LIMIT   48 /* states of the system */
#define MOVERS  (ORACLE_PROCESSES + 1)
#define NEVER   UINT64_MAX
#define ACCEPTS (1u << ORACLE_PROCESSES)
#define SETS    (2u << ORACLE_PROCESSES)
#define BOUND   2

enum kind { BY_LABEL, NO_PROGRESS, IN_THE_END, AGAIN_AND_AGAIN, KINDS };

static const char *const claims[KINDS] = {
    [BY_LABEL] = "",
    [NO_PROGRESS] = "",
    [IN_THE_END] = "never { T0: do :: (g1 == 0) -> goto accept_S :: true od;\n"
                   "accept_S: do :: (g1 == 0) od }\n",
    [AGAIN_AND_AGAIN] = "never { T0: do :: (g0 == 1) -> goto accept_S :: true od;\n"
                        "accept_S: do :: true -> goto T0 od }\n",
};

/* Where the claim may go from state `from`; returns how many. */
static int claim_moves(enum kind kind, int from, const struct oracle_node *n, int to[2])
{
    int count = 0;
    bool holds = kind == NO_PROGRESS       ? !n->labelled
                 : kind == IN_THE_END      ? n->global[1] == 0
                 : kind == AGAIN_AND_AGAIN ? n->global[0] == 1
                                           : false;
    if (kind == BY_LABEL || (kind == AGAIN_AND_AGAIN && from == 1)) {
        to[count++] = 0;
        return count;
    }
    if (holds)
        to[count++] = 1;
    if (from == 0)
        to[count++] = 0;
    return count;
}

struct brute {
    const struct oracle_graph *graph;
    enum kind kind;
    bool fair, free_cycles;
    uint64_t path[LIMIT][2][MOVERS]; /* to a state of system and claim, after that one */
    uint64_t round[LIMIT][2][MOVERS][SETS];
};

static const struct oracle_edge *edge_at(const struct brute *b, int node, int i)
{
    return &b->graph->edge[b->graph->node[node].first + i];
}

static bool counts(const struct brute *b, const struct oracle_edge *e)
{
    return e->movers != 0 || b->kind != NO_PROGRESS;
}

/* What the first step of an edge costs after `mover` (the last one: nobody). */
static uint64_t switch_cost(const struct brute *b, int node, int mover, unsigned movers,
                            bool *preempts)
{
    const struct oracle_node *n = &b->graph->node[node];
    *preempts = false;
    if (movers == 0 || mover == ORACLE_PROCESSES || (movers >> mover & 1))
        return 0;
    for (int i = 0; i < n->count; i++)
        *preempts |=
            edge_at(b, node, i)->elsewhere && (edge_at(b, node, i)->movers >> mover & 1);
    return ((uint64_t)*preempts << 48) + ((uint64_t)1 << 24);
}

static int movers_after(const struct oracle_edge *e, int mover, int movers[2])
{
    movers[0] = e->movers == 0 ? mover : e->last;
    movers[1] = e->last_partner;
    return e->last_partner >= 0 ? 2 : 1;
}

static unsigned met_in(const struct brute *b, int node, int claim)
{
    const struct oracle_node *n = &b->graph->node[node];
    bool accepting = b->kind == BY_LABEL ? n->labelled : claim == 1;
    unsigned others = ~((1u << b->graph->processes) - 1);
    return (accepting ? ACCEPTS : 0) | ((~n->able | others) & (ACCEPTS - 1));
}

static bool is_whole(const struct brute *b, unsigned met)
{
    return b->fair ? met == SETS - 1 : (met & ACCEPTS) != 0;
}

static bool lower(uint64_t *cost, uint64_t to)
{
    bool lowered = to < *cost;
    if (lowered)
        *cost = to;
    return lowered;
}

static bool relax_path(struct brute *b, int node, int claim, int mover)
{
    uint64_t now = b->path[node][claim][mover];
    bool changed = false, preempts;
    int to[2], after[2];
    int moves = claim_moves(b->kind, claim, &b->graph->node[node], to);
    for (int i = 0; now != NEVER && i < b->graph->node[node].count; i++) {
        const struct oracle_edge *e = edge_at(b, node, i);
        uint64_t cost =
            now + switch_cost(b, node, mover, e->movers, &preempts) + (uint64_t)e->length;
        int movers = movers_after(e, mover, after);
        for (int k = 0; k < moves * movers && counts(b, e); k++)
            changed |= lower(&b->path[e->to][to[k / movers]][after[k % movers]], cost);
    }
    return changed;
}

static void find_paths(struct brute *b)
{
    bool changed = true;
    memset(b->path, 0xff, sizeof b->path);
    b->path[0][0][ORACLE_PROCESSES] = 0;
    while (changed) {
        changed = false;
        for (int n = 0; n < b->graph->nodes; n++)
            for (int claim = 0; claim < 2; claim++)
                for (int mover = 0; mover < MOVERS; mover++)
                    changed |= relax_path(b, n, claim, mover);
    }
}

/* The steps of a node on the way round; `only`: those of these processes, or ~0. */
static bool relax_round(struct brute *b, int node, int claim, int mover, unsigned met,
                        uint64_t now, unsigned only)
{
    bool changed = false, preempts;
    int to[2], after[2];
    int moves = claim_moves(b->kind, claim, &b->graph->node[node], to);
    for (int i = 0; i < b->graph->node[node].count; i++) {
        const struct oracle_edge *e = edge_at(b, node, i);
        uint64_t cost = now + (uint64_t)e->length;
        if (!counts(b, e) || (only != ~0u && e->movers != only))
            continue;
        if (only == ~0u) {
            cost += switch_cost(b, node, mover, e->movers, &preempts);
            if (preempts && b->free_cycles)
                continue;
        }
        int movers = movers_after(e, mover, after);
        for (int k = 0; k < moves * movers; k++) {
            unsigned then = met | e->movers | met_in(b, e->to, to[k / movers]);
            changed |= lower(&b->round[e->to][to[k / movers]][after[k % movers]][then], cost);
        }
    }
    return changed;
}

static void find_rounds(struct brute *b)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int n = 0; n < b->graph->nodes; n++)
            for (int claim = 0; claim < 2; claim++)
                for (int mover = 0; mover < MOVERS; mover++)
                    for (unsigned met = 0; met < SETS; met++)
                        if (b->round[n][claim][mover][met] != NEVER)
                            changed |= relax_round(b, n, claim, mover, met,
                                                   b->round[n][claim][mover][met], ~0u);
    }
}

/* The cheapest lasso whose cycle begins in that state after `mover`, with a step of those. */
static uint64_t cheapest_from(struct brute *b, int node, int claim, int mover, unsigned movers)
{
    bool preempts;
    uint64_t best = NEVER, start = b->path[node][claim][mover];
    if (start == NEVER)
        return NEVER;
    start += switch_cost(b, node, mover, movers, &preempts);
    memset(b->round, 0xff, sizeof b->round);
    relax_round(b, node, claim, mover, met_in(b, node, claim), start, movers);
    find_rounds(b);
    for (int last = 0; last < MOVERS; last++)
        for (unsigned met = 0; met < SETS; met++) {
            uint64_t cost = b->round[node][claim][last][met];
            if (cost == NEVER || !is_whole(b, met))
                continue;
            cost += switch_cost(b, node, last, movers, &preempts);
            if (!(preempts && b->free_cycles))
                lower(&best, cost);
        }
    return best;
}

static uint64_t cheapest(struct brute *b)
{
    uint64_t best = NEVER;
    find_paths(b);
    for (int n = 0; n < b->graph->nodes; n++)
        for (int claim = 0; claim < 2; claim++)
            for (int mover = 0; mover < MOVERS; mover++)
                for (int i = 0; i < b->graph->node[n].count; i++)
                    lower(&best, cheapest_from(b, n, claim, mover, edge_at(b, n, i)->movers));
    return best;
}

/* --- the engine --- */

struct found {
    bool any, truncated;
    int preemptions, switches, length;
};

static struct found simplest(const char *path, enum kind kind, bool fair, bool bounded)
{
    struct model_options options = {.file = path,
                                    .bound = bounded ? BOUND : MODEL_BOUND_NONE,
                                    .bound_given = bounded,
                                    .fair = fair,
                                    .tier = 1,
                                    .jobs = 1,
                                    .memory = (size_t)1 << 30};
    struct model_load_options load = {0};
    struct verifier v = {.options = &options, .model = model_load(path, &load)};
    assert_non_null(v.model);
    struct property property = {.acceptance = kind == BY_LABEL,
                                .progress = kind == NO_PROGRESS};
    if (kind >= IN_THE_END)
        property.claim = v.model->claims[0];
    assert_true(verifier_prepare(&v, &property));
    v.trail.preemptions = -1;
    search_cycles(&v, NULL, NULL);
    assert_false(v.truncated);
    struct found found = {.any = v.trail.violation != VIOLATION_NONE};
    if (found.any) {
        int fewest = v.trail.preemptions;
        options.bound = bounded ? fewest : MODEL_BOUND_NONE;
        trail_free(&v.trail);
        search_lasso(&v);
        assert_int_not_equal(v.trail.violation, VIOLATION_NONE);
        found = (struct found){true, v.truncated, v.trail.preemptions, v.trail.switches,
                               (int)v.trail.count};
        if (bounded)
            assert_int_equal(found.preemptions, fewest);
    }
    struct model *model = v.model;
    trail_free(&v.trail);
    verifier_release(&v);
    model_free(model);
    return found;
}

static char *write_model(const struct oracle_model *model, enum kind kind)
{
    static char path[160];
    snprintf(path, sizeof path, "%.100s/mazur-lasso-XXXXXX", temporary_parent());
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    oracle_write(model,
                 kind == BY_LABEL      ? "accept"
                 : kind == NO_PROGRESS ? "progress"
                                       : NULL,
                 out);
    fputs(claims[kind], out);
    fclose(out);
    return path;
}

/* True: there is a lasso. */
static bool compare(struct brute *b, const char *path, uint64_t seed, bool bounded)
{
    b->free_cycles = bounded;
    uint64_t best = cheapest(b);
    bool expected = best != NEVER && (!bounded || best >> 48 <= BOUND);
    struct found found = simplest(path, b->kind, b->fair, bounded);
    if (found.any != expected ||
        (expected && (found.truncated || found.preemptions != (int)(best >> 48) ||
                      found.switches != (int)(best >> 24 & 0xffffff) ||
                      found.length != (int)(best & 0xffffff))))
        fail_msg("seed %llu, kind %d%s%s: found %d: %d preemptions, %d switches, %d steps; "
                 "the cheapest has %d, %d, %d",
                 (unsigned long long)seed, (int)b->kind, b->fair ? ", fair" : "",
                 bounded ? ", bounded" : "", found.any, found.preemptions, found.switches,
                 found.length, (int)(best >> 48), (int)(best >> 24 & 0xffffff),
                 (int)(best & 0xffffff));
    return expected;
}

static void random_lassos(void **state)
{
    (void)state;
    const char *number = getenv("MAZUR_ORACLE_MODELS");
    int models = number ? atoi(number) : MODELS, used = 0, found = 0;
    struct brute *b = calloc(1, sizeof *b);
    for (uint64_t seed = 1; used < models; seed++) {
        struct oracle_model *m = oracle_random(seed);
        oracle_leave_out_assertions(m);
        struct oracle_graph g = oracle_graph(m, -1, LIMIT);
        if (g.nodes > 4) {
            b->graph = &g;
            b->kind = (enum kind)(used % KINDS);
            b->fair = used / KINDS % 2 == 0;
            char *path = write_model(m, b->kind);
            found += compare(b, path, seed, used / (2 * KINDS) % 2 == 0);
            unlink(path);
            used++;
        }
        free(g.node);
        free(g.edge);
        oracle_free(m);
    }
    free(b);
    assert_true(found > models / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_lassos)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

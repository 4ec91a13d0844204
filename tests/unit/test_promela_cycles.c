/* Cycles within a bound against the naive interpreter: the graph of all (state, last process,
 * count) within the bound, and its strongly connected components. What the formulas forbid is
 * looked for there by hand, so that neither the translation of formulas nor the nested search
 * is trusted:
 *
 *   often      g0 == 1 again and again           ltl { <> [] (g0 != 1) } does not hold
 *   in the end g1 == 0 from some point on        ltl { [] <> (g1 != 0) } does not hold
 *   no answer  g0 == 1, and g2 != 1 from there   ltl { [] (g0 == 1 -> <> (g2 == 1)) } does not
 * hold
 *
 *   accepted   an accept label again and again   --acceptance
 *   no progress, and no progress label           --progress, where somebody does move
 *
 * With fairness every process moves on the cycle, or is blocked somewhere on it. */
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

#define MODELS UNIT_SIZE(150)
#define LIMIT  3000

struct wanted {
    const char *formula; /* or NULL: a cycle by labels */
    const char *label;
    bool (*within)(const struct oracle_node *); /* holds all along the cycle */
    bool (*met)(const struct oracle_node *);    /* somewhere on it, or on the way to it */
    bool on_the_way;
};

static bool anywhere(const struct oracle_node *n)
{
    (void)n;
    return true;
}

static bool first_is_one(const struct oracle_node *n)
{
    return n->global[0] == 1;
}

static bool second_is_zero(const struct oracle_node *n)
{
    return n->global[1] == 0;
}

static bool third_is_not_one(const struct oracle_node *n)
{
    return n->global[2] != 1;
}

static bool labelled(const struct oracle_node *n)
{
    return n->labelled;
}

static bool not_labelled(const struct oracle_node *n)
{
    return !n->labelled;
}

static const struct wanted wanted[] = {
    {"ltl f { <> [] (g0 != 1) }\n", NULL, anywhere, first_is_one, false},
    {"ltl f { [] <> (g1 != 0) }\n", NULL, second_is_zero, anywhere, false},
    {"ltl f { [] (g0 == 1 -> <> (g2 == 1)) }\n", NULL, third_is_not_one, first_is_one, true},
    {NULL, "accept", anywhere, labelled, false},
    {NULL, "progress", not_labelled, anywhere, false},
};

#define KINDS ((int)(sizeof wanted / sizeof *wanted))

/* A run that has come to its end is no non-progress cycle. */
static bool counts(const struct wanted *w, const struct oracle_edge *edge)
{
    return edge->movers != 0 || !w->label || strcmp(w->label, "progress") != 0;
}

/* Can `to` be reached from `from` in one step or more, through nodes that `within` admits? */
static void reach_from(const struct oracle_graph *g, const struct wanted *w, int from,
                       bool *seen)
{
    int stack[LIMIT], count = 0;
    memset(seen, 0, LIMIT * sizeof *seen);
    stack[count++] = from;
    while (count > 0) {
        const struct oracle_node *n = &g->node[stack[--count]];
        for (int e = n->first; e < n->first + n->count; e++) {
            int to = g->edge[e].to;
            if (!seen[to] && counts(w, &g->edge[e]) && w->within(&g->node[to])) {
                seen[to] = true;
                stack[count++] = to;
            }
        }
    }
}

struct component {
    bool any, met, fair;
};

/* The component of `at`: everything that it reaches and that reaches it. */
static struct component component_of(const struct oracle_graph *g, const struct wanted *w,
                                     int at, bool (*reach)[LIMIT])
{
    struct component c = {reach[at][at], false, true};
    unsigned satisfied = 0;
    for (int i = 0; i < g->nodes; i++) {
        if (!reach[at][i] || !reach[i][at])
            continue;
        const struct oracle_node *n = &g->node[i];
        c.met |= w->met(n);
        satisfied |= ~n->able;
        for (int e = n->first; e < n->first + n->count; e++)
            if (reach[at][g->edge[e].to] && reach[g->edge[e].to][at])
                satisfied |= g->edge[e].movers;
    }
    c.fair = (satisfied & ((1u << g->processes) - 1)) == (1u << g->processes) - 1;
    return c;
}

static bool violated(const struct oracle_graph *g, const struct wanted *w, bool fair)
{
    bool(*reach)[LIMIT] = calloc(LIMIT, sizeof *reach), found = false;
    for (int i = 0; i < g->nodes; i++)
        if (w->within(&g->node[i]))
            reach_from(g, w, i, reach[i]);
    for (int i = 0; i < g->nodes && !found; i++) {
        if (!w->within(&g->node[i]) || !reach[i][i])
            continue;
        struct component c = component_of(g, w, i, reach);
        for (int k = 0; k < g->nodes && w->on_the_way && !c.met; k++)
            c.met = w->within(&g->node[k]) && w->met(&g->node[k]) && reach[k][i];
        found = c.any && c.met && (c.fair || !fair);
    }
    free(reach);
    return found;
}

/* How states are kept, whether safe steps may stand for all, and how many workers search. */
static const struct way {
    enum model_store store;
    bool reduced;
    int jobs;
} ways[] = {{STORE_EXACT, false, 1}, {STORE_COMPACT, false, 1}, {STORE_BITSTATE, false, 1},
            {STORE_EXACT, true, 1},  {STORE_COMPACT, true, 1},  {STORE_EXACT, false, 3},
            {STORE_EXACT, true, 3}};

#define WAYS ((int)(sizeof ways / sizeof *ways))

static bool mazur_finds(const char *path, const struct wanted *w, const struct way *way,
                        int bound, bool fair)
{
    struct model_options options = {.file = path,
                                    .bound = bound,
                                    .bound_given = bound != MODEL_BOUND_NONE,
                                    .fair = fair,
                                    .store = way->store,
                                    .por = way->reduced,
                                    .por_given = way->reduced,
                                    .tier = 1,
                                    .jobs = way->jobs,
                                    .bit_memory = (size_t)1 << 24,
                                    .memory = (size_t)1 << 30};
    struct model_load_options load = {0};
    struct verifier v = {.options = &options, .model = model_load(path, &load)};
    assert_non_null(v.model);
    struct property property = {.formula = v.model->formulas};
    if (w->label)
        property = (struct property){.acceptance = strcmp(w->label, "accept") == 0,
                                     .progress = strcmp(w->label, "progress") == 0};
    assert_true(verifier_prepare(&v, &property));
    search_cycles(&v, NULL, NULL);
    assert_false(v.truncated);
    bool found = v.trail.violation != VIOLATION_NONE;
    struct model *model = v.model;
    trail_free(&v.trail);
    verifier_release(&v);
    model_free(model);
    return found;
}

static char *write_model(const struct oracle_model *model, const struct wanted *w)
{
    static char path[160];
    snprintf(path, sizeof path, "%.100s/mazur-cycles-XXXXXX", temporary_parent());
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    oracle_write(model, w->label, out);
    fputs(w->formula ? w->formula : "", out);
    fclose(out);
    return path;
}

static bool violated_within(const struct oracle_model *m, const struct wanted *w, int bound,
                            bool fair)
{
    struct oracle_graph g = oracle_graph(m, bound, LIMIT);
    bool violated_there = g.nodes > 0 && violated(&g, w, fair);
    free(g.node);
    free(g.edge);
    return violated_there;
}

/* No bound, and bounds 0 to 2; returns how often the verdict depends on the bound. With
 * reduction a cycle may be found that needs more than the bound, and none is missed. */
static int compare(const struct oracle_model *m, const struct wanted *w, uint64_t seed,
                   bool fair, int *found)
{
    int answers[4], depends = 0;
    char *path = write_model(m, w);
    for (int bound = -1; bound <= 2; bound++) {
        struct oracle_graph g = oracle_graph(m, bound, LIMIT);
        bool expected = g.nodes > 0 && violated(&g, w, fair);
        int given = bound < 0 ? MODEL_BOUND_NONE : bound;
        answers[bound + 1] = expected;
        for (int i = 0; i < WAYS && g.nodes > 0; i++) {
            bool there = mazur_finds(path, w, &ways[i], given, fair);
            if (there != expected &&
                !(there && ways[i].reduced && violated_within(m, w, -1, fair)))
                fail_msg("seed %llu, way %d, bound %d%s, %s: a cycle is %s",
                         (unsigned long long)seed, i, bound, fair ? ", fair" : "",
                         w->formula ? w->formula : w->label,
                         expected ? "missed" : "found that is none");
        }
        *found += expected;
        free(g.node);
        free(g.edge);
    }
    unlink(path);
    for (int i = 1; i < 4; i++)
        depends += answers[i] != answers[0];
    return depends;
}

static bool is_small(const struct oracle_model *m)
{
    struct oracle_graph g = oracle_graph(m, 2, LIMIT);
    bool small = g.nodes > 0;
    free(g.node);
    free(g.edge);
    return small;
}

static void random_cycles(void **state)
{
    (void)state;
    const char *number = getenv("MAZUR_ORACLE_MODELS");
    int models = number ? atoi(number) : MODELS, used = 0, taken = 0, depends = 0, found = 0;
    for (uint64_t seed = 1; used < models; seed++) {
        struct oracle_model *m = oracle_random(seed);
        oracle_leave_out_assertions(m);
        if (is_small(m)) {
            const struct wanted *w = &wanted[used % KINDS];
            if (unit_samples((unsigned)(used / KINDS))) {
                depends += compare(m, w, seed, used % 2 == 0, &found);
                taken++;
            }
            used++;
        }
        oracle_free(m);
    }
    /* the models can tell a bound from none (few can: a sample may have none of those), and a cycle from no cycle */
    assert_true(depends > 0 || taken < used);
    assert_true(found > taken / 4 && found < 4 * taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cycles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

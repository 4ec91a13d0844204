/* Random models with a naive interpreter of their own, against which the level search is held.
 *
 * A model is a set of processes, each a small random automaton; it is written out as Promela
 * (labels, if, goto) and interpreted here from the same tables, with none of the code under
 * test. The interpreter walks (state, last process, count) with no dominance rule at all. */
#ifndef MAZUR_TESTS_PROMELA_ORACLE_H
#define MAZUR_TESTS_PROMELA_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ORACLE_PROCESSES 4
#define ORACLE_BOUNDS    6

enum oracle_rule {
    RULE_RIGHT,
    RULE_NO_PID_VECTOR, /* mutant: one process per state, as Spin's -DBCS */
    RULE_NO_REVISIT,    /* mutant: a state is expanded once */
};

struct oracle_model;

struct oracle_result {
    long states[ORACLE_BOUNDS]; /* within 0, 1, … preemptions */
    long steps[ORACLE_BOUNDS];  /* of these states, taken within 0, 1, … preemptions */
    int failure_bound;          /* fewest preemptions of any failure; -1: none */
    bool too_large;
    long all;     /* states, without a bound */
    bool failure; /* some execution fails, whatever it needs */
};

/* What the cheapest failure costs: preemptions, then switches, then steps. */
struct oracle_cost {
    bool any;
    int preemptions, switches, length;
};

/* Every (state, last process, count) within a bound; a state where nothing moves leads to
 * itself. */
struct oracle_edge {
    int to;
    unsigned movers;        /* processes, as bits; 0: nothing moves */
    int last, last_partner; /* who may go on for free; -1: nobody */
    int length;
    bool elsewhere; /* leads to another state */
};

struct oracle_node {
    int global[3];
    bool labelled; /* a process stands where oracle_write() puts a label */
    unsigned able; /* processes that have a step */
    int first, count;
};

struct oracle_graph {
    struct oracle_node *node;
    struct oracle_edge *edge;
    int nodes, edges, processes;
};

struct oracle_model *oracle_random(uint64_t seed);
/* Assertions become skips: what is left to find are cycles. */
void oracle_leave_out_assertions(struct oracle_model *model);
/* `label`, "accept" or "progress", stands at a third of the places; NULL: nowhere. */
void oracle_write(const struct oracle_model *model, const char *label, FILE *out);
struct oracle_result oracle_explore(const struct oracle_model *model, enum oracle_rule rule);
struct oracle_cost oracle_cheapest(const struct oracle_model *model);
/* bound < 0: none; `nodes` is 0 where there are more than `limit`. */
struct oracle_graph oracle_graph(const struct oracle_model *model, int bound, int limit);
void oracle_free(struct oracle_model *model);

#endif

/* Control-flow automata: one per proctype and claim.
 *
 * The control states are Spin's, one by one, since counts with --optimize off must agree: a
 * statement is left directly for the next one that takes a step; goto, break and the end of an
 * if cost a step only as the first statement of an option or as the last of an atomic.
 *
 *     x = 1; do :: a -> goto L :: else -> break od; y = 2
 *     (0) -x=1-> (1) -a-> L, (1) -else-> (2) -y=2-> ...
 *
 * States with `inside` set belong to the d_step of that state: they never appear in a state
 * vector, only in the code of that one step. */
#ifndef MAZUR_PROMELA_AUTOMATA_H
#define MAZUR_PROMELA_AUTOMATA_H

#include "promela/language/model.h"

enum transition_kind {
    TRANSITION_STATEMENT,
    TRANSITION_SKIP,
    TRANSITION_ELSE,
    TRANSITION_DSTEP,
    TRANSITION_END
};

struct transition {
    enum transition_kind kind;
    int id; /* over the whole model */
    int target;
    bool atomic; /* the process keeps control afterwards */
    int escape;  /* 0, or the number of the unless that it belongs to */
    struct statement *statement;
    struct place place;
    int dstep_start;            /* first inner state */
    int number;                 /* of its statement, as Spin counts them in a proctype */
    int late;                   /* how many elements Spin has added elsewhere by then */
    struct transition **merged; /* optimise.c: local steps that follow at once */
    int merged_count;
};

struct control_state {
    struct transition *transitions;
    int count;
    int inside; /* -1, or the state whose d_step this is part of */
    bool end, accept, progress;
    bool labelled; /* by some label: remote references may look at it */
    int number;    /* Spin's, for pc_value() and trails */
    struct place place;
    struct element *element;
    uint64_t *live; /* optimise.c: tracked locals that may be read before they are written */
};

struct automaton {
    struct control_state *states;
    int count; /* including inner states */
    int start;
    int numbered; /* statements, as Spin counts them */
};

/* Builds the automaton of a proctype or claim and numbers its transitions from *next_id on. */
struct automaton *automaton_build(struct model *model, struct proctype *proctype, int *next_id);
/* The control state that a label names, for remote references; -1 if unreachable. */
int automaton_label(const struct proctype *proctype, const char *label);

#endif

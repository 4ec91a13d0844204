/* Elements: the statements of a proctype with where each leads, between the tree and the
 * automaton.
 *
 * They mirror Spin's sequences: every construct leaves a closing element behind it, which takes
 * no step of its own, and Spin numbers them in the order of its parser. */
#ifndef MAZUR_PROMELA_ELEMENTS_H
#define MAZUR_PROMELA_ELEMENTS_H

#include "promela/automata/automata.h"

#define NESTING_DEPTH 256

enum element_kind {
    ELEMENT_STATEMENT,
    ELEMENT_DOT,
    ELEMENT_GOTO,
    ELEMENT_CHOICE,
    ELEMENT_SUB,
    ELEMENT_DSTEP,
    ELEMENT_UNLESS,
    ELEMENT_END
};

struct element_chain {
    struct element *first, *last;
};

struct escape {
    struct element *first;
    struct escape *next;
};

struct element {
    enum element_kind kind;
    struct statement *statement;
    struct place place;
    struct element *next;
    struct element *jump; /* goto and break */
    struct element *back; /* a loop: the step to it from before and from its options' ends */
    struct element_chain *options;
    int option_count;
    bool atomic, last_atomic;
    bool watched; /* by a remote reference or for its label: a goto there is a step, as in Spin
                   */
    struct element *dstep; /* the d_step around it */
    struct escape *escapes;
    int state;           /* number + 1; 0: none yet */
    int number;          /* as Spin counts them, from 1, in the order of its parser */
    int late;            /* its statement's */
    struct element *all; /* every element of the proctype */
};

struct builder {
    struct model *model;
    struct source *source;
    struct proctype *proctype;
    struct element *all;
    struct element *containers[4096];
    int container_count;
    struct element *breaks[NESTING_DEPTH];
    int break_depth;
    struct element *dstep;
    struct automaton *automaton;
    int *next_id;
    int numbered;
    const struct statement *late; /* its own elements are numbered by build_unless() */
    struct element *waiting[4];
    int waiting_count;
};

/* The elements of the builder's proctype, gotos resolved; returns the first. */
struct element *elements_build(struct builder *builder);

#endif

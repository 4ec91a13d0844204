/* Linear temporal logic: formulas over Promela expressions, and their Büchi automata. */
#ifndef MAZUR_PROMELA_LTL_H
#define MAZUR_PROMELA_LTL_H

#include "promela/language/model.h"

enum ltl_op {
    LTL_TRUE,
    LTL_FALSE,
    LTL_ATOM,
    LTL_NOT,
    LTL_AND,
    LTL_OR,
    LTL_NEXT,
    LTL_UNTIL,
    LTL_RELEASE
};

struct ltl {
    enum ltl_op op;
    bool negated; /* LTL_ATOM */
    struct expression *atom;
    struct ltl *left, *right;
    struct place place;
};

/* A claim that accepts exactly the runs that violate the formula. */
struct proctype *ltl_claim(struct model *model, const struct formula *formula, int *next_id);
/* Is there a next operator in it? */
bool ltl_uses_next(const struct ltl *formula);
/* The claim that accepts runs in which np_ holds from some point on for ever. */
struct proctype *progress_claim(struct model *model, int *next_id);

#endif

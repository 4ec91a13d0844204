/* Formulas of linear temporal logic over Promela expressions, as trees in negation normal form.
 */
#ifndef MAZUR_PROMELA_FORMULA_H
#define MAZUR_PROMELA_FORMULA_H

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

/* Is there a next operator in it? */
bool ltl_uses_next(const struct ltl *formula);

#endif

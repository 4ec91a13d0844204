/* C for a model: shared by the generator's files. Text is made in the model's arena; an
 * expression becomes a C expression over a base pointer (`v`: the state being left, `n`: the
 * successor being made), a statement a piece of code that runs `begin`, the effect and
 * `finish` if it is enabled. */
#ifndef MAZUR_PROMELA_CODEGEN_H
#define MAZUR_PROMELA_CODEGEN_H

#include <stdio.h>

#include "promela/automata/automata.h"
#include "promela/language/model.h"

struct code_mode {
    const char *base;    /* "v" or "n" */
    const char *shape;   /* C expression for the shape of that vector */
    const char *self;    /* C expression for the process offset, NULL in claims and globals */
    const char *begin;   /* code before the effect */
    const char *control; /* code that moves the process on */
    const char *finish;  /* code after that: hands the successor over */
    int transition;      /* for faults */
    bool step;           /* inside d_step: no rendezvous */
};

struct code_generator {
    struct model *model;
    FILE *out;
    int label; /* for unique C labels */
};

/* A scalar that a message field or assignment touches. */
struct code_leaf {
    const char *address;
    enum type type;
    int bits;
};

const char *code_expression(struct code_generator *g, const struct code_mode *mode,
                            const struct expression *e);
/* The scalars of a variable reference, structures flattened. Returns how many. */
int code_leaves(struct code_generator *g, const struct code_mode *mode,
                const struct expression *e, struct code_leaf **leaves);
/* Those of a variable of the process at `self`. */
int code_symbol_leaves(struct code_generator *g, const char *base, const char *self,
                       const struct symbol *symbol, struct code_leaf **leaves);
const char *code_read(struct code_generator *g, struct code_leaf leaf);
const char *code_write(struct code_generator *g, struct code_leaf leaf, const char *value);
struct code_leaf code_symbol_leaf(struct code_generator *g, const char *base, const char *self,
                                  const struct symbol *symbol, int element);
/* The conditions under which message `slot` of channel c matches receive arguments. */
const char *code_match(struct code_generator *g, const struct code_mode *mode,
                       const struct expression *list, const char *get_prefix, int *fields);

/* codegen_statement.c. The mode of a statement's effect: it works on the successor. */
struct code_mode code_effect_mode(const struct code_mode *mode);
/* The effect of a receive: message m into the variables of its list. */
void code_take_message(struct code_generator *g, const struct code_mode *effect,
                       const struct expression *list);
void code_statement(struct code_generator *g, const struct code_mode *mode,
                    const struct statement *s);
/* codegen_transition.c: the steps of a process, the receives that it can join in, the claim. */
void code_transitions(struct code_generator *g, const struct proctype *proctype);
void code_receivers(struct code_generator *g, const struct proctype *proctype);
void code_claim(struct code_generator *g);
/* codegen_trace.c: what a send or receive means to the trace assertion. */
void code_trace(struct code_generator *g);
bool code_traced(const struct code_generator *g, const struct statement *s);
/* Most fields that an event of the trace assertion looks at. */
int code_traced_fields(const struct code_generator *g);
/* The whole translation unit. */
void code_generate(struct model *model, FILE *out);

#endif

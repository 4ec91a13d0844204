/* Embedded C: the part of the generated code that the user wrote.
 *
 *     c_decl texts │ struct State and one struct per proctype │ c_code outside │ one function
 *     per c_code and c_expr │ then Mazur's own code, whose names can't meet the user's
 *
 * `now.x` is a global, `Pname->x` a local of proctype `name`; both are structures laid over the
 * state vector. c_state variables lie in them. c_track memory is the user's own: it is copied
 * from the vector before a piece of C runs and back after it ("UnMatched": from and to the tail
 * behind the vector, which is not part of the state).
 *
 * Invariant: one thread runs such code (mazur model refuses --jobs), and one copy of it exists:
 * memory that is not tracked would differ between two compiled versions. */
#ifndef MAZUR_PROMELA_EMBED_H
#define MAZUR_PROMELA_EMBED_H

#include "promela/code/codegen.h"

/* Ask the compiler for the sizes of c_state and c_track memory and give them a place; before
 * layout_build(). False after a message. */
bool embed_measure(struct model *model, const char *compiler);
/* The user's part of the translation unit. */
void embed_generate(struct code_generator *g);
/* Names of Mazur's own code out of the way of the user's. */
void embed_rename(struct code_generator *g);
/* A C expression that has the value of a fragment in the state of a mode. */
const char *embed_expression(struct code_generator *g, const struct code_mode *mode,
                             int number);
/* Code that runs a c_code fragment on the successor that a mode makes; goes to `fail` where its
 * guard is false. */
void embed_statement(struct code_generator *g, const struct code_mode *mode, int number,
                     const char *fail);
bool embed_guarded(const struct code_generator *g, int number);
/* Code that initialises c_state and tracked memory; NULL: global memory. */
void embed_start(struct code_generator *g, const struct proctype *proctype);
/* Where the user's own #include "…" are looked for, besides the current directory. */
const char *embed_folder(struct model *model);

#endif

/* Accesses of instrumented code that the compiler does not announce to Mazur. Instrumentation
 * works on statements, and leaves out what is no statement of its own: with gcc a structure
 * that is passed by value or that a function returns, with clang a large one that is passed by
 * value, with both the operands of inline assembly. They are found in the machine code: each
 * access must have a call of __tsan_read… or __tsan_write… with its address beside it. */
#ifndef MAZUR_MACHINE_ANNOUNCE_H
#define MAZUR_MACHINE_ANNOUNCE_H

#include "machine/flow.h"
#include "report/frames.h"

/* site->plain: can be announced in the compiler's place. Not so where it can only be assembly,
 * which may mean more than a plain access. */
typedef void unannounced_access(void *context, const struct board_site *site);

/* Reports those of the function [start, end). False: the code is too intricate to follow. */
bool announce_check(const struct module_code *module, uint64_t start, uint64_t end,
                    enum function_part part, struct frames *frames, unannounced_access *found,
                    void *context);

#endif

/* Accesses of instrumented code that the compiler does not announce to Mazur. Instrumentation
 * works on statements, and misses what is not a statement: with gcc a structure that is passed
 * by value or that a function returns, with clang a large structure that is passed by value,
 * with both the operands of inline assembly. This analysis finds them in the machine code: each
 * access must have a call of __tsan_read… or __tsan_write… with its address next to it. */
#ifndef MAZUR_MACHINE_ANNOUNCE_H
#define MAZUR_MACHINE_ANNOUNCE_H

#include "debuginfo/frames.h"
#include "machine/flow.h"

enum finding_kind {
    FOUND_PLAIN,    /* Mazur can announce it instead of the compiler */
    FOUND_ASSEMBLY, /* can only be assembly, which may mean more than a plain access */
    FOUND_UNTOLD,   /* the address that it accesses is unknown */
    FOUND_OUTSIDE,  /* not an access: its result comes from outside the program */
    FOUND_LEFT,     /* an atomic load that a hook has already made: nothing to report */
};

struct finding {
    enum finding_kind kind;
    struct board_site site;
    const char *name; /* FOUND_OUTSIDE: of the instruction */
};

typedef void announce_found(void *context, const struct finding *finding);

/* How functions that announce nothing are treated. */
struct announce_silent {
    /* May the accesses of this function matter to other threads? */
    enum silence {
        SILENCE_UNASKED,
        SILENCE_MEANT,   /* the source excludes it from instrumentation */
        SILENCE_UNMEANT, /* there was nothing that the compiler could announce */
        SILENCE_UNKNOWN,
    } (*judge)(void *context, uint64_t start);
    announce_found *found; /* called instead of the other one, with the same `context` */
};

/* Reports the findings of the function [start, end). `hooks`: it announces something. False:
 * the code is too complex to follow. */
bool announce_check(const struct module_code *module, uint64_t start, uint64_t end,
                    enum function_part part, struct frames *frames,
                    const struct announce_silent *silent, announce_found *found, void *context,
                    bool *hooks);

#endif

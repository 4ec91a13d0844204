/* Accesses of instrumented code that the compiler does not announce to Mazur. Instrumentation
 * works on statements, and leaves out what is no statement of its own: with gcc a structure
 * that is passed by value or that a function returns, with clang a large one that is passed by
 * value, with both the operands of inline assembly. They are found in the machine code: each
 * access must have a call of __tsan_read… or __tsan_write… with its address beside it. */
#ifndef MAZUR_MACHINE_ANNOUNCE_H
#define MAZUR_MACHINE_ANNOUNCE_H

#include "debuginfo/frames.h"
#include "machine/flow.h"

enum finding_kind {
    FOUND_PLAIN,    /* can be announced in the compiler's place */
    FOUND_ASSEMBLY, /* can only be assembly, which may mean more than a plain access */
    FOUND_UNTOLD,   /* the address that it accesses is unknown */
    FOUND_OUTSIDE,  /* no access: its result comes from outside the program */
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
    /* May the accesses of this one matter to others? */
    enum silence {
        SILENCE_UNASKED,
        SILENCE_MEANT,   /* the source keeps it from instrumentation */
        SILENCE_UNMEANT, /* there was nothing that the compiler could announce */
        SILENCE_UNKNOWN,
    } (*judge)(void *context, uint64_t start);
    announce_found *found; /* in place of the other one; `context` is the same */
};

/* Reports the findings of the function [start, end). `hooks`: it announces something. False:
 * the code is too complex to follow. */
bool announce_check(const struct module_code *module, uint64_t start, uint64_t end,
                    enum function_part part, struct frames *frames,
                    const struct announce_silent *silent, announce_found *found, void *context,
                    bool *hooks);

#endif

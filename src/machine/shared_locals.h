/* Structures and arrays in the frame of a function whose addresses other threads may know, so
 * that accesses to them need an announcement after all. */
#ifndef MAZUR_MACHINE_SHARED_LOCALS_H
#define MAZUR_MACHINE_SHARED_LOCALS_H

#include "debuginfo/frames.h"
#include "machine/flow.h"

#define LOCALS_MAX 512 /* addresses that are remembered */

struct locals {
    struct flow *flow;
    struct frames *frames; /* NULL: not known */
    struct local_addresses {
        uint64_t address[LOCALS_MAX];
        uint64_t code[LOCALS_MAX]; /* where it was seen */
        uint32_t count;
    } exposed, announced, published;
    struct shared_local *local; /* variables, once one of them is asked for */
    size_t nlocals;
    bool told; /* from the debug information: */
    bool from_gcc;
    bool known;
    bool unnamed; /* an address is exposed where no variable is */
    struct local_access *access;
    size_t naccesses;
    size_t capacity;
};

/* Called in a first pass over the code, before each instruction is executed: records what it
 * does with addresses of variables. */
void locals_note(struct locals *locals, uint32_t number);
/* An access to the frame that is not announced. */
void locals_add_access(struct locals *locals, uint32_t number, uint64_t address);
/* Does the debug information say that a compiler other than gcc made the function? */
bool locals_are_from_clang(struct locals *locals);
/* When all accesses are known: reports those that need an announcement, by their
 * instructions. */
void locals_report(struct locals *locals, void (*found)(void *context, uint32_t number),
                   void *context);
void locals_release(struct locals *locals);

#endif

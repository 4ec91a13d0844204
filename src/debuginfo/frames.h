/* The local variables of functions, from debug information: where in the frame they lie. A unit
 * is read when one of its functions is first requested. */
#ifndef MAZUR_DEBUGINFO_FRAMES_H
#define MAZUR_DEBUGINFO_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debuginfo/symbolise.h"

struct frame_object {
    int64_t offset; /* from the canonical frame address: what the stack pointer was before the
                     * call of the function */
    uint64_t size;
    bool aggregate; /* a structure, union, class or array */
    uint64_t start; /* code for which it is live; elsewhere another variable may use the same
                       place */
    uint64_t end;
    uint64_t scope_start; /* code from which it can be named */
    uint64_t scope_end;
};

struct frames *frames_new(struct symboliser *symboliser);
void frames_free(struct frames *frames);
/* The objects of the function, or part of one, that starts at the address; valid until the next
 * call. False: there is no debug information. `from_gcc`: gcc compiled it. */
bool frames_of_function(struct frames *frames, uint64_t start,
                        const struct frame_object **objects, size_t *count, bool *from_gcc);

#endif

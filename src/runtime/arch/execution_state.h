/* What the static variables of the runtime mean for a checkpoint (driver/checkpoint.c).
 *
 * A checkpoint is only taken if everything that has changed since the execution began is known:
 *   EXECUTION_STATE(x)  belongs to one execution: saved with the checkpoint, put back whole. A
 *                       table whose entries are stamped with the number of the execution must
 *                       be one object together with that number.
 *   LASTING_STATE(x)    belongs to the search or the process: stays as it is.
 * A change of any other variable in .bss forbids the checkpoint, so that a variable without a
 * row costs time, never a wrong answer. */
#ifndef MAZUR_RUNTIME_EXECUTION_STATE_H
#define MAZUR_RUNTIME_EXECUTION_STATE_H

#include <stdbool.h>
#include <stddef.h>

struct state_object {
    void *start;
    size_t size;
    bool lasts;
};

#define STATE_OBJECT(name, x, lasting)                                                         \
    static const struct state_object state_of_##name                                           \
        __attribute__((section("state_objects"), aligned(8), used)) = {&(x), sizeof(x),        \
                                                                       lasting}
#define EXECUTION_STATE(x) STATE_OBJECT(x, x, false)
#define LASTING_STATE(x)   STATE_OBJECT(x, x, true)
/* A part of an object: a table of which another part says whether this execution uses it. */
#define LASTING_PART(name, x) STATE_OBJECT(name, x, true)

#endif

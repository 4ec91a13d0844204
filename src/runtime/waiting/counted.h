/* Loops that count their rounds: `for (i = 0; i < 10000; i++) if (flag) return; block();` */
#ifndef MAZUR_RUNTIME_COUNTED_H
#define MAZUR_RUNTIME_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/runtime.h"

void counted_begin(void);
/* Has the search learned such a loop? */
bool counted_learned(void);
/* The thread is at the read at pc of `address` again, in another state. */
void counted_note(struct thread *self, uint64_t pc, uint64_t address);
/* The search gets nowhere, because threads loop. True: it should start over. */
bool counted_learn_stuck(void);
/* Is this read one at which all rounds that are left are run at once? *from: the read with
 * which the last round began. */
bool counted_applies(const struct thread *self, uint64_t pc, uint64_t address, uint32_t *from);
/* schedule_point() for such a read. */
void counted_point(struct op *op, uint32_t from);

/* rt.rushing: the thread is in the rounds that are left. */
bool counted_is_read(uint64_t address, uint64_t pc);
void counted_read(uint64_t address, uint32_t size, int order, uint64_t pc);

/* Is this atomic load a part of these rounds? Then it is no operation. */
static inline bool counted_passes(uint64_t address, uint32_t size, int order, uint64_t pc)
{
    if (LIKELY(!rt.rushing) || !counted_is_read(address, pc))
        return false;
    counted_read(address, size, order, pc);
    return true;
}

/* Is this yield? */
bool counted_passes_yield(void);

#endif

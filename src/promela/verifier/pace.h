/* How often a search checks its limits: about twenty times a second, however slow its states
 * are.
 *
 * A check costs a system call, so with small states there are thousands between two checks; but
 * a thousand vectors of 40 KB take a minute. So the number adapts to the clock. */
#ifndef MAZUR_PROMELA_PACE_H
#define MAZUR_PROMELA_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint64_t next;     /* number of states at which to check again */
    uint32_t interval; /* states between two checks */
    double last;       /* when the last one was */
};

/* Called when it is due: the next one. */
void pace_set_next(struct pace *pace, uint64_t done);

/* Is a check due, after so many states? A zeroed pace is due at the first. */
static inline bool pace_is_due(struct pace *pace, uint64_t done)
{
    if (__builtin_expect(done < pace->next, 1))
        return false;
    pace_set_next(pace, done);
    return true;
}

#endif

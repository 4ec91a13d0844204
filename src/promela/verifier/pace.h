/* How often a search looks at its limits: some twenty times a second, however slow its states
 * are.
 *
 * A look costs a system call, so small states are counted by the thousand between two looks;
 * with vectors of 40 KB a thousand of them take a minute. So the number follows the clock. */
#ifndef MAZUR_PROMELA_PACE_H
#define MAZUR_PROMELA_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint64_t next;     /* number of states at which to look again */
    uint32_t interval; /* states between two looks */
    double last;       /* when the last one was */
};

/* Called when it is due: the next one. */
void pace_set_next(struct pace *pace, uint64_t done);

/* Is it time to look, after so many states? A zeroed pace looks at the first. */
static inline bool pace_is_due(struct pace *pace, uint64_t done)
{
    if (__builtin_expect(done < pace->next, 1))
        return false;
    pace_set_next(pace, done);
    return true;
}

#endif

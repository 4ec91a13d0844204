/* From one bound to the next. See levels.h. */
#include "promela/search/levels.h"

/* After the search with one bound: notes and reports the bound as reached. True: the next bound
 * has something to search. */
static bool level_go_on(struct verifier *v, int bound, level_done *done, void *context)
{
    if (v->truncated || (v->trail.violation != VIOLATION_NONE && !v->options->keep_going))
        return false;
    v->bound_reached = bound;
    if (done)
        done(context, bound, (struct level_result){v->states, v->transitions_seen});
    return v->bound_pruned;
}

bool levels_search(struct verifier *v, int last, bool (*search)(struct verifier *, int),
                   level_done *done, void *context)
{
    for (int bound = 0; last < 0 || bound <= last; bound++) {
        v->errors = 0; /* failures with fewer preemptions are found again */
        v->bound_pruned = search(v, bound);
        if (!level_go_on(v, bound, done, context))
            return false;
    }
    return true;
}

/* From one bound to the next. See levels.h. */
#include "promela/search/levels.h"

bool level_go_on(struct verifier *v, int bound, level_done *done, void *context)
{
    if (v->truncated || (v->trail.violation != VIOLATION_NONE && !v->options->keep_going))
        return false;
    v->bound_reached = bound;
    if (done)
        done(context, bound, (struct level_result){v->states, v->transitions_seen});
    return v->bound_pruned;
}

/* See simulation.h. */
#include "promela/trace/simulation.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/must.h"

static bool open_tracer(struct simulation *s)
{
    s->tracer = allocate(sizeof *s->tracer);
    if (tracer_init(s->tracer, s->verifier, false))
        return true;
    free(s->tracer);
    s->tracer = NULL;
    return false;
}

static void close_tracer(struct simulation *s)
{
    if (s->tracer)
        trace_free(tracer_finish(s->tracer));
    free(s->tracer);
    s->tracer = NULL;
}

bool simulation_open(struct simulation *s, struct verifier *plain)
{
    *s = (struct simulation){.verifier = plain};
    return open_tracer(s);
}

void simulation_close(struct simulation *s)
{
    close_tracer(s);
    trail_free(&s->taken);
}

void simulation_list(struct simulation *s)
{
    struct follow *f = &s->tracer->follow;
    s->choices = s->tracer->fault == 0 ? follow_expand_here(f) : 0;
    s->choice = f->expander.step.list;
}

struct trail_step simulation_step_of(const struct successor *choice)
{
    return (struct trail_step){choice->pid, choice->transition, choice->receive,
                               choice->partner, NO_PARTNER};
}

/* The choices of a process stand together: the first of the process that is the n-th to have
 * any. */
uint32_t simulation_draw(const struct simulation *s, uint64_t *random)
{
    uint32_t processes = 0, first = 0, end;
    must(s->choices > 0);
    for (uint32_t i = 0; i < s->choices; i++)
        processes += i == 0 || s->choice[i].pid != s->choice[i - 1].pid;
    uint32_t wanted = (uint32_t)random_below(random, processes);
    for (uint32_t i = 1; i < s->choices && wanted > 0; i++)
        if (s->choice[i].pid != s->choice[i - 1].pid) {
            first = i;
            wanted--;
        }
    for (end = first; end < s->choices && s->choice[end].pid == s->choice[first].pid;)
        end++;
    return first + (uint32_t)random_below(random, end - first);
}

bool simulation_take(struct simulation *s, const struct trail_step *step)
{
    struct trail_step taken = *step; /* it may stand in what the step overwrites */
    if (s->tracer->fault != 0 || !tracer_take_step(s->tracer, &taken, true))
        return false;
    trail_add(&s->taken, taken);
    return true;
}

bool simulation_back(struct simulation *s, uint32_t count)
{
    uint32_t left = count < s->taken.count ? s->taken.count - count : 0;
    close_tracer(s);
    if (!open_tracer(s))
        return false;
    s->taken.count = 0;
    for (uint32_t i = 0; i < left; i++)
        if (!simulation_take(s, &s->taken.steps[i]))
            return false;
    return true;
}

void simulation_conclude(struct simulation *s, enum violation violation)
{
    tracer_conclude(s->tracer, violation);
}

/* What all searches share: limits, the trail, names of transitions. */
#include "promela/verifier/verifier.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "promela/verifier/live.h"

double verifier_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int verifier_jobs(const struct verifier *verifier)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (verifier->model->uses_c)
        return 1;
    if (verifier->options->jobs > 0)
        return verifier->options->jobs;
    return cores > 1 ? (int)cores : 1;
}

void verifier_truncate(struct verifier *verifier, const char *by)
{
    if (!verifier->truncated)
        verifier->truncated_by = by;
    verifier->truncated = true;
}

const char *verifier_is_over(const struct verifier *verifier)
{
    if (verifier->interrupted && atomic_load(verifier->interrupted))
        return "interrupted";
    if (verifier->options->time > 0 &&
        verifier_clock() - verifier->started > verifier->options->time)
        return "time limit";
    return NULL;
}

bool verifier_must_stop(struct verifier *verifier, uint64_t states)
{
    code_poll(verifier);
    live_show(verifier->live, states, verifier->bytes, verifier_clock() - verifier->started);
    const char *by = verifier_is_over(verifier);
    if (by)
        verifier_truncate(verifier, by);
    return by;
}

const struct transition_info *verifier_transition(const struct verifier *verifier, uint32_t id)
{
    return id < verifier->transition_count ? &verifier->transitions[id] : NULL;
}

void trail_add(struct trail *trail, struct trail_step step)
{
    if (trail->count == trail->room) {
        uint32_t room = trail->room == 0 ? 64 : 2 * trail->room;
        struct trail_step *steps = realloc(trail->steps, room * sizeof *steps);
        if (!steps)
            abort();
        trail->steps = steps;
        trail->room = room;
    }
    trail->steps[trail->count++] = step;
}

void trail_free(struct trail *trail)
{
    free(trail->steps);
    *trail = (struct trail){0};
}

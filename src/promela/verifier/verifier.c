/* What all searches share: limits, the trail, names of transitions. */
#include "promela/verifier/verifier.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host/buffer.h"
#include "promela/verifier/live.h"
#include "promela/verifier/pace.h"

double verifier_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#define PACE_MOST    1024u /* states between two looks at the limits */
#define PACE_SECONDS 0.05

void pace_set_next(struct pace *pace, uint64_t done)
{
    double now = verifier_clock(), passed = now - pace->last;
    if (pace->interval == 0)
        pace->interval = 1;
    else if (passed > PACE_SECONDS)
        pace->interval = (uint32_t)(pace->interval * PACE_SECONDS / passed) + 1;
    else if (passed < PACE_SECONDS / 4 && pace->interval < PACE_MOST)
        pace->interval *= 2;
    pace->last = now;
    pace->next = done + pace->interval;
}

int verifier_jobs(const struct verifier *verifier)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (verifier->model->uses_c || verifier->assumes_few)
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

const char *verifier_why_stop(struct verifier *verifier, uint64_t states)
{
    code_poll(verifier);
    live_show(verifier->live, states, verifier->bytes, verifier_clock() - verifier->started);
    const char *by = verifier_is_over(verifier);
    if (!by && verifier->options->slice > 0 && states > verifier->options->slice)
        by = SLICE_IS_OVER;
    return by;
}

bool verifier_must_stop(struct verifier *verifier, uint64_t states)
{
    const char *by = verifier_why_stop(verifier, states);
    if (by)
        verifier_truncate(verifier, by);
    return by;
}

const struct transition_info *verifier_transition(const struct verifier *verifier, uint32_t id)
{
    return id < verifier->transition_count ? &verifier->transitions[id] : NULL;
}

static bool is_like(const struct trail *t, enum violation violation, uint32_t transition)
{
    return t->violation == violation && t->fault_transition == transition;
}

bool verifier_wants(const struct verifier *v, enum violation violation, uint32_t transition)
{
    if (v->trail.violation == VIOLATION_NONE)
        return true;
    bool known = is_like(&v->trail, violation, transition);
    for (int i = 0; i < v->others && !known; i++)
        known = is_like(&v->other[i], violation, transition);
    return v->options->keep_going && !known && v->others < FAILURES_KEPT - 1;
}

struct trail verifier_set_first_aside(struct verifier *v)
{
    struct trail first = v->trail;
    v->trail = (struct trail){.preemptions = -1};
    return first;
}

void verifier_keep_trail(struct verifier *v, struct trail first)
{
    if (first.violation == VIOLATION_NONE)
        return;
    if (v->trail.violation != VIOLATION_NONE)
        v->other[v->others++] = v->trail;
    else
        trail_free(&v->trail);
    v->trail = first;
}

void trail_add(struct trail *trail, struct trail_step step)
{
    trail->steps = grow_array(trail->steps, &trail->room, trail->count, sizeof *trail->steps);
    trail->steps[trail->count++] = step;
}

void trail_free(struct trail *trail)
{
    free(trail->steps);
    *trail = (struct trail){0};
}

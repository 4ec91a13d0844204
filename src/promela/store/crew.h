/* The threads that search together, and how one of them pauses the others.
 *
 * Workers share tables that are read and filled without locks; a table that must grow is
 * replaced as a whole. This is rare (tables double), so it may be slow, but the check for it
 * must be cheap: every worker calls crew_poll(), a single load, between two states. A worker
 * that replaces a table calls crew_stop_others(), which returns when all others wait in
 * crew_poll() or crew_stop_others(), and crew_resume() afterwards. Long work in between is
 * shared by all.
 *
 * Invariant: a worker holds no pointer into a table that can be replaced across a call of
 * either. */
#ifndef MAZUR_PROMELA_CREW_H
#define MAZUR_PROMELA_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct crew {
    atomic_int size;
    atomic_int pause;     /* some worker wants the others to pause */
    atomic_int parked;    /* how many have paused or left */
    pthread_mutex_t turn; /* held by the one who may change tables */
    pthread_mutex_t guard;
    pthread_cond_t resumed;
    /* under `guard` */
    void (*job)(void *context); /* a job for those that wait, or NULL */
    void *job_context;
    int busy; /* how many are at it */
};

void crew_init(struct crew *crew, int size);
void crew_free(struct crew *crew);
/* Run `body` once per worker, the first in the calling thread. If fewer threads can be
 * started than asked for, `size` becomes smaller; false: there is no memory at all. */
bool crew_run(struct crew *crew, void (*body)(void *context, int worker), void *context);
void crew_stop_others(struct crew *crew);
void crew_resume(struct crew *crew);
/* Between the two: `job` is run by the caller, and by those of the others who wait in
 * crew_poll(), at the same time; it returns when nothing is left to begin. */
void crew_together(struct crew *crew, void (*job)(void *context), void *context);
void crew_park(struct crew *crew);

static inline void crew_poll(struct crew *crew)
{
    if (__builtin_expect(atomic_load_explicit(&crew->pause, memory_order_acquire) != 0, 0))
        crew_park(crew);
}

#endif

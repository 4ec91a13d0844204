/* The threads that search together, and the moments at which one of them has the others stand
 * still.
 *
 * Workers share tables that are read and filled without locks; a table that must grow is
 * replaced as a whole. That is rare (tables double), so it may be slow, and the check for it
 * must be cheap: every worker asks crew_poll() between two states, a single load. Whoever
 * needs to replace something calls crew_stop_others(), which returns when all the others wait
 * in crew_poll() or in crew_stop_others() themselves, and crew_resume() when done. What takes
 * long in between they do together.
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
    atomic_int pause;     /* someone wants the others to stand still */
    atomic_int parked;    /* how many do, or have left */
    pthread_mutex_t turn; /* held by the one who may change tables */
    pthread_mutex_t guard;
    pthread_cond_t resumed;
    /* under `guard` */
    void (*job)(void *context); /* something to do meanwhile, or NULL */
    void *job_context;
    int busy; /* how many are at it */
};

void crew_init(struct crew *crew, int size);
void crew_free(struct crew *crew);
/* Run `body` once per worker, the first in the calling thread. With fewer threads to be had
 * than asked for, `size` becomes smaller; false if there is no memory at all. */
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

/* Threads that can be paused. See crew.h.
 *
 * `pause` and `parked` work as in Dekker's algorithm, both sequentially consistent: a worker
 * that resumes first leaves `parked` and then reads `pause`; the worker that stops the others
 * sets `pause` and then reads `parked`. One of the two notices the other. */
#include "promela/store/crew.h"

#include <sched.h>
#include <stdlib.h>

#include "base/must.h"

struct crew_thread {
    struct crew *crew;
    void (*body)(void *context, int worker);
    void *context;
    int number;
    pthread_t thread;
};

void crew_init(struct crew *crew, int size)
{
    atomic_init(&crew->size, size);
    atomic_init(&crew->pause, 0);
    atomic_init(&crew->parked, 0);
    pthread_mutex_init(&crew->turn, NULL);
    pthread_mutex_init(&crew->guard, NULL);
    pthread_cond_init(&crew->resumed, NULL);
    crew->job = NULL;
    crew->busy = 0;
}

void crew_free(struct crew *crew)
{
    pthread_mutex_destroy(&crew->turn);
    pthread_mutex_destroy(&crew->guard);
    pthread_cond_destroy(&crew->resumed);
}

/* `guard` is held, and released during the job. A worker that returns from the job has seen
 * that nothing of it is left to begin. */
static void do_job(struct crew *crew)
{
    void (*job)(void *context) = crew->job;
    void *context = crew->job_context;
    crew->busy++;
    pthread_mutex_unlock(&crew->guard);
    job(context);
    pthread_mutex_lock(&crew->guard);
    crew->job = NULL;
    if (--crew->busy == 0)
        pthread_cond_broadcast(&crew->resumed);
}

void crew_together(struct crew *crew, void (*job)(void *context), void *context)
{
    pthread_mutex_lock(&crew->guard);
    crew->job = job;
    crew->job_context = context;
    pthread_cond_broadcast(&crew->resumed);
    do_job(crew);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->resumed, &crew->guard);
    pthread_mutex_unlock(&crew->guard);
}

void crew_park(struct crew *crew)
{
    do {
        atomic_fetch_add(&crew->parked, 1);
        pthread_mutex_lock(&crew->guard);
        while (atomic_load(&crew->pause) != 0) {
            if (crew->job)
                do_job(crew);
            else
                pthread_cond_wait(&crew->resumed, &crew->guard);
        }
        pthread_mutex_unlock(&crew->guard);
        atomic_fetch_sub(&crew->parked, 1);
    } while (atomic_load(&crew->pause) != 0);
}

void crew_stop_others(struct crew *crew)
{
    if (atomic_load(&crew->size) == 1)
        return;
    atomic_fetch_add(&crew->parked,
                     1); /* a worker that waits for its turn counts as paused, too */
    pthread_mutex_lock(&crew->turn);
    atomic_store(&crew->pause, 1);
    atomic_fetch_sub(&crew->parked, 1);
    while (atomic_load(&crew->parked) < atomic_load(&crew->size) - 1)
        sched_yield();
}

void crew_resume(struct crew *crew)
{
    if (atomic_load(&crew->size) == 1)
        return;
    must(atomic_load(&crew->pause) != 0); /* crew_stop_others() was called */
    pthread_mutex_lock(&crew->guard);
    atomic_store(&crew->pause, 0);
    pthread_cond_broadcast(&crew->resumed);
    pthread_mutex_unlock(&crew->guard);
    pthread_mutex_unlock(&crew->turn);
}

static void *member_main(void *argument)
{
    struct crew_thread *m = argument;
    m->body(m->context, m->number);
    atomic_fetch_add(&m->crew->parked, 1); /* for good */
    return NULL;
}

bool crew_run(struct crew *crew, void (*body)(void *context, int worker), void *context)
{
    int size = atomic_load(&crew->size), started = 1;
    struct crew_thread *members = calloc((size_t)size, sizeof *members);
    if (!members)
        return false;
    atomic_store(&crew->parked, 0);
    for (; started < size; started++) {
        members[started] = (struct crew_thread){crew, body, context, started, 0};
        if (pthread_create(&members[started].thread, NULL, member_main, &members[started]) != 0)
            break;
    }
    atomic_store(&crew->size, started); /* perhaps fewer: the work gets done all the same */
    members[0] = (struct crew_thread){crew, body, context, 0, 0};
    member_main(&members[0]);
    for (int i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
    return true;
}

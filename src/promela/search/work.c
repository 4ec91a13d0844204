/* Hand-over of work between workers. See work.h. */
#include "promela/search/work.h"

#include <stdlib.h>
#include <time.h>

#include "base/must.h"

void work_init(struct work *pool, struct crew *crew)
{
    pool->crew = crew;
    pool->first = NULL;
    atomic_init(&pool->hungry, 0);
    atomic_init(&pool->over, false);
    pthread_mutex_init(&pool->lock, NULL);
}

void work_free(struct work *pool)
{
    for (struct portion *p = pool->first, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    pool->first = NULL;
    pthread_mutex_destroy(&pool->lock);
}

void work_give(struct work *pool, struct portion *portion)
{
    must(portion->count > 0 && portion->count <= WORK_PORTION);
    pthread_mutex_lock(&pool->lock);
    portion->next = pool->first;
    pool->first = portion;
    pthread_mutex_unlock(&pool->lock);
}

static struct portion *try_take(struct work *pool, bool *counted)
{
    pthread_mutex_lock(&pool->lock);
    struct portion *portion = pool->first;
    if (portion) {
        pool->first = portion->next;
        if (*counted)
            atomic_fetch_sub(&pool->hungry, 1);
        *counted = false;
    } else if (!*counted) {
        *counted = true;
        if (atomic_fetch_add(&pool->hungry, 1) + 1 == atomic_load(&pool->crew->size))
            atomic_store(&pool->over, true);
    }
    pthread_mutex_unlock(&pool->lock);
    return portion;
}

struct portion *work_take(struct work *pool, const atomic_bool *stop)
{
    bool counted = false;
    for (int turn = 0; !atomic_load(&pool->over) && !atomic_load(stop); turn++) {
        struct portion *portion = try_take(pool, &counted);
        if (portion)
            return portion;
        crew_poll(pool->crew);
        if (turn > 100) { /* the work can't be split: leave the core to others */
            struct timespec nap = {0, 50000};
            nanosleep(&nap, NULL);
        }
    }
    return NULL;
}

/* Work that one worker has too much of and another lacks.
 *
 * Each worker keeps its own stack; one that runs out says so (`hungry`), and the next one that
 * looks gives it the oldest part of its stack, which mostly stands for the largest part of what
 * is left. The search is over when all are hungry and nothing lies here. */
#ifndef MAZUR_PROMELA_POOL_H
#define MAZUR_PROMELA_POOL_H

#include "promela/crew.h"
#include "promela/step.h"

#define POOL_PORTION 2048u

struct portion {
    struct portion *next;
    u32 count;
    u64 items[POOL_PORTION];
};

struct pool {
    struct crew *crew;
    pthread_mutex_t lock;
    struct portion *first;
    atomic_int hungry;
    atomic_bool over;
};

void pool_init(struct pool *pool, struct crew *crew);
void pool_free(struct pool *pool);
/* The pool owns the portion from now on. */
void pool_give(struct pool *pool, struct portion *portion);
/* Wait for work; NULL: the search is over (or `stop` was set). The caller frees it. */
struct portion *pool_take(struct pool *pool, const atomic_bool *stop);

static inline bool pool_wanted(struct pool *pool)
{
    return atomic_load_explicit(&pool->hungry, memory_order_relaxed) > 0;
}

#endif

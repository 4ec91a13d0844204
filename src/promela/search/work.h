/* How busy workers share work with idle ones.
 *
 * Each worker keeps its own stack. One that runs out of work says so (`hungry`), and the next
 * one that notices gives away the oldest part of its stack, which usually leads to most of the
 * remaining work. The search is over when all are hungry and no portion is waiting. */
#ifndef MAZUR_PROMELA_WORK_H
#define MAZUR_PROMELA_WORK_H

#include "promela/code/step.h"
#include "promela/store/crew.h"

#define WORK_PORTION 2048u

struct portion {
    struct portion *next;
    uint32_t count;
    uint64_t items[WORK_PORTION];
};

struct work {
    struct crew *crew;
    pthread_mutex_t lock;
    struct portion *first;
    atomic_int hungry;
    atomic_bool over;
};

void work_init(struct work *pool, struct crew *crew);
void work_free(struct work *pool);
/* The pool takes ownership of the portion. */
void work_give(struct work *pool, struct portion *portion);
/* Wait for work; NULL: the search is over (or `stop` was set). The caller frees it. */
struct portion *work_take(struct work *pool, const atomic_bool *stop);

static inline bool work_wanted(struct work *pool)
{
    return atomic_load_explicit(&pool->hungry, memory_order_relaxed) > 0;
}

#endif

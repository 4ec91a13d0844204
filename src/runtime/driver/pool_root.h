/* The first page of the pool's segment tells a restarted child where the search is. The table
 * of atomic objects follows, then the pools, one for each start of the search. With --jobs the
 * second half of the segment is divided among the leaves that this child has begun: each has a
 * search with a pool of its own, so that it can continue with the next bound. */
#ifndef MAZUR_RUNTIME_POOL_ROOT_H
#define MAZUR_RUNTIME_POOL_ROOT_H

#include <stdint.h>

#define LEAVES_BEGUN 32

struct begun_leaf {
    uint32_t number;
    int32_t bound;         /* that it has finished */
    struct search *search; /* NULL: the place is free */
    struct pool *pool;
};

struct pool_root {
    struct search *search;
    struct pool *pool;
    uint64_t used;                        /* bytes of the segment handed out */
    struct begun_leaf leaf[LEAVES_BEGUN]; /* leaf[0] lives in `pool` while it is the first */
    uint32_t current;                     /* the one that is being searched */
};

#endif

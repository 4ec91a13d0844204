/* How messages travel between the ranks of a spread search: a seam, so that the search does not
 * know MPI and is tested without it.
 *
 * Messages of one rank to another arrive in the order in which they were sent. Nothing blocks:
 * a search that can't send continues to receive, so no two ranks ever wait for each other. */
#ifndef MAZUR_PROMELA_TRANSPORT_H
#define MAZUR_PROMELA_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spread_net {
    int rank, ranks;
    void *context;
    /* Is so much under way to that rank that further messages should wait? */
    bool (*busy)(void *context, int to);
    /* Copies the bytes; never refuses. */
    void (*send)(void *context, int to, const void *bytes, size_t size);
    /* The next message, valid until the next call; NULL: there is none now. */
    const uint8_t *(*receive)(void *context, int *from, size_t *size);
};

#endif

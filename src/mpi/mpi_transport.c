/* See mpi_transport.h. */
#include "mpi/mpi_transport.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/must.h"

#define TAG         7
#define MOST_AT_ONE 2     /* large messages to one rank before it counts as busy */
#define LARGE       16384 /* bytes */
#define REST        200000L

struct parcel {
    struct parcel *next;
    MPI_Request request;
    int to;
    bool large;
    uint8_t bytes[];
};

bool mpi_transport_init(struct mpi_transport *m)
{
    *m = (struct mpi_transport){0};
    must(MPI_Comm_dup(MPI_COMM_WORLD, &m->all) == MPI_SUCCESS);
    MPI_Comm_rank(m->all, &m->rank);
    MPI_Comm_size(m->all, &m->ranks);
    m->under_way = calloc((size_t)m->ranks, sizeof *m->under_way);
    return m->under_way;
}

void mpi_transport_free(struct mpi_transport *m)
{
    must(!m->parcels);
    MPI_Comm_free(&m->all);
    free(m->under_way);
    free(m->arrived);
}

static void put_away_parcels(struct mpi_transport *m)
{
    for (struct parcel **at = &m->parcels; *at;) {
        struct parcel *parcel = *at;
        int done = 0;
        MPI_Test(&parcel->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &parcel->next;
            continue;
        }
        m->under_way[parcel->to] -= parcel->large;
        *at = parcel->next;
        free(parcel);
    }
}

static bool is_busy(void *context, int to)
{
    struct mpi_transport *m = context;
    if (m->under_way[to] >= MOST_AT_ONE)
        put_away_parcels(m);
    return m->under_way[to] >= MOST_AT_ONE;
}

static void send_parcel(void *context, int to, const void *bytes, size_t size)
{
    struct mpi_transport *m = context;
    struct parcel *parcel = malloc(sizeof *parcel + size);
    must(parcel && size <= (size_t)1 << 30);
    *parcel = (struct parcel){.next = m->parcels, .to = to, .large = size >= LARGE};
    memcpy(parcel->bytes, bytes, size);
    m->under_way[to] += parcel->large;
    m->parcels = parcel;
    MPI_Isend(parcel->bytes, (int)size, MPI_BYTE, to, TAG, m->all, &parcel->request);
}

static const uint8_t *receive_parcel(void *context, int *from, size_t *size)
{
    struct mpi_transport *m = context;
    MPI_Message message;
    MPI_Status status;
    int found = 0, count = 0;
    put_away_parcels(m);
    MPI_Improbe(MPI_ANY_SOURCE, TAG, m->all, &found, &message, &status);
    if (!found)
        return NULL;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if ((size_t)count > m->room) {
        m->room = (size_t)count * 2;
        free(m->arrived);
        m->arrived = malloc(m->room);
        must(m->arrived);
    }
    MPI_Mrecv(m->arrived, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    *from = status.MPI_SOURCE;
    *size = (size_t)count;
    return m->arrived;
}

struct spread_net mpi_transport(struct mpi_transport *m)
{
    return (struct spread_net){m->rank, m->ranks, m, is_busy, send_parcel, receive_parcel};
}

bool mpi_transport_is_empty(struct mpi_transport *m)
{
    put_away_parcels(m);
    return !m->parcels;
}

void mpi_rest(void)
{
    nanosleep(&(struct timespec){0, REST}, NULL);
}

void mpi_wait(MPI_Request *request)
{
    int done = 0;
    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(request, &done, MPI_STATUS_IGNORE))
        mpi_rest();
}

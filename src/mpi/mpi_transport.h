/* Messages between ranks by MPI-3.1, without waiting for anything.
 *
 * Blocking calls of MPI keep a processor busy while they wait. So nothing here blocks: whatever
 * has not arrived yet is checked again after a short sleep. */
#ifndef MAZUR_MPI_TRANSPORT_H
#define MAZUR_MPI_TRANSPORT_H

#include <mpi.h>

#include "promela/spread/transport.h"

struct mpi_transport {
    MPI_Comm all;
    int rank, ranks;
    struct parcel *parcels; /* under way */
    int *under_way;         /* by rank: large ones */
    uint8_t *arrived;
    size_t room;
};

bool mpi_transport_init(struct mpi_transport *m);
void mpi_transport_free(struct mpi_transport *m);
struct spread_net mpi_transport(struct mpi_transport *m);
/* Has everything been handed over to MPI? */
bool mpi_transport_is_empty(struct mpi_transport *m);

void mpi_rest(void);
/* Waits for the request, asleep most of the time. */
void mpi_wait(MPI_Request *request);

#endif

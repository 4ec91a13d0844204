/* `mazur-mpi check` and `run`: the parts of a search (--shard) over the ranks of a job. */
#ifndef MAZUR_MPI_PARTS_H
#define MAZUR_MPI_PARTS_H

#include "mpi/mpi_transport.h"
#include "mpi/part_words.h"

/* Called on every rank; the exit code, which counts on rank 0. */
int mpi_search_parts(struct mpi_transport *transport, const struct part_words *words);

#endif

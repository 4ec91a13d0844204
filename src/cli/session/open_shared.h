/* The two segments of shared memory (board/parent.h) for a child, in spite of a limit on file
 * sizes where that can be lifted: they are memory, but the kernel counts them as files when
 * they are made. */
#ifndef MAZUR_CLI_OPEN_SHARED_H
#define MAZUR_CLI_OPEN_SHARED_H

#include "board/parent.h"

/* False after a message, with errno set. */
bool open_shared(struct shared *shared);

#endif

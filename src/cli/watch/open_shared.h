/* Makes the two segments of shared memory (board/parent.h) for a child. They are memory, but
 * the kernel counts them as files when they are made, so a limit on file sizes is lifted for
 * this if possible. */
#ifndef MAZUR_CLI_OPEN_SHARED_H
#define MAZUR_CLI_OPEN_SHARED_H

#include "board/parent.h"

/* False after a message, with errno set. */
bool open_shared(struct shared *shared);

#endif

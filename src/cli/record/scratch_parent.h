/* --scratch: a directory of our own inside DIR, in which each execution gets a fresh one. */
#ifndef MAZUR_CLI_SCRATCH_H
#define MAZUR_CLI_SCRATCH_H

#include <stdbool.h>

#include "board/board.h"

/* Make it, inside `parent` (NULL: where temporary files go), and fill in config->scratch and
 * config->isolate. False after a message. */
bool scratch_open(const char *parent, struct board_config *config);
/* Remove it, with what an execution that died may have left there. */
void scratch_close(const struct board_config *config);

#endif

/* Names in options (--preempt-only, --no-preempt, --visible), looked up for a child that has
 * loaded its modules and waits for the answer (runtime/core/places.c). */
#ifndef MAZUR_CLI_PLACES_H
#define MAZUR_CLI_PLACES_H

#include "board/parent.h"
#include "cli/options/options.h"

/* The names of the options as the configuration takes them. False after a message. */
bool places_configure(const struct options *options, struct board_config *config);
/* Fill in the board's places. False after a message that names what was not found. */
bool places_answer(struct shared *shared);
/* The board already has this many places. */
void places_keep(struct shared *shared, uint32_t nplaces);

#endif

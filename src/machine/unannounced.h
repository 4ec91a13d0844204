/* Finds the accesses of a program that its compiler does not announce (announce.h), function by
 * function. */
#ifndef MAZUR_MACHINE_UNANNOUNCED_H
#define MAZUR_MACHINE_UNANNOUNCED_H

#include "debuginfo/symbolise.h"
#include "machine/announce.h"

/* Reports the findings in an instrumented module, except in functions of --visible, whose
 * accesses are seen anyway. False: some code could not be analysed. */
bool unannounced_of_module(const struct board *board, struct symboliser *symboliser,
                           uint32_t module, announce_found *found, void *context);
/* Adds those that can be interrupted to board->site, as many as there is room for. */
void unannounced_make_visible(struct board *board, struct symboliser *symboliser);
/* Is the code at this address, a function's start, in one of --visible? */
bool is_made_visible(const struct board *board, uint64_t address);

#endif

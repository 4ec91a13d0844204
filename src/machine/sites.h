/* The instructions that Mazur interrupts: where functions of --visible access memory, and where
 * instrumented code does so unannounced. */
#ifndef MAZUR_MACHINE_SITES_H
#define MAZUR_MACHINE_SITES_H

#include "debuginfo/resolve.h"

/* A library given by its file name stands for all of its code. Returns the number of ranges. */
size_t sites_whole_module(const struct board *board, const char *name, resolve_found *found,
                          void *context);
/* Decodes the places of --visible into board->site, and adds the unannounced accesses of
 * instrumented code. Returns what went wrong, malloc'd, or NULL. */
char *sites_find(struct board *board, struct symboliser *symboliser);

#endif

/* The instructions of --visible: where the named functions access memory. */
#ifndef MAZUR_CLI_SITES_H
#define MAZUR_CLI_SITES_H

#include "report/resolve.h"

/* A library given by its file name stands for all of its code. Returns the number of ranges. */
size_t sites_whole_module(const struct board *board, const char *name, resolve_found *found,
                          void *context);
/* The functions of the program with atomic instructions that nothing makes visible: inline
 * assembly, or code linked in without instrumentation. Their names, malloc'd and joined; NULL:
 * there is none. */
char *sites_unseen(const struct board *board);
/* Decode the places of --visible into board->site. False after a message. */
bool sites_find(struct board *board);

#endif

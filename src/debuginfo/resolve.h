/* From names to addresses, the inverse of symbolise.h. For options
 * that name a function, a source file or a variable of the program under test. */
#ifndef MAZUR_DEBUGINFO_RESOLVE_H
#define MAZUR_DEBUGINFO_RESOLVE_H

#include "debuginfo/symbolise.h"

/* Called for each range [start, end) of addresses that the name refers to. */
typedef void resolve_found(void *context, enum board_place_kind kind, uint64_t start,
                           uint64_t end);

/* A name is a function ("push", "Queue::push": all its copies, inlined ones, too), otherwise a
 * variable ("count", "q.head", "slots[2]"), otherwise a source file ("queue.c", matched by the
 * end of its path: all code from that file). Returns the number of ranges; 0: nothing has that
 * name. */
size_t resolve_name(struct symboliser *symboliser, const char *name, resolve_found *found,
                    void *context);
/* Functions only. */
size_t resolve_function(struct symboliser *symboliser, const char *name, resolve_found *found,
                        void *context);
/* Source files only. */
size_t resolve_file(struct symboliser *symboliser, const char *name, resolve_found *found,
                    void *context);

#endif

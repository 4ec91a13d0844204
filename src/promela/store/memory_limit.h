/* How much memory a search may use by default. A search takes all memory that it can get, so it
 * must stop before the system kills it. */
#ifndef MAZUR_PROMELA_MEMORY_LIMIT_H
#define MAZUR_PROMELA_MEMORY_LIMIT_H

#include <stddef.h>

/* Three quarters of the machine, or of the memory that this process's control group (version 1
 * or 2, each group above it too) may use if that is less; and not more than nine tenths of what
 * is available now. `root` is put before every path that is read: "" but in tests. */
size_t memory_for_states(const char *root);

#endif

/* How this process finds its board (attach.c). */
#ifndef MAZUR_RUNTIME_ATTACH_H
#define MAZUR_RUNTIME_ATTACH_H

#include <stdint.h>

/* Finds out, once, whether this process is controlled. Safe to call from the first malloc
 * on. */
void start_attach(void);
/* The size of rt.pool_segment in bytes. */
uint64_t attach_pool_bytes(void);
/* Removes Mazur's variables from the environment, so that the program does not see them. */
void attach_scrub_environment(void);

#endif

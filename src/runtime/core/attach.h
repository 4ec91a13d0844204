/* How this process comes to its board (attach.c). */
#ifndef MAZUR_RUNTIME_ATTACH_H
#define MAZUR_RUNTIME_ATTACH_H

#include <stdint.h>

/* Is this process controlled? Finds out once; safe from the first malloc on. */
void start_attach(void);
/* How many bytes rt.pool_segment has. */
uint64_t attach_pool_bytes(void);
/* The program shall not see how it was started. */
void attach_scrub_environment(void);

#endif

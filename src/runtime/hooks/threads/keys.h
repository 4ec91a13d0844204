/* Thread-specific data (key.c). */
#ifndef MAZUR_RUNTIME_KEYS_H
#define MAZUR_RUNTIME_KEYS_H

#include <stdbool.h>
#include <stdint.h>

void keys_snapshot(void); /* the state now is the initial one */
void keys_begin(void);    /* of an execution */
void keys_begin_uses(void);
void keys_run_destructors(void);
/* Is it a key that is deleted while another thread may use it? Then that has been seen to. */
bool keys_race(uint64_t address);

#endif

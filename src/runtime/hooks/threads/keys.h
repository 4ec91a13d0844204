/* Thread-specific data (key.c). */
#ifndef MAZUR_RUNTIME_KEYS_H
#define MAZUR_RUNTIME_KEYS_H

#include <stdbool.h>
#include <stdint.h>

void keys_snapshot(void); /* make the present state the initial one */
void keys_begin(void);    /* start of an execution */
void keys_begin_uses(void);
void keys_run_destructors(void);
/* Is this race one between deleting a key and using it? Then this call has handled it. */
bool keys_race(uint64_t address);

#endif

/* State of the process (process.c, mapping.c, thread_settings.c, shared.c). */
#ifndef MAZUR_RUNTIME_PROCESS_H
#define MAZUR_RUNTIME_PROCESS_H

#include <stdbool.h>

void process_begin(void); /* of an execution */
void settings_begin(void);
void mappings_begin(void);
bool mappings_changed(void); /* has this execution mapped anything? */
void mappings_restore(void); /* unmap what the execution mapped */

#endif

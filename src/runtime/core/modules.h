/* The modules of the process: executable and libraries (modules.c). */
#ifndef MAZUR_RUNTIME_MODULES_H
#define MAZUR_RUNTIME_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* Adds the loaded modules to the board, except for those that are already there. */
void modules_note(void);
/* A hash of their addresses. */
uint64_t modules_layout(void);
/* Is pc in a module that was compiled with instrumentation? */
bool module_instrumented(uint64_t pc);

/* Does the call come from the language's support libraries, for their own purposes? */
bool is_language_support(uint64_t pc);

#endif

/* The modules of the process: executable and libraries (modules.c). */
#ifndef MAZUR_RUNTIME_MODULES_H
#define MAZUR_RUNTIME_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* Put the modules that are loaded on the board, but for those that are there. */
void modules_note(void);
/* A hash of where they lie. */
uint64_t modules_layout(void);
/* Does pc lie in a module that was compiled with instrumentation? */
bool module_instrumented(uint64_t pc);

/* Does the call come from the language's support libraries, about their own affairs? */
bool is_language_support(uint64_t pc);

#endif

/* --visible: accesses to memory of functions that nothing instrumented. */
#ifndef MAZUR_RUNTIME_TRAPS_H
#define MAZUR_RUNTIME_TRAPS_H

#include <stdint.h>

/* Replace the instructions that the command has found (board->site) by traps. Once, before the
 * program's main. */
void traps_install(void);
/* The program's instruction behind a code address, which may be in a copy made for a trap. */
uint64_t traps_program_pc(uint64_t pc);

#endif

/* Interrupted instructions of the program: accesses of uninstrumented functions (--visible),
 * and unannounced accesses of instrumented code. */
#ifndef MAZUR_RUNTIME_TRAPS_H
#define MAZUR_RUNTIME_TRAPS_H

#include <stdint.h>

/* Replaces the instructions that the command has found (board->site) with traps. Called once,
 * before the program's main. */
void traps_install(void);
/* While rt.watches_stacks is set: a thread accesses this address. If it is on another thread's
 * stack, the functions of that thread must be interrupted where they access their variables,
 * from the beginning of the search. Then the search starts over. */
void traps_watch_stack(uint64_t address);
/* The program's instruction for a code address, which may be in a copy made for a trap. */
uint64_t traps_program_pc(uint64_t pc);

#endif

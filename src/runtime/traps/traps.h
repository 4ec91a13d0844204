/* Instructions of the program that are interrupted: accesses of functions that nothing
 * instrumented (--visible), and those that instrumented code does not announce. */
#ifndef MAZUR_RUNTIME_TRAPS_H
#define MAZUR_RUNTIME_TRAPS_H

#include <stdint.h>

/* Replace the instructions that the command has found (board->site) by traps. Once, before the
 * program's main. */
void traps_install(void);
/* While rt.watches_stacks is set: a thread accesses this address. If it is on another's stack,
 * that one's functions must be interrupted where they access their variables, from the
 * beginning of the search; then it starts over. */
void traps_watch_stack(uint64_t address);
/* The program's instruction behind a code address, which may be in a copy made for a trap. */
uint64_t traps_program_pc(uint64_t pc);

#endif

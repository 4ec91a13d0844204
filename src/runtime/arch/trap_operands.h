/* Which memory an interrupted instruction is about to access, computed from the thread's
 * registers at the time of the signal. */
#ifndef MAZUR_RUNTIME_TRAP_OPERANDS_H
#define MAZUR_RUNTIME_TRAP_OPERANDS_H

#include <ucontext.h>

#include "board/board.h"

/* Called once: finds out where this processor puts vector registers in a signal frame. */
void trap_operands_init(void);
/* The value of a general register, by the processor's numbering. */
uint64_t trap_register(const ucontext_t *context, uint8_t number);
void trap_set_register(ucontext_t *context, uint8_t number, uint64_t value);
/* The address of the operand in memory; for lanes and repetitions, of the first. */
uint64_t trap_operand(const struct board_site *site, const ucontext_t *context);

typedef void trap_access(uint64_t address, uint64_t size, uint64_t pc);

/* Calls back for each range of memory that it reads, then for each that it writes. */
void trap_each_access(const struct board_site *site, const ucontext_t *context,
                      trap_access *read, trap_access *write);

#endif

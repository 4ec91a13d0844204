/* Calls that are known but not modelled (refused.c). */
#ifndef MAZUR_RUNTIME_REFUSED_H
#define MAZUR_RUNTIME_REFUSED_H

#include <stdint.h>

/* An error that names the call and says why. */
void refuse_call(const char *call, const char *why, uint64_t pc);
/* syscall(2) with a number that must not go through: an error that names it. */
void refuse_syscall(long number, uint64_t pc);

#endif

/* Random small programs (small.h), and the smallest of those that still show a difference. */
#ifndef MAZUR_FUZZ_SMALL_GENERATE_H
#define MAZUR_FUZZ_SMALL_GENERATE_H

#include <stdbool.h>
#include <stdio.h>

#include "small.h"

/* The program of a seed; `lifetimes`: one that destroys mutexes and frees semaphores. */
void generate(uint64_t seed, bool lifetimes, struct program *program);

/* Leave out what can be left out while fails() holds. */
typedef bool still_fails(const struct program *program, void *argument);
void shrink(struct program *program, still_fails *fails, void *argument);

/* The program as a C file of its own (small_print.c). */
void print_as_c(const struct program *program, FILE *file);

#endif

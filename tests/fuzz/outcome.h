/* What the random programs whose outcomes are compared have in common (random_outcomes.c,
 * random_events.c, random_cxx.cpp): a generator of numbers, a hash of everything that a thread
 * was told, and the file $OUTCOMES, to which each execution that ends appends one line.
 *
 * The lines are written by system calls that Mazur does not see (outcome_call.c), so they
 * change nothing. */
#ifndef MAZUR_FUZZ_OUTCOME_H
#define MAZUR_FUZZ_OUTCOME_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "outcome_call.h"

static uint64_t outcome_state;
static const char *outcome_file;

static inline void outcome_seed(const char *text)
{
    outcome_state = strtoull(text, NULL, 10) * 2654435761u + 1;
}

static inline unsigned draw(unsigned below)
{
    outcome_state =
        outcome_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(outcome_state >> 33) % below;
}

/* The arguments of a generator: [SEED [SIZE [KINDS [print]]]]. Makes the program; false: it was
 * only to be printed. */
static inline bool outcome_program(int argc, char **argv, unsigned most,
                                   void (*choose_kinds)(const char *kinds),
                                   void (*make_program)(unsigned size), void (*print)(void))
{
    unsigned size = argc > 2 ? (unsigned)atoi(argv[2]) : 3;
    outcome_seed(argc > 1 ? argv[1] : "0");
    draw(2);
    choose_kinds(argc > 3 ? argv[3] : "all");
    make_program(size > most ? most : size);
    outcome_file = getenv("OUTCOMES");
    if (argc > 4)
        print();
    return argc <= 4;
}

/* Append one line of 16 digits and a letter to the file of outcomes. */
static inline void report(char what, uint64_t value)
{
    char line[18];
    if (!outcome_file)
        return;
    line[0] = what;
    for (int i = 0; i < 16; i++)
        line[1 + i] = "0123456789abcdef"[value >> (4 * i) & 15];
    line[17] = '\n';
    long fd = outcome_call(SYS_open, (long)outcome_file, O_WRONLY | O_APPEND | O_CREAT, 0600);
    outcome_call(SYS_write, fd, (long)line, sizeof line);
    outcome_call(SYS_close, fd, 0, 0);
}

static inline uint64_t outcome_mix(uint64_t seen, uint64_t value)
{
    seen = (seen ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return seen ^ seen >> 29;
}

#endif

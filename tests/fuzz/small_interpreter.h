/* All that a small program (small.h) can do, enumerated without Mazur and without its code.
 *
 * States are visited in the order of the least number of preemptions with which they are
 * reached, each once: a state holds everything that decides the future, the thread that ran
 * last included. Plain accesses are no steps of their own; two that nothing orders (vector
 * clocks are part of the state) end the execution as a data race, with `races`; without, the
 * accesses to variables that race become steps, and all begins again. */
#ifndef MAZUR_FUZZ_SMALL_INTERPRETER_H
#define MAZUR_FUZZ_SMALL_INTERPRETER_H

#include <stdbool.h>

#include "small.h"

enum verdict { DEADLOCK, ASSERTION, MISUSE, RACE, BAD_EXIT, MEMORY, VERDICTS };
extern const char *const verdict_names[VERDICTS]; /* as Mazur's JSON has them */

#define OUTCOMES_MAX 4096
#define NEVER        255

struct result {
    bool too_large; /* more states or outcomes than wanted: nothing else counts */
    int states;
    uint8_t least[VERDICTS]; /* preemptions of the verdict, NEVER: it does not occur */
    int outcomes;
    uint64_t outcome[OUTCOMES_MAX]; /* sorted */
};

void interpret(const struct program *program, bool races, int most_states,
               struct result *result);

#endif

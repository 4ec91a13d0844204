/* What is said of an execution that goes wrong (crash.c, deadlock.c, race_report.c). */
#ifndef MAZUR_RUNTIME_FAULTS_H
#define MAZUR_RUNTIME_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/race/race.h"

/* Handlers for faults, and for the hang check that the parent asks for. */
void crash_init(void);
/* What to say to someone whose thread loops at pc without an operation. */
const char *hang_text(uint64_t pc);

void failure_deadlock(void) __attribute__((noreturn));
/* Are there threads that can never go on, although the process is about to end: waiting for each
 * other's locks, or for one whose owner has ended? */
bool failure_stuck_for_ever(void);
void failure_threads(void);
/* What failed in the execution that just ended, as a number: the same for the same kind of
 * failure at the same place. 0: nothing. */
uint64_t failure_identity(void);

/* Two accesses race. Returns where that is allowed. */
void report_race(const struct race_pair *pair);

#endif

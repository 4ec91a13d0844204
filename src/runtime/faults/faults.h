/* How an execution that goes wrong is reported (crash.c, deadlock.c, race_report.c). */
#ifndef MAZUR_RUNTIME_FAULTS_H
#define MAZUR_RUNTIME_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/race/race.h"

/* Installs the handlers for faults and for the hang check that the parent asks for. */
void crash_init(void);
/* The message for a thread that loops at pc without an operation. */
const char *hang_text(uint64_t pc);

void failure_deadlock(void) __attribute__((noreturn));
/* The process is about to end. Are there threads that can never continue, because they wait for
 * each other's locks, or for a lock whose owner has ended? */
bool failure_stuck_for_ever(void);
void failure_threads(void);
/* A number for what failed in the execution that just ended: the same for the same kind of
 * failure at the same place. 0: nothing failed. */
uint64_t failure_identity(void);

/* Two accesses race. Returns only if the race is not a failure. */
void report_race(const struct race_pair *pair);

#endif

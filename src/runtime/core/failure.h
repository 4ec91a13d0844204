/* Failures, written to the board, and what weakens the claim (failure.c). */
#ifndef MAZUR_RUNTIME_FAILURE_H
#define MAZUR_RUNTIME_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "explore/claim/limits.h"

struct thread;

struct failure_details {
    uint64_t pc;
    uint64_t address;
    int signal;
    int status;
    int line; /* of a failed assertion, from its message */
};
/* Reports a failure of the current thread and ends the execution. */
void failure_raise(enum failure_kind kind, const struct failure_details *details,
                   const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));
/* Only fills in the board's entry; the caller ends the execution. */
void failure_note(enum failure_kind kind, const struct failure_details *details,
                  const char *format, ...) __attribute__((format(printf, 3, 4)));
/* FAILURE_MISUSE of an object, for instance of a mutex. */
void failure_misuse(const volatile void *object, uint64_t pc, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
void failure_memory(const char *what, uint64_t address, uint64_t size, bool write, uint64_t pc);
/* The memory ends too early. */
void failure_memory_ends(const char *what, uint64_t base, uint64_t size, uint64_t pc);
void failure_leaks(void);
/* Before main nothing can be explored: gives the cause and ends the process. */
void failure_before_main(const char *what) __attribute__((noreturn));
/* The state of `period` steps ago has come back, and every thread that could run took part.
 * Period 0: the execution does not end within a fair bound. */
void failure_endless(uint32_t period) __attribute__((noreturn));
/* Called after search_end: keeps the failure of the execution that just ended. */
void failure_keep(void);
/* Has the execution failed? */
bool failure_is_pending(void);
/* The execution's failure is not kept. */
void failure_forget(void);
struct board_failure *failure_current(void);

uint32_t failure_stack_here(struct board_stack *out);
void failure_access_context(struct board_access *access);
/* Raises a reason that weakens the claim: a row of explore/claim/claim_reasons.def. `detail`
 * may be NULL. */
void raise_reason(enum claim_reason reason, const char *detail);
void failure_uncontrolled(const char *name); /* REASON_UNCONTROLLED */
void limit_reached(enum limit limit);        /* a row of explore/claim/limits.def */
void stack_capture(struct thread *thread, uint64_t pc, struct board_stack *out);

#endif

/* The functions of <mazur.h>, for a program that runs under Mazur: strong definitions of the
 * header's weak references. If the process is not under control, each does what the header does
 * without a library. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/language/language.h"
#include "runtime/waiting/look_ahead.h"

#define INVARIANTS_MAX 32

static struct {
    int (*function)(void *);
    void *argument;
} invariants[INVARIANTS_MAX];
static uint32_t ninvariants;

EXPORT int mazur_rt_choose(int n);
EXPORT void mazur_rt_assume(int condition, const char *text, const char *file, int line);
EXPORT void mazur_rt_assert_fail(const char *text, const char *file, int line);
EXPORT void mazur_rt_yield(void);
EXPORT void mazur_rt_atomic(int begin);
EXPORT void mazur_rt_no_preempt(int begin);
EXPORT void mazur_rt_label(const char *text);
EXPORT void mazur_rt_invariant(int (*function)(void *), void *argument);
EXPORT void mazur_rt_name(const void *address, size_t size, const char *text);
EXPORT int mazur_rt_running(void);

void invariants_begin(void)
{
    ninvariants = 0;
    rt.has_invariants = false;
}

/* The invariant reads the program's memory at a moment when no thread is in the middle of an
 * operation; its own accesses are not part of the program. */
void invariants_check(void)
{
    for (uint32_t i = 0; i < ninvariants; i++)
        if (!invariants[i].function(invariants[i].argument))
            failure_raise(FAILURE_ASSERTION,
                          &(struct failure_details){
                              .pc = rt.pos.done ? rt.pos.done->pc : 0,
                              .address = (uint64_t)(uintptr_t)invariants[i].function},
                          "invariant %u does not hold", i + 1);
}

int mazur_rt_choose(int n)
{
    if (!under_control() || n <= 1)
        return 0;
    if (rt.pos.depth == 0) { /* a choice belongs to the step before it: none here */
        struct op op = op_make(OP_CHOOSE, 0, NULL, CALLER);
        schedule_point(&op);
        schedule_done(&op);
    }
    int value = schedule_choose(n);
    spin_progress(rt.self);
    return value;
}

void mazur_rt_assume(int condition, const char *text, const char *file, int line)
{
    (void)text;
    (void)file;
    (void)line;
    if (UNLIKELY(rt.looking_ahead) && !condition)
        look_ahead_at_assume();
    if (condition || rt.looking_ahead || !under_control())
        return;
    look_ahead_learn_assume(rt.self);
    schedule_end(OUTCOME_ASSUME_FAILED);
}

void mazur_rt_assert_fail(const char *text, const char *file, int line)
{
    if (under_control())
        failure_raise(FAILURE_ASSERTION, &(struct failure_details){.pc = CALLER},
                      "assertion `%s' failed", text);
    fprintf(stderr, "%s:%d: assertion `%s' failed\n", file, line, text);
    abort();
}

void mazur_rt_yield(void)
{
    if (!under_control()) {
        sched_yield();
        return;
    }
    struct op op = op_make(OP_YIELD, OP_YIELDS, NULL, CALLER);
    schedule_visible(&op);
}

/* The outermost mazur_atomic_begin is an operation: other threads may run before it, but not
 * between the section's invisible code and its first operation. */
static void change_depth(int *depth, int begin, uint64_t pc)
{
    if (begin && rt.self->atomic == 0 && rt.self->no_preempt == 0) {
        struct op op = op_make(OP_SECTION, OP_GLOBAL, NULL, pc);
        schedule_point(&op);
        op.flags = 0;
        schedule_done(&op);
    }
    *depth += begin ? 1 : *depth > 0 ? -1 : 0;
}

void mazur_rt_atomic(int begin)
{
    if (under_control())
        change_depth(&rt.self->atomic, begin, CALLER);
}

void mazur_rt_no_preempt(int begin)
{
    if (under_control())
        change_depth(&rt.self->no_preempt, begin, CALLER);
}

void mazur_rt_label(const char *text)
{
    if (under_control() && rt.recording)
        record_label(text);
}

void mazur_rt_invariant(int (*function)(void *), void *argument)
{
    if (!under_control())
        return;
    if (ninvariants == INVARIANTS_MAX)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = CALLER},
                      "more than %d invariants", INVARIANTS_MAX);
    schedule_leave_reductions();
    invariants[ninvariants].function = function;
    invariants[ninvariants].argument = argument;
    ninvariants++;
    rt.has_invariants = true;
}

void mazur_rt_name(const void *address, size_t size, const char *text)
{
    if (under_control() && rt.recording)
        record_name((uint64_t)(uintptr_t)address, size, text);
}

int mazur_rt_running(void)
{
    return under_control();
}

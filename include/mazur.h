/* mazur.h: how a test talks to Mazur.
 *
 * Nothing here is needed to check a program; it makes tests sharper (choices, assumptions,
 * invariants) and reports easier to read (names, labels). A program that uses this header needs
 * no library and runs normally outside Mazur: the functions call weak references, which only
 * Mazur's runtime defines, and without it do what their comments say.
 *
 * C99 and later, C++98 and later, gcc and clang. */
#ifndef MAZUR_H
#define MAZUR_H

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side. Call the functions below instead: these are null outside Mazur. */
#define MAZUR_RUNTIME __attribute__((weak)) extern
MAZUR_RUNTIME int mazur_rt_running(void);
MAZUR_RUNTIME int mazur_rt_choose(int n);
MAZUR_RUNTIME void mazur_rt_assume(int condition, const char *expression, const char *file,
                                   int line);
MAZUR_RUNTIME void mazur_rt_assert_fail(const char *expression, const char *file, int line);
MAZUR_RUNTIME void mazur_rt_yield(void);
MAZUR_RUNTIME void mazur_rt_atomic(int begin);
MAZUR_RUNTIME void mazur_rt_no_preempt(int begin);
MAZUR_RUNTIME void mazur_rt_label(const char *text);
MAZUR_RUNTIME void mazur_rt_invariant(int (*holds)(void *), void *argument);
MAZUR_RUNTIME void mazur_rt_name(const void *address, size_t size, const char *name);
MAZUR_RUNTIME void mazur_rt_history_begin(const char *operation, const char *text,
                                          long long number);
MAZUR_RUNTIME void mazur_rt_history_end(const char *operation, const char *text,
                                        long long number, const char *result_text,
                                        long long result);
#undef MAZUR_RUNTIME

/* 1 while Mazur controls the program, else 0. For tests that want to be smaller under Mazur
 * (3 threads rather than 64) than in a stress run. */
static inline int mazur_running(void)
{
    return mazur_rt_running ? mazur_rt_running() : 0;
}

/* A data choice: returns each of 0 … n-1 in some execution, so that one test covers all the
 * inputs, sizes or error returns it can take. n must be at least 1. Outside Mazur: 0. */
static inline int mazur_choose(int n)
{
    return mazur_rt_choose ? mazur_rt_choose(n) : 0;
}

/* Yield: the calling thread has nothing to do now, and others should run. Switching threads
 * here does not count as a preemption. Outside Mazur: sched_yield(). */
static inline void mazur_yield(void)
{
    if (mazur_rt_yield)
        mazur_rt_yield();
    else
        sched_yield();
}

/* Between begin and end no other thread runs, unless this one blocks: for the test's own
 * bookkeeping, which is not under test. Pairs may nest. Outside Mazur: nothing. */
static inline void mazur_atomic_begin(void)
{
    if (mazur_rt_atomic)
        mazur_rt_atomic(1);
}

static inline void mazur_atomic_end(void)
{
    if (mazur_rt_atomic)
        mazur_rt_atomic(0);
}

/* Between begin and end the thread is never preempted; if it blocks or yields, others run as
 * usual. For code that you trust: it costs no executions. Outside Mazur: nothing. */
static inline void mazur_no_preempt_begin(void)
{
    if (mazur_rt_no_preempt)
        mazur_rt_no_preempt(1);
}

static inline void mazur_no_preempt_end(void)
{
    if (mazur_rt_no_preempt)
        mazur_rt_no_preempt(0);
}

/* Say what the calling thread does from here on; the report prints the text next to the
 * thread's operations. NULL ends it. Outside Mazur: nothing. */
static inline void mazur_label(const char *text)
{
    if (mazur_rt_label)
        mazur_rt_label(text);
}

/* Check `holds(argument)` after every step of every thread; the execution fails if it returns
 * 0. The function must only read, and must not block. Outside Mazur: nothing. */
static inline void mazur_invariant(int (*holds)(void *), void *argument)
{
    if (mazur_rt_invariant)
        mazur_rt_invariant(holds, argument);
}

/* Name an object for the report: [address, address + size). Outside Mazur: nothing. */
static inline void mazur_name(const void *address, size_t size, const char *name)
{
    if (mazur_rt_name)
        mazur_rt_name(address, size, name);
}

static inline void mazur_assert_failed(const char *expression, const char *file, int line)
{
    fprintf(stderr, "%s:%d: mazur_assert(%s) failed\n", file, line, expression);
    abort();
}

static inline void mazur_assume_at(int condition, const char *expression, const char *file,
                                   int line)
{
    if (mazur_rt_assume)
        mazur_rt_assume(condition, expression, file, line);
}

/* Only executions in which `condition` holds are of interest: any other execution ends here, or
 * waits at the read that would make the condition false, and counts neither as passed nor as failed. Outside Mazur: nothing, the program continues. */
#define mazur_assume(condition) mazur_assume_at(!!(condition), #condition, __FILE__, __LINE__)

/* Like assert(), but also with NDEBUG. Outside Mazur: a message and abort(). (A macro down to
 * the call into the runtime, so that the report names the line of the test and not one of this
 * file.) */
#define mazur_assert(condition)                                                                \
    ((condition)            ? (void)0                                                          \
     : mazur_rt_assert_fail ? mazur_rt_assert_fail(#condition, __FILE__, __LINE__)             \
                            : mazur_assert_failed(#condition, __FILE__, __LINE__))

/* An argument or a result in a history: a text, or an integer if there is no text. */
struct mazur_value {
    const char *text;
    long long number;
};

static inline struct mazur_value mazur_text_value(const char *text)
{
    struct mazur_value value;
    value.text = text ? text : "NULL";
    value.number = 0;
    return value;
}

static inline struct mazur_value mazur_number_value(long long number)
{
    struct mazur_value value;
    value.text = NULL;
    value.number = number;
    return value;
}

static inline void mazur_history_begin_value(const char *operation,
                                             struct mazur_value arguments)
{
    if (mazur_rt_history_begin)
        mazur_rt_history_begin(operation, arguments.text, arguments.number);
}

static inline void mazur_history_end_value(const char *operation, struct mazur_value arguments,
                                           struct mazur_value result)
{
    if (mazur_rt_history_end)
        mazur_rt_history_end(operation, arguments.text, arguments.number, result.text,
                             result.number);
}

#ifdef __cplusplus
}
static inline mazur_value mazur_value_of(const char *text)
{
    return mazur_text_value(text);
}
static inline mazur_value mazur_value_of(char *text)
{
    return mazur_text_value(text);
}
template <typename number_type> static inline mazur_value mazur_value_of(number_type number)
{
    return mazur_number_value((long long)number);
}
#else
#define mazur_value_of(value)                                                                  \
    (__extension__ _Generic((value),                                                           \
         char *: mazur_text_value,                                                             \
         const char *: mazur_text_value,                                                       \
         default: mazur_number_value)(value))
#endif

/* Linearizability of a container: the test puts each operation between
 *
 *     mazur_history_begin("push", 5);                       operation, arguments
 *     bool pushed = push(&stack, 5);
 *     mazur_history_end("push", 5, pushed);                 … and its result
 *
 * and Mazur first runs the test with one operation at a time, in every order, and then compares
 * every concurrent execution with those. An execution fails (not linearizable) if no serial
 * execution has the same operations and results, with every operation that ended before another
 * began also before it in the serial order. An operation that waits for ever must do so
 * serially, too.
 *
 * Arguments and results are integers or texts (shorter than 40 characters); leave out what does
 * not matter to the caller. An operation must end before the same thread begins another one,
 * and before the program ends. Shorter: mazur_history_begin("pop") without arguments,
 * mazur_history_end(result). Outside Mazur: nothing. */
#define mazur_history_begin(...)                                                               \
    MAZUR_THIRD(__VA_ARGS__, MAZUR_BEGIN_2, MAZUR_BEGIN_1, 0)(__VA_ARGS__)
#define mazur_history_end(...)                                                                 \
    MAZUR_FOURTH(__VA_ARGS__, MAZUR_END_3, MAZUR_END_2, MAZUR_END_1, 0)(__VA_ARGS__)

#define MAZUR_THIRD(a, b, c, ...)     c
#define MAZUR_FOURTH(a, b, c, d, ...) d
#define MAZUR_BEGIN_1(operation)      mazur_history_begin_value(operation, mazur_text_value(""))
#define MAZUR_BEGIN_2(operation, arguments)                                                    \
    mazur_history_begin_value(operation, mazur_value_of(arguments))
#define MAZUR_END_1(result)                                                                    \
    mazur_history_end_value(NULL, mazur_text_value(""), mazur_value_of(result))
#define MAZUR_END_2(operation, result)                                                         \
    mazur_history_end_value(operation, mazur_text_value(""), mazur_value_of(result))
#define MAZUR_END_3(operation, arguments, result)                                              \
    mazur_history_end_value(operation, mazur_value_of(arguments), mazur_value_of(result))

#endif

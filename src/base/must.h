/* Assertions: must(condition) states what can't be otherwise. They stay on in release builds,
 * since a checker that goes on from an impossible state answers wrongly; they cost a compare
 * and a branch that is never taken. One that fails is an internal error of Mazur (exit 70),
 * never a verdict about the program. Input of any kind (files, options, the board, the program)
 * is not asserted but checked. */
#ifndef MAZUR_BASE_MUST_H
#define MAZUR_BASE_MUST_H

/* Says where and ends the process: host/must_failed.c in the command,
 * runtime/memory/impossible.c in the program under test. */
_Noreturn void must_failed(const char *where);

#define MUST_TEXT_(x) #x
#define MUST_LINE_(x) MUST_TEXT_(x)
#define must(condition)                                                                        \
    (__builtin_expect(!!(condition), 1)                                                        \
         ? (void)0                                                                             \
         : must_failed("this can't happen: " __FILE__                                          \
                       ":" MUST_LINE_(__LINE__) ": " #condition))

#endif

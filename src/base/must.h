/* Assertions: must(condition) states what always holds. They stay on in release builds, since a
 * checker that continues from an impossible state gives wrong answers; they cost a compare and
 * a branch that is never taken. A failed assertion is an internal error of Mazur (exit 70),
 * never a verdict about the program. Input of any kind (files, options, the board, the program)
 * is checked, not asserted. */
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

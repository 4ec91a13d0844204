/* What Mazur does not see of the program under test, and therefore must report: libraries and
 * parts of the program that were compiled without instrumentation, atomic instructions in
 * assembly, and accesses that the compiler does not announce in a module that was loaded too
 * late. This is found in the machine code, whatever the build system claims. */
#ifndef MAZUR_MACHINE_UNSEEN_H
#define MAZUR_MACHINE_UNSEEN_H

#include "board/board.h"
#include "host/buffer.h"

struct unseen {
    struct text_list not_instrumented; /* libraries, source files, functions */
    struct text_list assembly;         /* functions with atomic instructions */
    struct text_list moves;            /* … with loads and stores that only assembly has */
    struct text_list untold;           /* functions with accesses that Mazur can't follow */
    struct text_list outside;          /* "rdtsc in wait": results from outside the program */
    struct text_list unannounced;      /* functions, modules: see unannounced.h */
};

/* For a program with any instrumentation. Otherwise only for what --visible names, which is
 * seen except for `untold` and `outside`. */
struct unseen unseen_find(const struct board *board);
void unseen_release(struct unseen *unseen);

#endif

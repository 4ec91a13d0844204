/* The loop that runs executions (driver.c). */
#ifndef MAZUR_RUNTIME_DRIVER_H
#define MAZUR_RUNTIME_DRIVER_H

#include <stdbool.h>

/* The program under test. */
struct main_call {
    int (*main)(int, char **, char **);
    int argc;
    char **argv;
    char **envp;
};

/* Creates the search that the board asks for, or resumes a stopped one. Returns false if
 * neither is possible; the board says why. */
bool driver_create_search(void);
/* Allocates the stacks of the driver and the search. */
void driver_prepare(void);
/* Runs executions until the search is done, then ends the process. */
void driver_run(const struct main_call *program) __attribute__((noreturn));

#endif

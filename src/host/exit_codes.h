/* The exit codes of the command: all of them, for every part that ends it or reports a verdict.
 * Scripts and CI depend on them, so a number never changes its meaning. docs/manual.md explains
 * them to users.
 */
#ifndef MAZUR_HOST_EXIT_CODES_H
#define MAZUR_HOST_EXIT_CODES_H

enum exit_code {
    EXIT_NOTHING_FOUND = 0,
    EXIT_FAILED =
        1, /* assertion, crash, bad exit status, uncaught exception, error in a model */
    EXIT_DEADLOCK = 2,
    EXIT_LIVELOCK = 3, /* models: a cycle that violates the property */
    EXIT_HANG = 4,
    EXIT_NONDETERMINISM = 5,
    EXIT_INVALID = 6, /* the test can't be run under Mazur */
    EXIT_RACE = 7,
    EXIT_INCOMPLETE =
        8, /* nothing found, not everything covered; only with --require-complete */
    EXIT_NOT_LINEARIZABLE = 9,
    EXIT_MEMORY = 11,
    EXIT_MISUSE = 12,
    EXIT_USAGE = 64,    /* nothing was run */
    EXIT_INTERNAL = 70, /* Mazur's own error, or the machine's: no memory, no disk space */
};

#endif

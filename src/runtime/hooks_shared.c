/* State that libc or the kernel keeps for all threads of the process, in functions that are no
 * synchronisation: which numbers descriptors and keys get, where strtok() goes on, the result
 * of localtime(). The order of two such calls decides what both threads see, so that each is an
 * operation; without that a reduction would take the threads for independent.
 *
 * rand(), drand48() and their like have no such state under Mazur: each thread has numbers of
 * its own (hooks_time.c). What is printed is not read back by the program and no operation
 * either. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/forward.h"
#include "runtime/scratch.h"

/* As long as there is one thread its operations are in order anyway. */
void shared_use_object(uint64_t object, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, OP_READS | OP_WRITES, NULL, pc);
    if (rt.used == 1)
        return;
    op.object[op.nobjects++] = object;
    visible(&op);
}

void shared_use(enum shared_state state, uint64_t pc)
{
    shared_use_object(BOARD_OBJECT_SHARED + state, pc);
}

FORWARD(char *, strtok, (char *restrict text, const char *restrict separators),
        (text, separators), shared_use(SHARED_STRTOK, CALLER))

/* --- Results in libc's own memory: writing them is an access like any other --- */

#define RETURNS(type, name, parameters, arguments, state, size)                                \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        NEXT(type, name, parameters);                                                          \
        if (!rt.on)                                                                            \
            return next arguments;                                                             \
        shared_use(state, CALLER);                                                             \
        type result = next arguments;                                                          \
        if (result != NULL)                                                                    \
            caller_writes(result, size, CALLER);                                               \
        return result;                                                                         \
    }

#define TIME_TEXT 26 /* ctime(3p): "Sun Sep 16 01:03:52 1973\n\0" */

RETURNS(struct tm *, localtime, (const time_t *when), (when), SHARED_TIME, sizeof(struct tm))
RETURNS(struct tm *, gmtime, (const time_t *when), (when), SHARED_TIME, sizeof(struct tm))
RETURNS(char *, ctime, (const time_t *when), (when), SHARED_TIME_TEXT, TIME_TEXT)
RETURNS(char *, asctime, (const struct tm *when), (when), SHARED_TIME_TEXT, TIME_TEXT)

/* --- The environment --- */

FORWARD(int, setenv, (const char *name, const char *value, int replace), (name, value, replace),
        shared_use(SHARED_ENVIRONMENT, CALLER))
FORWARD(int, unsetenv, (const char *name), (name), shared_use(SHARED_ENVIRONMENT, CALLER))
FORWARD(int, putenv, (char *text), (text), shared_use(SHARED_ENVIRONMENT, CALLER))
FORWARD(int, clearenv, (void), (), shared_use(SHARED_ENVIRONMENT, CALLER))

EXPORT char *getenv(const char *name)
{
    NEXT(char *, getenv, (const char *));
    if (rt.on && rt.used > 1) {
        struct op op = op_make(OP_SHARED, OP_READS, NULL, CALLER);
        op.object[op.nobjects++] = BOARD_OBJECT_SHARED + SHARED_ENVIRONMENT;
        visible(&op);
    }
    return next(name);
}

/* --- Streams: where the next read is --- */

void stream_use(const void *file, uint64_t pc)
{
    if (scratch_is_on())
        shared_use(SHARED_FILES, pc);
    else
        shared_use_object((uint64_t)(uintptr_t)file, pc);
}

#define READS(type, name, parameters, arguments)                                               \
    FORWARD(type, name, parameters, arguments, stream_use(file, CALLER))

READS(char *, fgets, (char *restrict out, int size, FILE *restrict file), (out, size, file))
READS(int, fgetc, (FILE * file), (file))
READS(int, getc, (FILE * file), (file))
READS(ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict file),
      (line, size, file))
READS(ssize_t, getdelim,
      (char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file),
      (line, size, delimiter, file))
READS(int, fseek, (FILE * file, long offset, int whence), (file, offset, whence))
READS(void, rewind, (FILE * file), (file))

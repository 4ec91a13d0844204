/* The real functions behind the hooks: what a hook calls when the program is not under control
 * (started without mazur, before main, or in a process that the program forked). One for each
 * row of hooks.def that says EARLY, resolved once with dlsym(RTLD_NEXT), before anything is
 * restored. */
#ifndef MAZUR_RUNTIME_REAL_H
#define MAZUR_RUNTIME_REAL_H

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/arch/compiler.h"

struct real_functions {
#define EARLY(name, type, parameters) type(*name) parameters;
#include "runtime/hooks/def/hooks.def"
};

extern struct real_functions real;

/* Idempotent; the first hook that needs a real function before start-up calls it. */
void real_resolve(void);

static inline void real_prepare(void)
{
    if (UNLIKELY(!real.close))
        real_resolve();
}

/* In a hook: calls the real function if the program is not under control. */
#define UNLESS_ON(call)                                                                        \
    do {                                                                                       \
        if (UNLIKELY(!under_control())) {                                                      \
            real_prepare();                                                                    \
            return real.call;                                                                  \
        }                                                                                      \
    } while (0)

#endif

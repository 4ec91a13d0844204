/* A function of libc that goes to libc as it is, after Mazur has done its part: the one shape
 * of all such hooks.
 *
 * `work`: statements, executed where the program is under control. CALLER is the place of the
 * call there. */
#ifndef MAZUR_RUNTIME_FORWARD_H
#define MAZUR_RUNTIME_FORWARD_H

#include <dlfcn.h>

#include "runtime/core/runtime.h"

/* `next`: libc's own function, inside a hook of the same name. */
#define NEXT(type, name, parameters)                                                           \
    static type(*next) parameters;                                                             \
    if (!next)                                                                                 \
    next = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name)

#define FORWARD(type, name, parameters, arguments, work)                                       \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        NEXT(type, name, parameters);                                                          \
        if (rt.on) {                                                                           \
            work;                                                                              \
        }                                                                                      \
        return next arguments;                                                                 \
    }
/* The same with work to do afterwards, on `result`. */
#define FORWARD_RESULT(type, name, parameters, arguments, before, after)                       \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        NEXT(type, name, parameters);                                                          \
        if (!rt.on)                                                                            \
            return next arguments;                                                             \
        before;                                                                                \
        type result = next arguments;                                                          \
        after;                                                                                 \
        return result;                                                                         \
    }

#endif

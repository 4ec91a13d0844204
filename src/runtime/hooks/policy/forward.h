/* Hooks that call libc's function unchanged, after Mazur has done its part: all of them have
 * this one form.
 *
 * `work`: statements, executed if the program is under control. In them, CALLER is the place of
 * the call. */
#ifndef MAZUR_RUNTIME_FORWARD_H
#define MAZUR_RUNTIME_FORWARD_H

#include <dlfcn.h>

#include "runtime/core/runtime.h"

/* `next`: libc's own function, inside a hook of the same name. */
#define NEXT(type, name, parameters)                                                           \
    static type(*next) parameters __attribute__((section("next_calls")));                      \
    if (!next)                                                                                 \
    next = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name)

#define FORWARD(type, name, parameters, arguments, work)                                       \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        NEXT(type, name, parameters);                                                          \
        if (under_control()) {                                                                 \
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
        if (!under_control())                                                                  \
            return next arguments;                                                             \
        before;                                                                                \
        type result = next arguments;                                                          \
        after;                                                                                 \
        return result;                                                                         \
    }

#endif

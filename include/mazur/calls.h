/* Read in front of every file that `mazur cc` and `mazur check` compile with gcc.
 *
 * gcc makes moves of the memory functions that headers ask for by its own names (libstdc++'s
 * algorithms, libc's with _FORTIFY_SOURCE), after it has instrumented the code: nobody would
 * see these accesses. With a size that it can't see through it calls them, and the calls reach
 * the runtime's hooks.
 *
 * And it moves reads past calls of functions that are declared to write nothing. Such a
 * function may read memory, too, and be a step of another time (--races=explore).
 *
 * A header of the system, so that no warning of the user's is about it. */
#pragma GCC system_header

#define __pure__ __nothrow__

#define __mazur_hidden(...)                                                                    \
    __extension__({                                                                            \
        __SIZE_TYPE__ __mazur_size = (__VA_ARGS__);                                            \
        __asm__("" : "+r"(__mazur_size));                                                      \
        __mazur_size;                                                                          \
    })
/* In constexpr functions, where no assembly may be. */
#define __mazur_hidden_constant(...)                                                           \
    __extension__({                                                                            \
        volatile __SIZE_TYPE__ __mazur_size = (__VA_ARGS__);                                   \
        __mazur_size;                                                                          \
    })

#define __builtin_memcpy(...)                                                                  \
    __builtin___memcpy_chk(__VA_ARGS__, __mazur_hidden((__SIZE_TYPE__)-1))
#define __builtin_memmove(...)                                                                 \
    __builtin___memmove_chk(__VA_ARGS__, __mazur_hidden((__SIZE_TYPE__)-1))
#define __builtin_memset(...)                                                                  \
    __builtin___memset_chk(__VA_ARGS__, __mazur_hidden((__SIZE_TYPE__)-1))
#define __builtin_memcmp(a, b, ...) __builtin_memcmp(a, b, __mazur_hidden_constant(__VA_ARGS__))

#define __builtin___memcpy_chk(a, b, c, ...)                                                   \
    __builtin___memcpy_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___memmove_chk(a, b, c, ...)                                                  \
    __builtin___memmove_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___mempcpy_chk(a, b, c, ...)                                                  \
    __builtin___mempcpy_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___memset_chk(a, b, c, ...)                                                   \
    __builtin___memset_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___strncpy_chk(a, b, c, ...)                                                  \
    __builtin___strncpy_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___strncat_chk(a, b, c, ...)                                                  \
    __builtin___strncat_chk(a, b, c, __mazur_hidden(__VA_ARGS__))
#define __builtin___strcpy_chk(a, b, ...)                                                      \
    __builtin___strcpy_chk(a, b, __mazur_hidden(__VA_ARGS__))
#define __builtin___stpcpy_chk(a, b, ...)                                                      \
    __builtin___stpcpy_chk(a, b, __mazur_hidden(__VA_ARGS__))
#define __builtin___strcat_chk(a, b, ...)                                                      \
    __builtin___strcat_chk(a, b, __mazur_hidden(__VA_ARGS__))
#define __builtin___sprintf_chk(a, b, c, ...)                                                  \
    __builtin___sprintf_chk(a, b, __mazur_hidden(c), __VA_ARGS__)
#define __builtin___snprintf_chk(a, b, c, d, ...)                                              \
    __builtin___snprintf_chk(a, b, c, __mazur_hidden(d), __VA_ARGS__)

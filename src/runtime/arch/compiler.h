/* Hints and attributes for the compiler. */
#ifndef MAZUR_RUNTIME_COMPILER_H
#define MAZUR_RUNTIME_COMPILER_H

#include <stdint.h>

#define EXPORT      __attribute__((visibility("default")))
#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ADDRESS(p)  ((uint64_t)(uintptr_t)(p))
/* The code address that the hook was called from. */
#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))
/* Its stack pointer before the call. */
#define CALLER_SP ((uint64_t)(uintptr_t)__builtin_frame_address(0) + 16)

#endif

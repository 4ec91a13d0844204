/* Resolves the table of real.h. A function that the C library lacks stays NULL; its hook can
 * then only be reached by a program that could not have been linked. */
#include <dlfcn.h>

#include "runtime/hooks/policy/real.h"

struct real_functions real __attribute__((visibility("hidden")));

void real_resolve(void)
{
#define REAL_LOOK_UP(type, name, arguments)                                                    \
    real.name = (type(*) arguments)(uintptr_t)dlsym(RTLD_NEXT, #name);
    REAL_FUNCTIONS(REAL_LOOK_UP)
#undef REAL_LOOK_UP
}

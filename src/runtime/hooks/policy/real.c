/* Resolves the table of real.h. A function that the C library lacks stays NULL. No program
 * calls its hook then: such a program could not have been linked. */
#include <dlfcn.h>

#include "runtime/hooks/policy/real.h"

struct real_functions real __attribute__((visibility("hidden")));

void real_resolve(void)
{
#define EARLY(name, type, parameters)                                                          \
    real.name = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name);
#include "runtime/hooks/def/hooks.def"
}

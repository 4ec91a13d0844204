/* The end of a failed assertion in the command (base/must.h). */
#include <stdlib.h>

#include "base/must.h"
#include "host/exit_codes.h"
#include "host/say.h"

_Noreturn void must_failed(const char *where)
{
    complain("internal error: %s", where);
    exit(EXIT_INTERNAL);
}

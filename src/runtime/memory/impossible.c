/* Handles a failed assertion in the program under test (base/must.h): puts an internal error on
 * the board and ends the process. */
#include "base/must.h"
#include "runtime/memory/memory.h"

_Noreturn void must_failed(const char *where)
{
    rt_fatal(where);
}

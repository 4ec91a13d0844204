/* The end of a failed assertion in the program under test (base/must.h): an internal error on the board. */
#include "base/must.h"
#include "runtime/memory/memory.h"

_Noreturn void must_failed(const char *where)
{
    rt_fatal(where);
}

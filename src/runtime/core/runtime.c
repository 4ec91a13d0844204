/* The runtime's one global state, and the calls to higher layers. */
#include "runtime/core/runtime.h"

#include "runtime/core/calls_up.h"

struct runtime rt;
struct calls_up calls_up;

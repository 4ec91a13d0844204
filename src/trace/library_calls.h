/* Operations inside the C++ library, as its users see them: a call, and the object that it is
 * on. */
#ifndef MAZUR_TRACE_LIBRARY_CALLS_H
#define MAZUR_TRACE_LIBRARY_CALLS_H

#include "trace/trace.h"

/* Internal objects of the library have no name that users know, but the function that they
 * called has: "std::stop_token::stop_requested". */
void name_library_call(struct arena *arena, struct trace_operation *operation,
                       const struct source_stack *stack);
/* A thread that waits inside a call on an object waits for that object; the library's futex may
 * be elsewhere. */
void name_awaited_object(struct trace *trace, int tid);

#endif

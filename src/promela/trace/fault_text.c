/* What can go wrong in a model, in words, and as the kinds of failure that all reports know. */
#include "promela/trace/model_trace.h"

const char *fault_text(uint32_t fault)
{
    switch (fault) {
    case FAULT_ASSERT:
        return "assertion violated";
    case FAULT_INDEX:
        return "array index out of range";
    case FAULT_DIVISION:
        return "division by zero";
    case FAULT_BLOCKED_DSTEP:
        return "a statement inside d_step blocks";
    case FAULT_LONG_DSTEP:
        return "a d_step does not end";
    case FAULT_NO_CHANNEL:
        return "use of a channel variable that holds no channel";
    case FAULT_FIELDS:
        return "wrong number of fields in a message";
    case FAULT_PROCESSES:
        return "more than 255 processes or channels, or a megabyte of variables";
    case FAULT_REMOTE:
        return "reference to a process that does not exist";
    case FAULT_CAPACITY:
        return "too many successors of one state";
    case FAULT_TRACE:
        return "an event that the trace assertion does not allow";
    case FAULT_NOTRACE:
        return "the last of the events that the notrace assertion forbids";
    case FAULT_TRACE_CHOICE:
        return "an event that the trace assertion matches in two ways";
    case FAULT_C_GUARD:
        return "the guard of this c_code is false";
    case FAULT_ENABLED:
        return "calls of enabled() depend on each other";
    case FAULT_POLL:
        return "a rendezvous channel holds no message that could be polled";
    case FAULT_CHOICE:
        return "a second statement of a D_proctype is enabled";
    case FAULT_C_ERROR:
        return "this c_code calls uerror()";
    case FAULT_SEND_IN_DSTEP:
        return "a rendezvous inside d_step: nobody can receive before the step is over";
    }
    return "unknown fault";
}

enum failure_kind violation_kind(enum violation violation)
{
    switch (violation) {
    case VIOLATION_NONE:
        return FAILURE_NONE;
    case VIOLATION_ASSERT:
        return FAILURE_ASSERTION;
    case VIOLATION_END:
        return FAILURE_END_STATE;
    case VIOLATION_CLAIM:
        return FAILURE_CLAIM;
    case VIOLATION_ACCEPTANCE:
        return FAILURE_ACCEPTANCE;
    case VIOLATION_PROGRESS:
        return FAILURE_PROGRESS;
    case VIOLATION_FAULT:
        return FAILURE_MODEL;
    }
    return FAILURE_INTERNAL;
}

/* See names.h. */
#include "trace/names.h"

#include <stddef.h>
#include <string.h>

const char *const switch_reason_names[] = {"none",    "preempted", "blocked", "finished",
                                           "yielded", "spinning",  NULL};
const char *const thread_state_names[] = {"none",     "runnable", "blocked",
                                          "spinning", "finished", NULL};
const char *const memory_order_names[] = {"relaxed", "consume", "acquire", "release",
                                          "acq_rel", "seq_cst", NULL};
const char *const lesson_names[] = {
#define LESSON(kind, name) name,
#include "board/lessons.def"
#undef LESSON
    NULL};

const char *name_of(const char *const *names, unsigned value)
{
    for (unsigned i = 0; names[i]; i++)
        if (i == value)
            return names[i];
    return "?";
}

int value_of(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* An execution that starts at a checkpoint has the same first steps as the one that was saved.
 * The strategy must see them as in any other execution, so this file notes the questions that
 * the strategy was asked and asks them again. This takes a few nanoseconds each, and no
 * strategy has to know about checkpoints.
 *
 * Until then main is the only thread, so only main is enabled and every answer is forced,
 * unless the strategy gives up the execution. */
#include "runtime/core/prefix.h"

#include "base/must.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/memory.h"

#define PREFIX_MAX (1u << 16) /* steps: longer ones are not noted */

static struct {
    uint32_t count;
    struct asked {
        struct op pending;
        struct op done; /* the previous step */
        uint32_t done_step;
        bool has_done;
        bool section;
        bool alone;
    } * step;
} prefix;
LASTING_STATE(prefix);

void prefix_begin(void)
{
    if (!prefix.step)
        prefix.step = rt_map_table(PREFIX_MAX * sizeof *prefix.step);
    prefix.count = 0;
    rt.notes_prefix = true;
}

void prefix_note(bool alone)
{
    if (prefix.count == PREFIX_MAX || rt.used > 1) {
        rt.notes_prefix = false;
        return;
    }
    must(rt.pos.depth == prefix.count);
    prefix.step[prefix.count++] = (struct asked){.pending = rt.pending[0],
                                                 .done = rt.done,
                                                 .done_step = rt.done_step,
                                                 .has_done = rt.pos.done,
                                                 .section = rt.pos.section,
                                                 .alone = alone};
}

int prefix_repeat(void)
{
    threadset_add(&rt.pos.enabled, 0);
    for (uint32_t i = 0; i < prefix.count; i++) {
        const struct asked *step = &prefix.step[i];
        rt.pending[0] = step->pending;
        rt.done = step->done;
        rt.done_step = step->done_step;
        rt.pos.done = step->has_done ? &rt.done : NULL;
        rt.pos.section = step->section;
        int tid = schedule_repeat(step->alone);
        if (tid < 0)
            return tid;
        must(tid == 0);
        rt.pos.last = 0;
        rt.pos.depth++;
    }
    return 0;
}

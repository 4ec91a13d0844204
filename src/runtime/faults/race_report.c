/* What a data race leads to: a failure, a use after free, a new operation, or nothing. */
#include "runtime/access/access.h"
#include "runtime/access/returned_frames.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/home.h"
#include "runtime/faults/faults.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/threads/keys.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

/* A free that races with an access is a use after free in another order of the same events, so
 * it is reported as that. */
void report_race(const struct race_pair *pair)
{
    if (UNLIKELY(keys_race(pair->earlier.address)) ||
        annotations_allow_race(pair->earlier.address, pair->earlier.size))
        return;
    enum race_standing standing = libstdcxx_race(pair->earlier.address);
    if (!rt.check_races || standing == RACE_IS_ALLOWED)
        return;
    if (standing == RACE_IS_OPERATION) {
        access_add_racy(pair->earlier.address, pair->earlier.size);
        return;
    }
    if (rt.board->config.races == RACES_IGNORE) {
        rt.check_races = false; /* one race is enough */
        raise_reason(REASON_RACES_IGNORED, NULL);
        return;
    }
    bool frees = (pair->earlier.is_free || pair->later.is_free) && !pair->is_birth;
    if (rt.explore_races && !frees) {
        access_add_racy(pair->earlier.address, pair->earlier.size);
        return;
    }
    struct failure_details details = {.pc =
                                          pair->later.stack.depth ? pair->later.stack.pc[0] : 0,
                                      .address = pair->later.address};
    if (frees && frames_thread_is_ending())
        failure_note(FAILURE_MEMORY, &details,
                     "a thread ends while another one may access its thread-local variable");
    else if (frees && stacks_have(pair->later.address))
        failure_note(FAILURE_MEMORY, &details,
                     "use after return: a function returns while another thread may access its "
                     "local variable");
    else if (frees)
        failure_note(FAILURE_MEMORY, &details,
                     "use after free: nothing orders the free after another thread's access");
    else
        failure_note(FAILURE_RACE, &details, "%s",
                     pair->is_birth ? "data race with the allocation" : "data race");
    struct board_failure *failure = failure_current();
    failure->naccesses = 2;
    failure->access[0] = pair->earlier;
    failure->access[1] = pair->later;
    for (int i = 0; i < 2; i++)
        home_find(failure->access[i].address, &failure->access[i].home);
    if (failure->access[1].stack.depth <= 1)
        stack_capture(rt.self, details.pc, &failure->access[1].stack);
    heap_block(pair->later.address, &failure->block);
    if (pair->is_birth)
        failure->access[0].stack = failure->block.allocated;
    schedule_end(OUTCOME_FAILED);
}

/* See simplify_failure.h. */
#include "cli/record/simplify_failure.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "cli/watch/open_shared.h"

#define STEPS_PER_EXECUTION 200

static void prepare_simplification(struct board *board, const struct recording *recording,
                                   uint64_t executions)
{
    recording_prepare(board, recording);
    board->config.mode = BOARD_SIMPLIFY;
    board->config.keep_output = false;
    board->config.simplify = (struct simplify_request){
        .executions = executions,
        .steps = executions * STEPS_PER_EXECUTION,
        .reduce = recording->reduce,
    };
    must(recording->nschedule <=
         BOARD_SCHEDULE / 2); /* kept[] holds this one and a simpler one */
    board->nkept = recording->nschedule;
    memcpy(board->kept, recording->schedule,
           recording->nschedule * sizeof *recording->schedule);
}

/* The schedule is the second one in kept[]; the child's claims about it are checked. */
static bool take_simplified(const struct board *board, uint32_t given,
                            struct simplified *simplified)
{
    uint32_t start = board->kept_start[1];
    if (!board->simplified.repeated || start != given || board->nkept <= start)
        return false;
    simplified->facts = board->simplified;
    simplified->nschedule = board->nkept - start;
    simplified->schedule = allocate(simplified->nschedule * sizeof *simplified->schedule);
    memcpy(simplified->schedule, board->kept + start,
           simplified->nschedule * sizeof *simplified->schedule);
    simplified->lessons = board->lessons;
    simplified->nthreads = board->nthreads;
    simplified->thread = allocate(board->nthreads * sizeof *simplified->thread);
    memcpy(simplified->thread, board->thread, board->nthreads * sizeof *simplified->thread);
    return true;
}

bool simplify_execution(const struct recording *recording, uint64_t executions, double seconds,
                        struct simplified *simplified)
{
    struct shared shared;
    struct program_output output;
    if (executions == 0 || seconds <= 0 || recording->nschedule > BOARD_SCHEDULE / 2 ||
        !open_shared(&shared))
        return false;
    struct slow_work slow = {.quiet = recording->quiet,
                             .what = "looking for the simplest form of the failure "
                                     "(--simplify 0: show it as found)"};
    prepare_simplification(shared.board, recording, executions);
    output_open(&output, OUTPUT_DROP, false);
    struct ending ending = run_recording(recording, &shared, &output, seconds, &slow);
    bool good = ending.end == CHILD_FINISHED &&
                take_simplified(shared.board, recording->nschedule, simplified);
    output_close(&output);
    shared_close(&shared);
    return good;
}

void simplified_release(struct simplified *simplified)
{
    free(simplified->schedule);
    free(simplified->thread);
    *simplified = (struct simplified){0};
}

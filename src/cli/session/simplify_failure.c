/* The simplest form of a failure, found in a child of its own before the failure is recorded
 * and shown (explore/plan/simplify.c says what simplest means, and what is proven).
 *
 * The budget is counted in executions and steps, so that the same search gives the same report
 * on every machine; the limit in seconds is for programs whose executions are slow, and the
 * report says when it was met. The claim about bounds is the search's own and not touched here.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/session/program.h"
#include "cli/session/supervise.h"
#include "host/process_limits.h"

#define STEPS_PER_EXECUTION 200

static void prepare(struct board *board, const struct recording *recording, uint64_t executions)
{
    recording_prepare(board, recording);
    board->config.mode = BOARD_SIMPLIFY;
    board->config.keep_output = false;
    board->config.simplify = (struct simplify_request){
        .executions = executions,
        .steps = executions * STEPS_PER_EXECUTION,
        .reduce = recording->reduce,
    };
    board->nkept = recording->nschedule;
    memcpy(board->kept, recording->schedule,
           recording->nschedule * sizeof *recording->schedule);
}

/* The schedule is the second one in kept[]; what the child says of it is checked. */
static bool take(const struct board *board, uint32_t given, struct simplified *simplified)
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
    struct output output;
    if (executions == 0 || seconds <= 0 || recording->nschedule > BOARD_SCHEDULE / 2 ||
        !limits_open_shared(&shared))
        return false;
    struct slow_work slow = {.quiet = recording->quiet,
                             .what = "looking for the simplest form of the failure "
                                     "(--simplify 0: show it as found)"};
    prepare(shared.board, recording, executions);
    output_open(&output, OUTPUT_DROP, false);
    struct supervision supervision = {.program = recording->program->path,
                                      .arguments = recording->program->arguments.item,
                                      .directory = recording->program->directory,
                                      .runtime = recording->runtime,
                                      .shared = &shared,
                                      .output = &output,
                                      .time = seconds,
                                      .hang = recording->hang,
                                      .hang_alone = recording->hang,
                                      .tick = say_slow,
                                      .context = &slow};
    struct ending ending = supervise(&supervision);
    bool good =
        ending.end == CHILD_FINISHED && take(shared.board, recording->nschedule, simplified);
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

/* Search in a child, and in another one where --keep-going asks for that after a death; collect
 * the failures that they leave on the board. */
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "cli/session/search_session.h"

/* NULL: there is no room for another one. */
static struct found_failure *keep_found(struct search_session *session,
                                        const struct board_failure *failure,
                                        const uint32_t *schedule, uint32_t nschedule)
{
    must(session->nfound <= BOARD_FAILURES);
    if (session->nfound == BOARD_FAILURES) {
        claim_limit(&session->shared.board->claim, LIMIT_AT_FAILURES);
        return NULL;
    }
    struct found_failure *found = &session->found[session->nfound++];
    found->failure = *failure;
    found->lessons = session->shared.board->lessons;
    found->nschedule = nschedule;
    found->schedule = allocate(nschedule * sizeof *schedule);
    memcpy(found->schedule, schedule, nschedule * sizeof *schedule);
    return found;
}

/* The child died in the middle of an execution: its schedule is on the board. */
static void keep_death(struct search_session *session)
{
    const struct board *board = session->shared.board;
    const struct ending *ending = &session->ending;
    struct board_failure failure = {.tid = -1,
                                    .kind = FAILURE_CRASH,
                                    .signal = ending->signal,
                                    .status = ending->status,
                                    .bound = board->stats.bound,
                                    .execution = board->stats.executions + 1,
                                    .ends = board->nschedule};
    if (ending->end == CHILD_HUNG)
        failure.kind = FAILURE_HANG;
    else if (ending->end == CHILD_LEFT && board->state != CHILD_STARTING)
        failure.kind = FAILURE_EXIT;
    else if (ending->end == CHILD_TAKEN)
        failure.kind = FAILURE_KILLED;
    if (ending->end == CHILD_TAKEN)
        failure.preemptions = -1;
    snprintf(failure.message, BOARD_TEXT, "%s", ending->why);
    struct found_failure *found =
        keep_found(session, &failure, board->schedule, board->nschedule);
    if (found)
        found->died = true;
}

/* A child that went on with the search of a dead one may have begun it again, and comes to the
 * same failures a second time. */
static bool is_known(const struct search_session *session, const struct board_failure *failure)
{
    for (size_t i = 0; i < session->nfound; i++) {
        const struct board_failure *found = &session->found[i].failure;
        bool same_place = failure->stack.depth == found->stack.depth &&
                          memcmp(failure->stack.pc, found->stack.pc,
                                 failure->stack.depth * sizeof failure->stack.pc[0]) == 0;
        if (found->kind == failure->kind && found->tid == failure->tid && same_place &&
            strcmp(found->message, failure->message) == 0)
            return true;
    }
    return false;
}

static void collect_failures(struct search_session *session)
{
    struct board *board = session->shared.board;
    const struct ending *ending = &session->ending;
    bool told = false;
    if (session->round != board->round)
        session->harvested = 0;
    session->round = board->round;
    for (; session->harvested < board->nfailures; session->harvested++) {
        const uint32_t *schedule;
        const struct board_failure *failure = &board->failure[session->harvested];
        uint32_t length = board_failing_schedule(board, session->harvested, &schedule);
        told = true;
        if (session->round == 0 || !is_known(session, failure))
            keep_found(session, failure, schedule, length);
    }
    bool died = ending->end == CHILD_CRASHED || ending->end == CHILD_LEFT ||
                ending->end == CHILD_HUNG || ending->end == CHILD_TAKEN;
    if (died && !told)
        keep_death(session);
}

/* A dead child's search is in the pool; a new child goes on with it. */
static bool worth_restarting(const struct search_session *session)
{
    return session->options->settings.search.keep_going &&
           session->ending.end != CHILD_FINISHED && session->ending.end != CHILD_KILLED &&
           session->ending.end != CHILD_TAKEN && session->ending.end != CHILD_NOT_STARTED &&
           session->shared.board->state != CHILD_STARTING && !session->ending.interrupted &&
           !session->ending.timed_out && session->nfound < BOARD_FAILURES;
}

/* A signal that somebody sent, and the same execution ends by it once more: the program sends
 * it behind our back (a system call of its own). */
static bool kills_itself(struct search_session *session)
{
    const struct board *board = session->shared.board;
    if (session->ending.end != CHILD_TAKEN || session->ending.culprit != CULPRIT_SENDER)
        return false;
    struct found_failure found = {.lessons = board->lessons,
                                  .schedule = (uint32_t *)board->schedule,
                                  .nschedule = board->nschedule};
    struct recording recording = recording_of(session, &found, 1);
    struct trace *trace = record_execution(&recording);
    bool again = trace && trace->failure.kind == FAILURE_KILLED &&
                 trace->failure.signal == session->ending.signal && !supervise_interrupted();
    trace_free(trace);
    return again;
}

static void search_once(struct search_session *session, bool invisible)
{
    const struct options *options = session->options;
    struct supervision supervision = {
        .program = session->program,
        .runtime = session->runtime,
        .shared = &session->shared,
        .output = &session->output,
        .time = budget_search(&session->budget),
        .hang = options->hang,
        /* a program without threads may take its time, as it would without Mazur */
        .hang_alone = invisible ? options->time : options->hang,
        .tick = progress_tick,
        .context = &session->progress,
    };
    session->ending = supervise(&supervision);
    session->seconds += session->ending.seconds;
    if (kills_itself(session))
        session->ending.end = CHILD_CRASHED;
    if (session->ending.end != CHILD_NOT_STARTED)
        collect_failures(session);
}

void run_search(struct search_session *session, bool invisible)
{
    struct board *board = session->shared.board;
    for (;;) {
        search_once(session, invisible);
        if (!worth_restarting(session))
            break;
        board->config.resume = true;
        board->state = CHILD_STARTING;
        board->hang_check = 0;
    }
    progress_finish(&session->progress, board, session->seconds);
}

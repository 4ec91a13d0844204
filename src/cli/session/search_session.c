/* See search_session.h. */
#include "cli/session/search_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "debuginfo/symbolise.h"

/* NULL: there is no room for another one. */
static struct found_failure *keep_found(struct search_session *session,
                                        const struct board *board,
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
    found->lessons = board->lessons;
    found->nthreads = board->nthreads;
    found->thread = allocate(board->nthreads * sizeof *found->thread);
    memcpy(found->thread, board->thread, board->nthreads * sizeof *found->thread);
    found->nschedule = nschedule;
    found->schedule = allocate(nschedule * sizeof *schedule);
    memcpy(found->schedule, schedule, nschedule * sizeof *schedule);
    return found;
}

/* A search that goes on in one process (jobs.c) comes again to where another one died. */
static bool died_before(const struct search_session *session, const struct board *board,
                        const struct board_failure *failure)
{
    for (size_t i = 0; i < session->nfound; i++) {
        const struct found_failure *found = &session->found[i];
        if (found->died && found->failure.kind == failure->kind &&
            strcmp(found->failure.message, failure->message) == 0 &&
            found->nschedule == board->nschedule &&
            memcmp(found->schedule, board->schedule,
                   found->nschedule * sizeof *found->schedule) == 0)
            return true;
    }
    return false;
}

/* The child died during an execution; its schedule is on the board. */
static void keep_death(struct search_session *session, const struct board *board,
                       const struct ending *ending)
{
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
    if (died_before(session, board, &failure))
        return;
    struct found_failure *found =
        keep_found(session, board, &failure, board->schedule, board->nschedule);
    if (found)
        found->died = true;
}

/* A child that resumes the search of a dead one may start it over, and finds the same failures
 * again. */
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

void collect_failures(struct search_session *session, const struct board *board,
                      const struct ending *ending, bool again)
{
    bool told = false;
    if (session->round != board->round)
        session->harvested = 0;
    session->round = board->round;
    for (; session->harvested < board->nfailures; session->harvested++) {
        const uint32_t *schedule;
        const struct board_failure *failure = &board->failure[session->harvested];
        uint32_t length = board_failing_schedule(board, session->harvested, &schedule);
        told = true;
        if ((session->round == 0 && !again) || !is_known(session, failure))
            keep_found(session, board, failure, schedule, length);
    }
    bool died = ending->end == CHILD_CRASHED || ending->end == CHILD_LEFT ||
                ending->end == CHILD_HUNG || ending->end == CHILD_TAKEN;
    if (died && !told)
        keep_death(session, board, ending);
}

void drop_failures(struct search_session *session)
{
    for (size_t i = 0; i < session->nfound; i++) {
        free(session->found[i].schedule);
        free(session->found[i].thread);
        simplified_release(&session->found[i].simplified);
        session->found[i] = (struct found_failure){0};
    }
    session->nfound = session->harvested = 0;
}

struct recording recording_of(const struct search_session *session,
                              const struct found_failure *found, size_t failures)
{
    const struct board *board = session->shared.board;
    return (struct recording){
        .program = session->program,
        .reduce = board->instrumented,
        .runtime = session->runtime,
        .config = board->config,
        .hang = session->options->hang,
        .quiet = session->options->quiet,
        .time = budget_record(&session->budget, failures),
        .dies_itself = found->died && found->failure.kind == FAILURE_CRASH,
        .schedule = found->schedule,
        .nschedule = found->nschedule,
        .thread = found->thread,
        .nthreads = found->nthreads,
        .lessons = &found->lessons,
        .serial = board->history_phase == HISTORY_CONCURRENT ? &board->serial : NULL,
    };
}

/* A signal ended the child. If the same execution ends by it again, the program itself sends
 * it, by a system call that Mazur does not see. */
bool program_kills_itself(struct search_session *session, const struct board *board,
                          const struct ending *ending)
{
    if (ending->end != CHILD_TAKEN || ending->culprit != CULPRIT_SENDER)
        return false;
    struct found_failure found = {.lessons = board->lessons,
                                  .thread = (struct board_thread *)board->thread,
                                  .nthreads = board->nthreads,
                                  .schedule = (uint32_t *)board->schedule,
                                  .nschedule = board->nschedule};
    struct recording recording = recording_of(session, &found, 1);
    struct trace *trace = record_execution(&recording);
    bool again = trace && trace->failure.kind == FAILURE_KILLED &&
                 trace->failure.signal == ending->signal && !supervise_interrupted();
    trace_free(trace);
    return again;
}

/* Raises the reason on the board, which is kept when a search is stopped. */
void note_ended_blocks(struct board *board)
{
    struct arena arena = {0};
    struct symboliser *symboliser = board->nuses ? symboliser_new(board, &arena) : NULL;
    for (uint32_t i = 0; i < board->nuses; i++) {
        const char *name = symbolise_ended_block(symboliser, &board->use[i]);
        if (name)
            claim_raise(&board->claim, REASON_ENDED_BLOCK, name);
    }
    if (symboliser)
        symboliser_free(symboliser);
    arena_free(&arena);
}

struct supervision search_supervision(struct search_session *session, struct shared *shared,
                                      bool invisible)
{
    const struct options *options = session->options;
    return (struct supervision){
        .program = session->program,
        .runtime = session->runtime,
        .shared = shared,
        .output = &session->output,
        .time = budget_search(&session->budget),
        .hang = options->hang,
        /* a program without threads may run as long as it would without Mazur; a search of a
         * millisecond does not make it hang before its first thread */
        .hang_alone = invisible && !(options->time > 0 && options->time < options->hang)
                          ? options->time
                          : options->hang,
        .tick = progress_tick,
        .context = &session->progress,
    };
}

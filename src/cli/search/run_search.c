/* Searches in a child, or in several (jobs.h), and with --keep-going in another one if that
 * dies. */
#include "cli/jobs/jobs.h"
#include "cli/search/search_steps.h"

/* A dead child leaves its search in the pool; a new child can resume it. */
static bool worth_restarting(const struct search_session *session)
{
    return session->options->settings.search.keep_going &&
           session->ending.end != CHILD_FINISHED && session->ending.end != CHILD_KILLED &&
           session->ending.end != CHILD_TAKEN && session->ending.end != CHILD_NOT_STARTED &&
           session->shared.board->state != CHILD_STARTING && !session->ending.interrupted &&
           !session->ending.timed_out && session->nfound < BOARD_FAILURES;
}

static void search_once(struct search_session *session, bool invisible)
{
    struct supervision supervision = search_supervision(session, &session->shared, invisible);
    session->ending = supervise(&supervision);
    session->seconds += session->ending.seconds;
    if (program_kills_itself(session, session->shared.board, &session->ending))
        session->ending.end = CHILD_CRASHED;
    if (session->ending.end != CHILD_NOT_STARTED)
        collect_failures(session, session->shared.board, &session->ending, false);
    note_ended_blocks(session->shared.board);
}

void run_search(struct search_session *session, bool invisible)
{
    struct board *board = session->shared.board;
    bool leaves = session->jobs > 1 || session->shard.of > 0 || session->kept.leaves.length > 0;
    bool over = leaves && run_jobs(session, invisible);
    while (!over) {
        search_once(session, invisible);
        if (!worth_restarting(session))
            break;
        board->config.resume = true;
        board->state = CHILD_STARTING;
        board->hang_check = 0;
    }
    progress_finish(&session->progress, board, session->seconds);
}

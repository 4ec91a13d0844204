/* How a search ended, what it proves, and its report. */
#include <stdlib.h>

#include "cli/options/style.h"
#include "cli/search/result_cache.h"
#include "cli/search/search_steps.h"
#include "cli/search/write_reports.h"
#include "explore/search/strategies.h"
#include "host/exit_codes.h"
#include "host/terminal.h"
#include "machine/unseen.h"
#include "trace/capture.h"

static enum search_end how_it_ended(const struct search_session *session)
{
    const struct options *options = session->options;
    bool over =
        session->ending.end == CHILD_FINISHED && session->shared.board->left == LEFT_NOTHING;
    if (session->nfound && (over || !options->settings.search.keep_going))
        return ENDED_FAILURE;
    if (over)
        return ENDED_SEARCHED;
    if (session->ending.interrupted)
        return ENDED_INTERRUPTED;
    if (session->ending.timed_out || session->ending.end == CHILD_KILLED)
        return ENDED_TIME;
    if (options->execs > 0)
        return ENDED_EXECS;
    return session->nfound ? ENDED_FAILURE : ENDED_SEARCHED;
}

/* Nobody stopped the search, yet it is not finished: something else stopped it, or overwrote
 * its statistics. */
static bool ended_without_cause(const struct search_session *session,
                                const struct result *result)
{
    return result->end == ENDED_SEARCHED && session->ending.end == CHILD_FINISHED &&
           session->shared.board->left != LEFT_NOTHING &&
           (result->coverage.claim.count == 0 ||
            claim_has(&result->coverage.claim, REASON_STOPPED)) &&
           !result->coverage.stats.complete;
}

bool report_result(const struct options *options, const struct result *result, FILE *out)
{
    struct text_style style = options_style(options, out);
    struct buffer text = {0};
    if (result->nfailures)
        text_failures(&text, result, style);
    else
        text_pass(&text, result, style);
    text_measures(&text, result, style);
    write_report(out, &text);
    fflush(out);
    buffer_release(&text);
    return write_machine_reports(options, result);
}

static const char *not_kept_reason(const struct search_session *session)
{
    const struct search_options *search = &session->shared.board->config.search;
    if (session->shared_out)
        return session->nfound > 0
                   ? "failures of several processes can't be kept (--jobs 1 keeps a search)"
                   : "it was stopped while its processes were being started";
    if (search_compares_states(search))
        return "it compares states with those that this process has seen";
    if (session->ending.timed_out || session->ending.interrupted)
        return "it was stopped in the middle of a long execution";
    return "its queue is too large for a file";
}

static void raise_reasons(struct claim *claim, enum claim_reason reason,
                          const struct text_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        claim_raise(claim, reason, names->item[i]);
}

static void add_end_reason(struct result *result)
{
    static const enum claim_reason reasons[] = {
        [ENDED_TIME] = REASON_TIME,
        [ENDED_EXECS] = REASON_EXECUTIONS,
        [ENDED_INTERRUPTED] = REASON_INTERRUPTED,
        [ENDED_FAILURE] = REASON_STOPPED_AT_FAILURE,
    };
    if (result->end != ENDED_SEARCHED)
        claim_raise(&result->coverage.claim, reasons[result->end], NULL);
}

/* If threads may interact unseen, nothing is complete: a reduction relies on seeing every
 * interaction, and a search without reduction preempts threads only at operations that it sees.
 */
static void add_unseen_reasons(const struct search_session *session, struct result *result)
{
    struct coverage *coverage = &result->coverage;
    struct unseen unseen = unseen_find(session->shared.board);
    bool blind = !coverage->instrumented && coverage->threads > 1 &&
                 strategy_has(coverage->strategy, STRATEGY_REDUCES);
    raise_reasons(&coverage->claim, REASON_CODE_NOT_INSTRUMENTED, &unseen.not_instrumented);
    raise_reasons(&coverage->claim, REASON_ASSEMBLY, &unseen.assembly);
    raise_reasons(&coverage->claim, REASON_ASSEMBLY_MOVES, &unseen.moves);
    raise_reasons(&coverage->claim, REASON_UNTOLD, &unseen.untold);
    raise_reasons(&coverage->claim, REASON_OUTSIDE, &unseen.outside);
    raise_reasons(&coverage->claim, REASON_UNANNOUNCED, &unseen.unannounced);
    if (blind)
        claim_raise(&coverage->claim, REASON_BLIND_REDUCTION, coverage->strategy);
    unseen_release(&unseen);
}

int conclude_search(struct search_session *session)
{
    struct result *result = result_new(session->program->name);
    result->end = how_it_ended(session);
    result->seconds = session->kept.seconds;
    if (session->kept.kept)
        result->resume = resume_command(session->program, session->options);
    else if (session->kept.why || session->shared.board->left == LEFT_LOOSE)
        result->not_kept = session->kept.why ? session->kept.why : not_kept_reason(session);
    result->require_complete = session->options->require_complete;
    result->count_traces = session->options->settings.search.must_count;
    result->count_states = session->options->settings.search.count_states;
    result->alone = !session->shared.board->started_threads;
    result->coverage = coverage_capture(session->shared.board, &result->arena);
    if (session->shard.of > 0)
        result->coverage.shard = &session->shard;
    if (ended_without_cause(session, result))
        claim_raise(&result->coverage.claim, REASON_DOUBTFUL, NULL);
    add_end_reason(result);
    add_unseen_reasons(session, result);
    coverage_decide(&result->coverage);
    bool good = trace_failures(session, result);
    int code = result_exit_code(result);
    if (session->nfound && !result->nfailures)
        code = EXIT_INTERNAL;
    bool kept = !session->options->cache || cache_keep(session, result);
    if (!report_result(session->options, result, session->out) ||
        ((!good || !kept) && code == 0))
        code = code ? code : EXIT_INTERNAL;
    result_free(result);
    return code;
}

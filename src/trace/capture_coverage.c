/* What a finished search covered, from its board. */
#include <string.h>

#include "debuginfo/symbolise.h"
#include "trace/capture.h"
#include "trace/verdict.h"

/* Where preemptions were tried, as the end of a sentence; "" where that made no difference. */
static const char *describe_restriction(const struct board *board, struct arena *arena)
{
    static const char *const openings[] = {", only in ", ", never in "};
    struct buffer text = {0};
    for (int list = LIST_PREEMPT_ONLY;
         claim_has(&board->claim, REASON_PLACES) && list <= LIST_NO_PREEMPT; list++) {
        const char *names = board->config.names[list];
        size_t length = strnlen(names, BOARD_TEXT - 1);
        if (length)
            buffer_text(&text, openings[list]);
        for (size_t i = 0; i < length; i++) {
            char one = names[i] == '\n' ? 0 : names[i];
            if (one)
                buffer_add(&text, &one, 1);
            else if (i + 1 < length)
                buffer_text(&text, ", ");
        }
    }
    const char *kept = arena_bytes(arena, text.length ? text.data : "", text.length);
    buffer_release(&text);
    return kept;
}

/* Reports the bounds that the search had finished before it started over, if it had got further
 * then. */
static void take_proven(struct coverage *coverage, const struct search_stats *proven)
{
    struct search_stats *stats = &coverage->stats;
    if (proven->bound_done <= stats->bound_done)
        return;
    coverage->started_over = true;
    stats->bound_done = proven->bound_done;
    stats->nrows = proven->nrows;
    memcpy(stats->row, proven->row, sizeof stats->row);
}

/* "20000 operations, in a loop of main, count.c:11": where the step limit cut an execution. */
static const char *cut_loop(const struct board *board, struct arena *arena)
{
    struct symboliser *symboliser = symboliser_new(board, arena);
    struct source_stack stack = symbolise_stack(symboliser, &board->cut_at, false);
    const struct source_place *place = stack_user_place(&stack);
    struct buffer text = {0};
    buffer_printf(&text, "%u operations", board->cut_depth);
    const char *in = board->cut_in_loop ? "in a loop of" : "in";
    const char *at = board->cut_in_loop ? ", in a loop at" : ", at";
    if (place && place->function)
        buffer_printf(&text, ", %s %s", in, place->function);
    if (place && place->file && place->line) {
        const char *slash = strrchr(place->file, '/');
        buffer_printf(&text, "%s %s:%d", place->function ? "," : at,
                      slash ? slash + 1 : place->file, place->line);
    }
    symboliser_free(symboliser);
    const char *kept = arena_text(arena, text.data);
    buffer_release(&text);
    return kept;
}

struct coverage coverage_capture(const struct board *board, struct arena *arena)
{
    struct coverage coverage = {.strategy =
                                    arena_bytes(arena, board->config.search.strategy,
                                                strnlen(board->config.search.strategy,
                                                        sizeof board->config.search.strategy)),
                                .bound_asked = board->config.search.bound,
                                .fair = board->config.search.fair,
                                .store_buffers = board->config.store_buffers,
                                .stats = board->stats,
                                .threads = board->max_threads,
                                .visible = board->max_visible,
                                .instrumented = board->instrumented,
                                .atomics_seen = board->atomics_seen};
    coverage.fewest_failing = -1;
    coverage.claim = board->claim;
    coverage.restricted = describe_restriction(board, arena);
    if (!coverage.stats.complete)
        take_proven(&coverage, &board->proven);
    if (!coverage.instrumented && coverage.threads > 1)
        claim_raise(&coverage.claim, REASON_NOT_INSTRUMENTED, NULL);
    if (board->cut_depth && claim_has(&coverage.claim, REASON_STEP_LIMIT))
        claim_raise(&coverage.claim, REASON_CUT_LOOP, cut_loop(board, arena));
    return coverage;
}

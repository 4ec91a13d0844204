/* See progress.h. */
#include "cli/session/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board/parent.h"
#include "host/buffer.h"
#include "host/text_layout.h"
#include "host/terminal.h"

#define FIRST_SECONDS   0.3 /* short searches need no live line */
#define REFRESH_SECONDS 0.1
#define ROW_COLUMNS     76
#define SETTLED_SECONDS 1.0 /* an estimate has settled when it has not moved for so long */
#define MOVED           0.2 /* a change by this share is a move */
#define RATE_SECONDS    0.5 /* the rate is that of about so long */
#define ETA_MOST        1e6

static void wipe_line(struct progress *progress)
{
    if (progress->line_open)
        fputs("\r\033[K", progress->out);
    progress->line_open = false;
}

/* Prints a separate line, broken at the width of the terminal. */
static void show_line(const struct progress *progress, const struct buffer *text)
{
    struct buffer line = {0};
    size_t columns = terminal_columns(progress->out);
    add_clean(&line, text->data);
    buffer_text(&line, "\n");
    if (columns)
        wrap_lines(&line, 0, columns, strlen("mazur: "), LONG_WORD_STAYS);
    write_report(progress->out, &line);
    buffer_release(&line);
}

static void add_jobs(const struct progress *progress, struct buffer *text)
{
    if (progress->jobs > 0)
        buffer_printf(text, ", %d job%s", progress->jobs, progress->jobs == 1 ? "" : "s");
    if (progress->why_one)
        buffer_printf(text, " (%s)", progress->why_one);
}

void progress_jobs(struct progress *progress, int jobs, const char *why_one)
{
    struct buffer text = {0};
    bool news = progress->jobs != jobs || progress->why_one != why_one;
    progress->jobs = jobs;
    progress->why_one = why_one;
    if (!progress->introduced || !progress->out || !news)
        return;
    wipe_line(progress);
    buffer_printf(&text, "mazur: %s: searching on", progress->program);
    add_jobs(progress, &text);
    show_line(progress, &text);
    buffer_release(&text);
}

static void introduce_program(struct progress *progress, const struct board *board)
{
    struct buffer text = {0};
    if (progress->introduced || board->max_threads == 0)
        return;
    progress->introduced = true;
    buffer_printf(&text, "mazur: %s: %u thread%s, %u visible operations, ", progress->program,
                  board->max_threads, board->max_threads == 1 ? "" : "s", board->max_visible);
    if (!board_flag(&board->instrumented))
        buffer_printf(&text, "not instrumented: synchronisation calls only%s",
                      progress->asan ? "; AddressSanitizer checks accesses" : "");
    else
        buffer_printf(&text, "%splain memory seen",
                      board_flag(&board->atomics_seen) ? "C11 atomics and " : "");
    add_jobs(progress, &text);
    show_line(progress, &text);
    buffer_release(&text);
}

/* Begins the next column of a row, at `column` if the whole row fits the terminal. */
static void next_column(const struct progress *progress, struct buffer *text, size_t column)
{
    size_t columns = terminal_columns(progress->out);
    if (!columns || columns > ROW_COLUMNS)
        buffer_pad(text, 0, column);
    else if (text->length && text->data[text->length - 1] != ' ')
        buffer_text(text, "  ");
}

static void show_row(struct progress *progress, const struct bound_row *row, double seconds)
{
    struct buffer text = {0}, count = {0};
    buffer_count(&count, row->executions);
    buffer_printf(&text, "bound %-2d %9s execution%s", row->bound, count.data,
                  row->executions == 1 ? " " : "s");
    next_column(progress, &text, 38);
    bool part = progress->part_of > 0 && progress->rows >= progress->whole_rows;
    buffer_text(&text, part ? "all of its part" : "all");
    next_column(progress, &text, 62);
    buffer_printf(&text, "%6.1f s",
                  row->nanoseconds ? (double)row->nanoseconds * 1e-9 : seconds);
    show_line(progress, &text);
    buffer_release(&text);
    buffer_release(&count);
}

static void show_rows(struct progress *progress, const struct search_stats *stats,
                      double seconds)
{
    for (; progress->rows < stats->nrows; progress->rows++) {
        wipe_line(progress);
        show_row(progress, &stats->row[progress->rows], seconds);
    }
}

static void add_rate(struct buffer *text, double rate)
{
    if (rate >= 1e6)
        buffer_printf(text, "%.1f M exec/s", rate / 1e6);
    else if (rate >= 1e3)
        buffer_printf(text, "%.0f k exec/s", rate / 1e3);
    else
        buffer_printf(text, "%.0f exec/s", rate);
}

void progress_shard(struct progress *progress, int index, int of, int rows)
{
    struct buffer text = {0};
    progress->part_of = of;
    progress->whole_rows = rows;
    if (!progress->introduced || !progress->out)
        return;
    wipe_line(progress);
    buffer_printf(&text, "mazur: %s: divided; searching part %d of %d", progress->program,
                  index, of);
    show_line(progress, &text);
    buffer_release(&text);
}

/* Several searches report now and then: a look that finds nothing new is no news about the
 * rate. Each interval between reports counts by its length. */
static void update_rate(struct progress *progress, uint64_t executions, double seconds)
{
    double passed = seconds - progress->last_seconds;
    if (passed <= 0 || executions <= progress->last_executions)
        return;
    double now = (double)(executions - progress->last_executions) / passed;
    double share = progress->rate > 0 ? 1 - exp(-passed / RATE_SECONDS) : 1;
    progress->rate += share * (now - progress->rate);
    progress->last_executions = executions;
    progress->last_seconds = seconds;
}

static uint64_t executions_before(const struct search_stats *stats)
{
    uint64_t before = stats->nrows ? stats->row[stats->nrows - 1].executions : 0;
    return before < stats->executions ? before : stats->executions;
}

/* Estimated executions of the current bound. If the strategy has no estimate, extrapolate from
 * the bounds before: with n places for a preemption there are about n^c / c! ways to place c of
 * them, so each bound grows by a slightly smaller factor than the one before. 0: unknown. */
static double expected_executions(const struct search_stats *stats)
{
    int n = stats->nrows;
    if (stats->estimate > 0) /* it includes the bounds before */
        return stats->estimate - (double)executions_before(stats);
    if (n < 2 || stats->bound != stats->row[n - 1].bound + 1)
        return 0;
    double last = (double)stats->row[n - 1].executions,
           before = (double)stats->row[n - 2].executions;
    double growth = before > 0 ? last / before * (stats->bound - 1) / stats->bound : 0;
    return growth > 1 ? last * (growth - 1) : 0;
}

static void begin_settling(struct settling *settling, int bound, double here, double seconds)
{
    *settling = (struct settling){.bound = bound,
                                  .started = true,
                                  .first_seconds = seconds,
                                  .first = here,
                                  .reported = seconds,
                                  .here = here,
                                  .since = seconds};
}

static bool estimate_moved(const struct settling *settling, double whole)
{
    return fabs(whole - settling->value) > MOVED * settling->value;
}

/* Takes news of the search: `here` of `whole` executions of the bound are done. The end is
 * predicted from all of the bound: reports of several searches come in bursts. */
static void take_report(struct settling *settling, double here, double whole, double seconds)
{
    double passed = seconds - settling->first_seconds, done = here - settling->first;
    double end = passed > 0 && done > 0 ? seconds + (whole - here) * passed / done : 0;
    double left = settling->end - seconds;
    /* the end of what ends soon may move by the time of a report */
    bool moved =
        settling->end <= 0 || fabs(end - settling->end) > fmax(MOVED * left, SETTLED_SECONDS);
    /* many small moves: what is shown is no longer true */
    if (settling->eta > 0)
        moved |= end - seconds > (1 + MOVED) * settling->eta + SETTLED_SECONDS;
    moved |= estimate_moved(settling, whole);
    settling->reported = seconds;
    settling->here = here;
    settling->end = end;
    if (!moved)
        return;
    settling->since = seconds;
    settling->value = whole;
    settling->eta = 0;
}

/* The estimate if it has settled, else 0. If the fraction would be smaller than one already
 * shown, the estimate had not settled, and must settle again. Time without a report settles
 * nothing. */
static double settle_estimate(struct settling *settling, const struct search_stats *stats,
                              double here, double seconds)
{
    double whole = expected_executions(stats);
    if (!settling->started || settling->bound != stats->bound || here < settling->here)
        begin_settling(settling, stats->bound, here, seconds);
    if (whole <= here || whole >= 1e15)
        return 0;
    if (here > settling->here || estimate_moved(settling, whole))
        take_report(settling, here, whole, seconds);
    if (settling->reported - settling->since < SETTLED_SECONDS ||
        here / whole < settling->shown)
        return 0;
    settling->shown = here / whole;
    return whole;
}

/* Seconds until the end of the bound; 0: unknown. Without news it counts down; news of a later
 * end does not make it grow: a large one unsettles the estimate. */
static double settle_eta(struct settling *settling, double seconds)
{
    double eta = settling->end - seconds;
    if (settling->end <= 0 || eta <= 0 || eta >= ETA_MOST)
        return 0;
    if (settling->eta > 0 && eta > settling->eta)
        eta = settling->eta;
    settling->eta = eta;
    return eta;
}

/* A search that starts over with what it learned counts from 0 again; the user does not. */
static uint64_t count_executions(struct progress *progress, const struct board *board,
                                 const struct search_stats *stats)
{
    if (progress->round != board->round)
        progress->earlier = progress->last_executions;
    progress->round = board->round;
    uint64_t now = progress->earlier + stats->executions;
    return now > progress->last_executions ? now : progress->last_executions;
}

/* Does the search repeat bounds whose rows were shown, with what it has learned since? */
static bool is_behind(const struct progress *progress, const struct search_stats *stats)
{
    return progress->rows > stats->nrows;
}

/* "bound 2  12,480 / ~31,000           41 %  410 k exec/s       eta 0.1 s" */
static void show_live(struct progress *progress, const struct board *board,
                      const struct search_stats *stats, double seconds)
{
    struct buffer text = {0}, counts = {0};
    uint64_t executions = count_executions(progress, board, stats);
    double here = (double)(stats->executions - executions_before(stats));
    double whole = settle_estimate(&progress->settling, stats, here, seconds);
    update_rate(progress, executions, seconds);
    if (is_behind(progress, stats))
        whole = 0;
    buffer_count(&counts, executions);
    if (whole > 0) {
        buffer_text(&counts, " / ~");
        buffer_count(&counts, executions + (uint64_t)(whole - here));
    }
    if (stats->bound >= 0 && !is_behind(progress, stats))
        buffer_printf(&text, "bound %-2d ", stats->bound);
    buffer_printf(&text, "%9s", counts.data);
    next_column(progress, &text, 38);
    if (whole > 0)
        buffer_printf(&text, "%2.0f %%  ", floor(100 * here / whole));
    add_rate(&text, progress->rate);
    next_column(progress, &text, 62);
    double eta = whole > 0 ? settle_eta(&progress->settling, seconds) : 0;
    if (eta > 0)
        buffer_printf(&text, "eta %.1f s", eta);
    cut_text(&text, terminal_columns(progress->out) - 1); /* the cursor takes one */
    fprintf(progress->out, "\r\033[K%s", text.data);
    progress->line_open = true;
    buffer_release(&text);
    buffer_release(&counts);
}

void progress_tick(const struct board *board, double seconds, void *context)
{
    struct progress *progress = context;
    if (!progress_is_due(progress, board, seconds))
        return;
    /* the child keeps writing during this copy: the numbers are only for display */
    struct search_stats stats = board->stats;
    stats_sanitize(&stats);
    progress_show(progress, board, &stats, seconds);
}

bool progress_is_due(const struct progress *progress, const struct board *board, double seconds)
{
    return progress->out && board->started_threads && seconds >= progress->next;
}

void progress_show(struct progress *progress, const struct board *board,
                   const struct search_stats *stats, double seconds)
{
    progress->next = seconds + REFRESH_SECONDS;
    if (stats->executions || stats->nrows)
        introduce_program(progress, board);
    show_rows(progress, stats, seconds);
    if (progress->live && seconds > FIRST_SECONDS)
        show_live(progress, board, stats, seconds);
    fflush(progress->out);
}

void progress_finish(struct progress *progress, const struct board *board, double seconds)
{
    if (!progress->out || !board->started_threads)
        return;
    wipe_line(progress);
    introduce_program(progress, board);
    show_rows(progress, &board->stats, seconds);
    if (board->proven.bound_done > board->stats.bound_done) /* it has started over since */
        show_rows(progress, &board->proven, seconds);
    fflush(progress->out);
}

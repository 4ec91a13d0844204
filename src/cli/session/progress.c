/* See progress.h. */
#include "cli/session/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board/parent.h"
#include "host/buffer.h"
#include "host/terminal.h"

#define FIRST_SECONDS   0.3 /* short searches need no live line */
#define REFRESH_SECONDS 0.1

static void wipe_line(struct progress *progress)
{
    if (progress->line_open)
        fputs("\r\033[K", progress->out);
    progress->line_open = false;
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
    write_line(progress->out, "%s", text.data);
    buffer_release(&text);
}

static void show_row(struct progress *progress, const struct bound_row *row, double seconds)
{
    struct buffer text = {0}, count = {0};
    buffer_count(&count, row->executions);
    buffer_printf(&text, "bound %-2d %9s execution%s", row->bound, count.data,
                  row->executions == 1 ? " " : "s");
    buffer_pad(&text, 0, 38);
    buffer_text(&text, "all");
    buffer_pad(&text, 0, 62);
    buffer_printf(&text, "%6.1f s",
                  row->nanoseconds ? (double)row->nanoseconds * 1e-9 : seconds);
    write_line(progress->out, "%s", text.data);
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

static void update_rate(struct progress *progress, uint64_t executions, double seconds)
{
    double passed = seconds - progress->last_seconds;
    if (passed <= 0 || executions < progress->last_executions)
        return;
    double now = (double)(executions - progress->last_executions) / passed;
    progress->rate = progress->rate > 0 ? 0.8 * progress->rate + 0.2 * now : now;
    progress->last_executions = executions;
    progress->last_seconds = seconds;
}

/* Executions of the bound being searched. Where the strategy has no estimate of its own the
 * bounds before tell: with n places for a preemption there are about n^c / c! ways to have c of
 * them, so that each bound multiplies by a little less than the one before. 0: no idea yet. */
static double expected_executions(const struct search_stats *stats)
{
    int n = stats->nrows;
    if (stats->estimate > 0 || n < 2 || stats->bound != stats->row[n - 1].bound + 1)
        return stats->estimate;
    double last = (double)stats->row[n - 1].executions,
           before = (double)stats->row[n - 2].executions;
    double growth = before > 0 ? last / before * (stats->bound - 1) / stats->bound : 0;
    return growth > 1 ? last * (growth - 1) : 0;
}

/* "bound 2  12,480 / ~31,000           41 %  410 k exec/s       eta 0.1 s" */
static void show_live(struct progress *progress, const struct search_stats *stats,
                      double seconds)
{
    struct buffer text = {0}, counts = {0};
    uint64_t before = stats->nrows ? stats->row[stats->nrows - 1].executions : 0;
    double here = stats->executions >= before ? (double)(stats->executions - before) : 0;
    double whole = expected_executions(stats);
    update_rate(progress, stats->executions, seconds);
    buffer_count(&counts, stats->executions);
    bool estimated = whole > here && whole < 1e15;
    if (estimated) {
        buffer_text(&counts, " / ~");
        buffer_count(&counts, before + (uint64_t)whole);
    }
    if (stats->bound >= 0)
        buffer_printf(&text, "bound %-2d ", stats->bound);
    buffer_printf(&text, "%9s", counts.data);
    buffer_pad(&text, 0, 38);
    if (estimated)
        buffer_printf(&text, "%2.0f %%  ", floor(100 * here / whole));
    add_rate(&text, progress->rate);
    buffer_pad(&text, 0, 62);
    if (estimated && progress->rate > 0 && (whole - here) / progress->rate < 1e6)
        buffer_printf(&text, "eta %.1f s", (whole - here) / progress->rate);
    fprintf(progress->out, "\r\033[K%s", text.data);
    progress->line_open = true;
    buffer_release(&text);
    buffer_release(&counts);
}

void progress_tick(const struct board *board, double seconds, void *context)
{
    struct progress *progress = context;
    if (!progress->out || !board->started_threads || seconds < progress->next)
        return;
    progress->next = seconds + REFRESH_SECONDS;
    /* the child goes on writing while this is copied: it is for the eye only */
    struct search_stats stats = board->stats;
    stats_sanitize(&stats);
    if (stats.executions)
        introduce_program(progress, board);
    show_rows(progress, &stats, seconds);
    if (progress->live && seconds > FIRST_SECONDS)
        show_live(progress, &stats, seconds);
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

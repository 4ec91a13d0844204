/* The lines of a search that is under way: what they show with the strategy's own
 * estimate, with one made from the bounds before, and with none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/session/progress.h"
#include "promela/verifier/live.h"

/* A search at bound 2 that has run for two seconds: 10 and 400 executions until then. */
static struct board *under_way(void)
{
    struct board *board = calloc(1, sizeof *board);
    assert_non_null(board);
    board->started_threads = 1;
    board->max_threads = 3;
    board->max_visible = 41;
    board->instrumented = board->atomics_seen = 1;
    board->stats.bound = 2;
    board->stats.executions = 2400;
    board->stats.nrows = 2;
    board->stats.row[0] = (struct bound_row){.bound = 0, .executions = 10};
    board->stats.row[1] = (struct bound_row){.bound = 1, .executions = 400};
    return board;
}

/* What is printed after two seconds. Two looks come before, after a quarter and half of them,
 * at as many of the executions: an estimate is shown when it has stayed for a second. */
static char *printed(struct board *board, bool live)
{
    char *text = NULL;
    size_t size;
    struct progress progress = {
        .out = open_memstream(&text, &size), .live = live, .program = "queue_test"};
    board->stats.executions /= 4;
    progress_tick(board, 0.5, &progress);
    board->stats.executions *= 2;
    progress_tick(board, 1, &progress);
    board->stats.executions *= 2;
    progress_tick(board, 2, &progress);
    fclose(progress.out);
    return text;
}

static void shows(struct board *board, bool live, const char *wanted)
{
    char *text = printed(board, live);
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in '%s'", wanted, text);
    free(text);
}

static void lacks(struct board *board, bool live, const char *unwanted)
{
    char *text = printed(board, live);
    if (strstr(text, unwanted))
        fail_msg("'%s' is in '%s'", unwanted, text);
    free(text);
}

static void estimate_of_the_strategy(void **state)
{
    (void)state;
    struct board *board = under_way();
    board->stats.estimate =
        8400; /* 400 before, 2,000 of 8,000 at this bound, 1,200 per second */
    shows(board, true, "3 threads, 41 visible operations, C11 atomics and plain memory seen");
    shows(board, true, "bound 2  2,400 / ~8,400");
    shows(board, true, "25 %  1 k exec/s");
    shows(board, true, "eta 5.0 s");
    free(board);
}

/* A board whose estimate moves all the time. */
static void an_estimate_that_has_not_settled_is_not_shown(void **state)
{
    (void)state;
    struct board *board = under_way();
    char *text = NULL;
    size_t size;
    struct progress progress = {
        .out = open_memstream(&text, &size), .live = true, .program = "queue_test"};
    for (int second = 1; second < 9; second++) {
        board->stats.executions = 2400 + 100 * (uint64_t)second;
        board->stats.estimate = 8000 << second;
        progress_tick(board, second, &progress);
    }
    fclose(progress.out);
    assert_null(strchr(text, '~'));
    assert_null(strstr(text, "eta"));
    free(text);
    free(board);
}

/* Ten looks a second at a search that reports 4,000 executions every four seconds, of about
 * 80,000; with `seconds` of it shown. */
static char *printed_in_bursts(int seconds)
{
    struct board *board = under_way();
    char *text = NULL;
    size_t size;
    struct progress progress = {
        .out = open_memstream(&text, &size), .live = true, .program = "queue_test"};
    board->stats.estimate = 80400;
    for (int look = 4; look < 10 * seconds; look++) {
        board->stats.executions = 400 + 4000 * (1 + (uint64_t)look / 40);
        progress_tick(board, look / 10.0, &progress);
    }
    fclose(progress.out);
    free(board);
    return text;
}

static void silence_settles_nothing(void **state)
{
    (void)state;
    char *text = printed_in_bursts(4); /* one report, and three seconds without */
    assert_non_null(strstr(text, "4,400 "));
    assert_null(strchr(text, '~'));
    assert_null(strstr(text, "eta"));
    free(text);
}

static void an_eta_never_grows_between_reports(void **state)
{
    (void)state;
    char *text = printed_in_bursts(60);
    double last = 1e9, least = 1e9;
    for (const char *at = text; (at = strstr(at, "eta ")); at++) {
        double eta = strtod(at + 4, NULL);
        if (eta > last)
            fail_msg("eta %.1f after %.1f", eta, last);
        last = eta;
        least = eta < least ? eta : least;
    }
    assert_true(least < 25); /* it is shown, and is about right: 80 seconds in all */
    assert_true(least > 15);
    free(text);
}

/* 400 = 40 × 10, so bound 2 is expected to multiply by 40 × 1/2: to 8,000 in all. */
static void estimate_from_the_bounds_before(void **state)
{
    (void)state;
    struct board *board = under_way();
    shows(board, true, "bound 2  2,400 / ~8,000");
    shows(board, true, "26 %");
    shows(board, true, "eta 4.7 s");
    free(board);
}

static void no_estimate_is_not_made_up(void **state)
{
    (void)state;
    struct board *board = under_way();
    board->stats.nrows = 1; /* one bound tells nothing about the next */
    board->stats.bound = 1;
    lacks(board, true, "eta");
    lacks(board, true, "~");
    shows(board, true, "bound 1      2,400 ");
    board->stats.nrows = 2;
    board->stats.row[1].executions = 10; /* no growth */
    board->stats.bound = 2;
    lacks(board, true, "eta");
    board->stats.row[1].executions = 400;
    board->stats.executions = 400 + 7600; /* more than was expected */
    lacks(board, true, "eta");
    lacks(board, true, "~");
    free(board);
}

static void a_pipe_gets_lines_only(void **state)
{
    (void)state;
    struct board *board = under_way();
    lacks(board, false, "\r");
    lacks(board, false, "eta");
    shows(board, false, "bound 0         10 executions         all");
    shows(board, false, "bound 1        400 executions         all");
    free(board);
}

static void a_model_tells_its_states(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    struct live_line line = {.out = open_memstream(&text, &size)};
    live_show(&line, 1000, 1000000, 0.1); /* too early */
    fflush(line.out);
    assert_string_equal(text, "");
    live_show(&line, 1234000, 56000000, 2);
    live_show(&line, 1235000, 56000000, 2.01); /* too soon after it */
    live_wipe(&line);
    live_wipe(&line);
    fflush(line.out);
    assert_string_equal(text, "\r\033[K1,234,000 states  617 k/s  56 MB  2.0 s\r\033[K");
    line.what = "safe";
    line.most_bytes = 4000000000;
    line.most_seconds = 60;
    live_show(&line, 1234000, 56000000, 3);
    fclose(line.out);
    assert_non_null(
        strstr(text, "\r\033[Ksafe  1,234,000 states  494 k/s  56 of 4000 MB  3.0 of 60 s"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_of_the_strategy),
        cmocka_unit_test(an_estimate_that_has_not_settled_is_not_shown),
        cmocka_unit_test(silence_settles_nothing),
        cmocka_unit_test(an_eta_never_grows_between_reports),
        cmocka_unit_test(estimate_from_the_bounds_before),
        cmocka_unit_test(no_estimate_is_not_made_up),
        cmocka_unit_test(a_pipe_gets_lines_only),
        cmocka_unit_test(a_model_tells_its_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What gdb's script gets to know of a trace (report/files/debug_session.h), the layout in which
 * it reads the program's state (runtime/core/executor.h), and a board that is made as new for
 * the next run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <jansson.h>

#include "board/parent.h"
#include "report/files/debug_session.h"
#include "runtime/core/executor.h"

static struct trace_event event(int tid, int from, enum switch_reason reason, int kind,
                                const char *object)
{
    return (struct trace_event){
        .tid = tid,
        .from = from,
        .reason = reason,
        .reads_from = TRACE_NO_EVENT,
        .operation = {.kind = kind, .object = object, .second = "", .call = ""},
        .other = -1,
        .label = ""};
}

/* main locks, T1 is preempted before its unlock, main fails. Names are hostile. */
static struct trace *small_trace(void)
{
    static struct trace_thread threads[2];
    static struct trace_event events[4];
    struct trace *trace = trace_new();
    threads[0] = (struct trace_thread){.name = "",
                                       .function = "main",
                                       .parent = -1,
                                       .pending = {.object = "", .second = "", .call = ""}};
    threads[1] = (struct trace_thread){.name = "",
                                       .function = "run\033[31m",
                                       .pending = {.object = "", .second = "", .call = ""}};
    events[0] = event(0, -1, SWITCH_NONE, OP_MUTEX_LOCK, "m\xff");
    events[1] = event(1, 0, SWITCH_YIELDED, OP_START, "");
    events[2] = event(0, 1, SWITCH_PREEMPTED, OP_MUTEX_UNLOCK, "m");
    events[3] = event(1, 0, SWITCH_BLOCKED, OP_MUTEX_UNLOCK, "other");
    trace->program = "p\n";
    trace->nthreads = 2;
    trace->thread = threads;
    trace->nevents = 4;
    trace->event = events;
    trace->failure.kind = FAILURE_ASSERTION;
    trace->failure.message = "bad\a";
    trace->failure.detail = "";
    trace->failure.tid = 0;
    return trace;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

static void session_has_the_words_of_the_report(void **state)
{
    (void)state;
    struct trace *trace = small_trace();
    char *document = session_json(trace, "'/a b/mazur' debug", true);
    json_t *session = json_loads(document, 0, NULL);
    assert_non_null(session);
    assert_string_equal(text(session, "launcher"), "'/a b/mazur' debug");
    json_t *threads = json_object_get(session, "threads");
    assert_string_equal(text(json_array_get(threads, 0), "label"), "main");
    assert_string_equal(text(json_array_get(threads, 0), "function"), "main");
    assert_string_equal(text(json_array_get(threads, 1), "label"), "T1");
    json_t *events = json_object_get(session, "events");
    assert_int_equal(json_array_size(events), 4);
    assert_string_equal(text(json_array_get(events, 0), "switch"), "none");
    assert_string_equal(text(json_array_get(events, 0), "why"), "");
    assert_string_equal(text(json_array_get(events, 2), "switch"), "preempted");
    /* what it is preempted before is its next event */
    assert_string_equal(text(json_array_get(events, 2), "why"),
                        "T1 is preempted before unlock other");
    json_t *failure = json_object_get(session, "failure");
    assert_int_equal(json_integer_value(json_object_get(failure, "kind")), FAILURE_ASSERTION);
    assert_string_equal(text(failure, "name"), "assertion");
    json_decref(session);
    free(document);
    trace_free(trace);
}

static void session_is_clean(void **state)
{
    (void)state;
    struct trace *trace = small_trace();
    char *document = session_json(trace, "mazur", false);
    for (const char *at = document; *at; at++)
        assert_false((unsigned char)*at < 0x20);
    /* nor as an escape of JSON, which the script would turn into the character */
    assert_null(strstr(document, "\\u00"));
    assert_null(strstr(document, "\\n"));
    free(document);
    trace_free(trace);
}

/* src/gdb/session.py: View.FORMAT, STOP_ON, STOP_AT, and its numbers for reasons and kinds. */
static void layout_is_what_the_script_reads(void **state)
{
    (void)state;
    assert_int_equal(offsetof(struct debugger_view, stop_on), 16);
    assert_int_equal(offsetof(struct debugger_view, stop_at), 20);
    assert_int_equal(offsetof(struct debugger_view, main), 8 * 4);
    assert_int_equal(offsetof(struct debugger_view, message), 8 * 4 + 3 * 8);
    assert_int_equal(offsetof(struct debugger_view, enabled), 8 * 4 + 3 * 8 + 512);
    assert_int_equal(offsetof(struct debugger_view, os_thread), 8 * 4 + 3 * 8 + 512 + 3 * 64);
    assert_int_equal(sizeof(struct debugger_view), 8 * 4 + 3 * 8 + 512 + 3 * 64 + 512 * 4);
    assert_int_equal(SWITCH_PREEMPTED, 1);
    assert_int_equal(SWITCH_SPINNING, 5);
    assert_int_equal(FAILURE_DEADLOCK, 5);
    assert_int_equal(FAILURE_LIVELOCK, 6);
    assert_int_equal(FAILURE_NONDETERMINISM, 8);
}

static void board_is_as_new(void **state)
{
    (void)state;
    struct shared shared;
    assert_true(shared_open(&shared));
    shared.board->nevents = 7;
    shared.board->event[7].tid = 3;
    shared.board->schedule[BOARD_SCHEDULE - 1] = 9;
    shared.board->stats.bound = 5;
    assert_true(shared_reset(&shared));
    assert_int_equal(shared.board->nevents, 0);
    assert_int_equal(shared.board->event[7].tid, 0);
    assert_int_equal(shared.board->schedule[BOARD_SCHEDULE - 1], 0);
    assert_int_equal(shared.board->magic, BOARD_MAGIC);
    assert_int_equal(shared.board->version, BOARD_VERSION);
    assert_int_equal(shared.board->stats.bound, BOUND_NONE);
    shared_close(&shared);
}

/* What the parent has checked stays as it is, whoever still writes to the segment. */
static void frozen_board_is_the_parents(void **state)
{
    (void)state;
    struct shared shared;
    assert_true(shared_open(&shared));
    shared.board->config.search.bound = 3;
    strcpy(shared.board->config.search.strategy, "icb");
    shared_give(&shared);
    struct board *other =
        mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, shared.board_fd, 0);
    assert_true(other != MAP_FAILED);
    struct board *address = shared.board;
    /* what a child may leave */
    other->nevents = UINT32_MAX;
    other->nplaces = UINT32_MAX;
    memset(&other->instrumented, 0x42, 1);
    memset(&other->module[0].instrumented, 0x42, 1);
    other->nmodules = 1;
    other->nthreads = 2;
    other->thread[1].parent = 1;
    other->event[0].tid = 5; /* past nthreads */
    other->thread[5].nlocks = UINT32_MAX;
    other->config.mode = 99;
    other->config.search.bound = INT32_MAX;
    strcpy(other->config.search.strategy, "no such thing");
    assert_true(shared_freeze(&shared));
    assert_ptr_equal(shared.board, address);
    assert_int_equal(shared.board->nevents, BOARD_EVENTS);
    assert_int_equal(shared.board->nplaces, BOARD_PLACES);
    assert_int_equal(board_flag(&shared.board->instrumented), 1);
    assert_int_equal(*(unsigned char *)&shared.board->module[0].instrumented, 1);
    assert_int_equal(shared.board->thread[1].parent, 0);
    assert_int_equal(shared.board->thread[5].nlocks, BOARD_LOCKS_HELD);
    assert_int_equal(shared.board->config.mode, 0);
    assert_int_equal(shared.board->config.search.bound, 3);
    assert_string_equal(shared.board->config.search.strategy, "icb");
    other->nthreads = 77;
    assert_int_equal(shared.board->nthreads, 2);
    /* another child: the parent's values count, and both see the same again */
    shared.board->nevents = 5;
    assert_true(shared_thaw(&shared));
    assert_int_equal(other->nevents, 5);
    assert_int_equal(other->nthreads, 2);
    strcpy(other->config.search.strategy, "bpor");
    assert_true(shared_freeze(&shared));
    assert_string_equal(shared.board->config.search.strategy, "bpor");
    munmap(other, BOARD_BYTES);
    shared_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(session_has_the_words_of_the_report),
        cmocka_unit_test(session_is_clean),
        cmocka_unit_test(layout_is_what_the_script_reads),
        cmocka_unit_test(frozen_board_is_the_parents),
        cmocka_unit_test(board_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

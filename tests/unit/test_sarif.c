/* SARIF of a made-up trace: the order over all threads, the stacks of a memory error, texts
 * that are no UTF-8. Whether it is SARIF at all: tests/formats, against the standard's schema.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/files/formats.h"
#include "trace/result.h"

static struct source_place places[] = {{"push", "dir/a queue.c", 88, 0, false, false},
                                       {"main", "/src/\xff&\".c", 10, 0, false, false},
                                       {"start_thread", NULL, 0, 0, true, false}};

/* Three threads, of which the last does nothing; threads 0 and 1 alternate. */
static struct trace *sample(void)
{
    struct trace *trace = trace_new();
    trace->program = trace->output = "";
    trace->nthreads = 3;
    trace->thread = arena_alloc(&trace->arena, 3 * sizeof *trace->thread);
    for (int i = 0; i < 3; i++)
        trace->thread[i] = (struct trace_thread){
            .name = "", .function = i ? "push\n" : "", .parent = i - 1, .waits_for = -1};
    trace->nevents = 4;
    trace->event = arena_alloc(&trace->arena, 4 * sizeof *trace->event);
    for (int i = 0; i < 4; i++)
        trace->event[i] =
            (struct trace_event){.tid = i % 2,
                                 .from = 1 - i % 2,
                                 .reason = i == 2 ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
                                 .reads_from = TRACE_NO_EVENT,
                                 .operation = {OP_STORE, OP_WRITES, __ATOMIC_RELEASE, 8,
                                               "q.\xc3head", "", false, ""},
                                 .other = -1,
                                 .label = "",
                                 .stack = {i == 3 ? 0u : 3u, places}};
    trace->failure = (struct trace_failure){.kind = FAILURE_MEMORY,
                                            .message = "use after \x01 free \xfe",
                                            .detail = "",
                                            .tid = 1,
                                            .execution = 12,
                                            .stack = {3, places},
                                            .has_block = true,
                                            .allocated = {2, places},
                                            .freed = {1, places}};
    trace->coverage.strategy = "icb";
    return trace;
}

static json_t *parsed(char *text)
{
    json_t *log = json_loads(text, 0, NULL);
    assert_non_null(log);
    assert_string_equal(json_string_value(json_object_get(log, "version")), "2.1.0");
    free(text);
    return log;
}

static const json_t *first(const json_t *object, const char *name)
{
    return json_array_get(json_object_get(object, name), 0);
}

static void has_rule_and_stacks(void **state)
{
    (void)state;
    struct trace *trace = sample();
    json_t *log = parsed(format_trace(FORMAT_SARIF, trace));
    const json_t *result = first(first(log, "runs"), "results");
    assert_string_equal(json_string_value(json_object_get(result, "ruleId")), "memory-error");
    assert_int_equal(json_array_size(json_object_get(result, "stacks")), 3);
    const json_t *location = json_object_get(first(result, "locations"), "physicalLocation");
    const json_t *artifact = json_object_get(location, "artifactLocation");
    assert_string_equal(json_string_value(json_object_get(artifact, "uri")), "dir/a%20queue.c");
    json_decref(log);
    trace_free(trace);
}

static void order_is_over_all_threads(void **state)
{
    (void)state;
    struct trace *trace = sample();
    json_t *log = parsed(format_trace(FORMAT_SARIF, trace)), *flow, *location;
    const json_t *result = first(first(log, "runs"), "results");
    const json_t *flows = json_object_get(first(result, "codeFlows"), "threadFlows");
    size_t i, j, seen = 0;
    assert_int_equal(json_array_size(flows), 2); /* not the thread without a location */
    json_array_foreach(flows, i, flow)
    {
        json_int_t last = 0;
        json_array_foreach(json_object_get(flow, "locations"), j, location)
        {
            json_int_t order = json_integer_value(json_object_get(location, "executionOrder"));
            assert_true(order > last && order <= 5);
            /* events 1, 3 are of main; 2, 4 and the failure of T1 */
            assert_int_equal((order - 1) % 2, order == 5 ? 0 : (json_int_t)i);
            assert_int_equal(strcmp(json_string_value(json_object_get(location, "importance")),
                                    "essential") == 0,
                             order == 3 || order == 5);
            seen |= (size_t)1 << order;
            last = order;
        }
    }
    assert_int_equal(seen, 0x3e);
    json_decref(log);
    trace_free(trace);
}

static void nothing_found_is_a_run_too(void **state)
{
    (void)state;
    struct result *result = result_new("queue");
    result->coverage.strategy = "icb";
    json_t *log = parsed(sarif_result(result));
    assert_int_equal(json_array_size(json_object_get(first(log, "runs"), "results")), 0);
    json_decref(log);
    result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_rule_and_stacks),
        cmocka_unit_test(order_is_over_all_threads),
        cmocka_unit_test(nothing_found_is_a_run_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

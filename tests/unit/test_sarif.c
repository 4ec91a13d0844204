/* SARIF output against what the 2.1.0 schema asks of the objects that Mazur writes: required
 * and allowed properties (the schema allows no others), enumerations, minima, URI characters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/sarif.h"

/* A kind of object: "name!" is required, "name" allowed, "name:kind" holds (a list of) kind. */
static const struct {
    const char *kind;
    const char *properties;
} schema[] = {
    {"log", "$schema version! runs!:run"},
    {"run", "tool!:tool invocations:invocation results:result columnKind"},
    {"tool", "driver!:driver"},
    {"driver", "name! version rules:rule"},
    {"rule", "id! shortDescription:message"},
    {"invocation", "executionSuccessful! toolExecutionNotifications:notification"},
    {"notification", "level message!:message"},
    {"result",
     "ruleId level message!:message locations:location codeFlows:codeFlow stacks:stack "
     "properties"},
    {"message", "text!"},
    {"location", "physicalLocation:physical logicalLocations:logical message:message"},
    {"physical", "artifactLocation!:artifact region:region"},
    {"artifact", "uri!"},
    {"region", "startLine!"},
    {"logical", "fullyQualifiedName kind"},
    {"codeFlow", "threadFlows!:threadFlow"},
    {"threadFlow", "id message:message locations!:flowLocation"},
    {"flowLocation", "location:location executionOrder importance"},
    {"stack", "message:message frames!:frame"},
    {"frame", "location:location"},
};

static void check_object(const json_t *object, const char *kind);

static void check_leaf(const char *name, const json_t *value)
{
    if (strcmp(name, "level") == 0)
        assert_non_null(strstr("none note warning error", json_string_value(value)));
    else if (strcmp(name, "importance") == 0)
        assert_non_null(strstr("important essential unimportant", json_string_value(value)));
    else if (strcmp(name, "startLine") == 0 || strcmp(name, "executionOrder") == 0)
        assert_true(json_integer_value(value) >= 1);
    else if (strcmp(name, "uri") == 0)
        assert_int_equal(strspn(json_string_value(value),
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~:/%"),
                         json_string_length(value));
    else if (strcmp(name, "text") == 0)
        assert_true(json_is_string(value));
}

static void check_value(const char *name, const json_t *value, const char *kind)
{
    size_t index;
    json_t *item;
    if (!kind)
        check_leaf(name, value);
    else if (json_is_array(value))
        json_array_foreach(value, index, item) check_object(item, kind);
    else
        check_object(value, kind);
}

/* Take "name!:kind" apart; returns the number of the schema's properties that are there. */
static size_t check_property(const json_t *object, char *property)
{
    char *kind = strchr(property, ':');
    if (kind)
        *kind++ = '\0';
    char *mark = strchr(property, '!');
    if (mark)
        *mark = '\0';
    const json_t *value = json_object_get(object, property);
    if (mark && !value)
        fail_msg("%s is missing", property);
    if (value)
        check_value(property, value, kind);
    return value != NULL;
}

static void check_object(const json_t *object, const char *kind)
{
    const char *properties = NULL;
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        if (strcmp(schema[i].kind, kind) == 0)
            properties = schema[i].properties;
    assert_non_null(properties);
    assert_true(json_is_object(object));
    char *words = strdup(properties), *rest = words, *word;
    size_t known = 0;
    while ((word = strsep(&rest, " ")))
        known += check_property(object, word);
    if (known != json_object_size(object))
        fail_msg("a %s has a property that the schema does not know", kind);
    free(words);
}

/* --- Traces ----------------------------------------------------------------------------------
 */

static struct trace_place places[] = {{"push", "dir/a queue.c", 88, false},
                                      {"main", "/src/\xff&\".c", 10, false},
                                      {"start_thread", NULL, 0, true}};

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
        trace->event[i] = (struct trace_event){
            .tid = i % 2,
            .from = 1 - i % 2,
            .reason = i == 2 ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
            .reads_from = TRACE_NO_EVENT,
            .operation = {OP_STORE, OP_WRITES, __ATOMIC_RELEASE, 8, "q.\xc3head", ""},
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

static json_t *checked(char *text)
{
    json_t *log = json_loads(text, 0, NULL);
    assert_non_null(log);
    check_object(log, "log");
    assert_string_equal(json_string_value(json_object_get(log, "version")), "2.1.0");
    free(text);
    return log;
}

static const json_t *first(const json_t *object, const char *name)
{
    return json_array_get(json_object_get(object, name), 0);
}

static void follows_the_schema(void **state)
{
    (void)state;
    struct trace *trace = sample();
    json_t *log = checked(sarif_trace(trace));
    const json_t *result = first(first(log, "runs"), "results");
    assert_string_equal(json_string_value(json_object_get(result, "ruleId")), "memory-error");
    assert_int_equal(json_array_size(json_object_get(result, "stacks")), 3);
    json_decref(log);
    trace_free(trace);
}

static void order_is_over_all_threads(void **state)
{
    (void)state;
    struct trace *trace = sample();
    json_t *log = checked(sarif_trace(trace)), *flow, *location;
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
    json_t *log = checked(sarif_result(result));
    assert_int_equal(json_array_size(json_object_get(first(log, "runs"), "results")), 0);
    json_decref(log);
    result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_schema),
        cmocka_unit_test(order_is_over_all_threads),
        cmocka_unit_test(nothing_found_is_a_run_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Trace files: what is written is read back; what is damaged is refused, whatever the damage.
 *
 * The damage is systematic: every value of a good file is replaced by values of other types and
 * sizes, every key removed, every prefix read. A reader that trusted one of them would crash
 * here (run under a sanitizer) or accept what it must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/files.h"
#include "trace/file/mzt.h"
#include "trace/file/trace_settings.h"
#include "report/files/formats.h"
#include "report/text/text.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

static char directory[] = "/tmp/mazur-mzt-XXXXXX";
static char *good_path;

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory_again(void **state)
{
    (void)state;
    if (good_path)
        unlink(good_path);
    free(good_path);
    return rmdir(directory);
}

static struct source_place places[] = {{"push", "queue.c", 88, 85, false, true},
                                       {"main", "queue.c", 10, 0, false, false},
                                       {"pthread_create+0x4", NULL, 0, 0, true, false}};

/* A trace that uses every part of the type. */
static struct trace *sample(void)
{
    struct trace *trace = trace_new();
    struct source_stack stack = {2, places};
    static const char *words[] = {"queue.c", "-DX=\"1\"", "\xff\xfe"};
    static const char *names[] = {"getaddrinfo"};
    static uint32_t schedule[] = {0, 1, BOARD_CHOICE | 3, 1, 0};
    static struct trace_lock locks[] = {
        {"m", {.function = "push", .file = "queue.c", .line = 80}}};
    trace->program = "queue";
    trace->recipe = (struct recipe){.compiled = true,
                                    .narguments = 3,
                                    .argument = words,
                                    .nprogram_arguments = 1,
                                    .program_argument = words + 2,
                                    .directory = "/somewhere",
                                    .build_id = "abcdef"};
    trace_settings_capture(trace, &(struct board_config){.races = RACES_EXPLORE,
                                                         .timeouts = TIMEOUTS_ANY,
                                                         .search.depth = 500,
                                                         .leaks = true});
    trace->nschedule = 5;
    trace->schedule = schedule;
    trace->nthreads = 2;
    trace->thread = arena_alloc(&trace->arena, 2 * sizeof *trace->thread);
    trace->event = arena_alloc(&trace->arena, 2 * sizeof *trace->event);
    for (int i = 0; i < 2; i++)
        trace->thread[i] = (struct trace_thread){
            .name = i ? "worker" : "",
            .function = i ? "push" : "",
            .parent = i - 1,
            .state = THREAD_BLOCKED,
            .pending = {OP_MUTEX_LOCK, OP_MAY_BLOCK, 0, 0, "m", "", false, ""},
            .waits_for = 1 - i,
            .nlocks = 1,
            .lock = locks,
            .stack = stack};
    trace->nevents = 2;
    trace->event[0] = (struct trace_event){
        .tid = 0,
        .from = -1,
        .reads_from = TRACE_NO_EVENT,
        .operation = {OP_STORE, OP_WRITES, __ATOMIC_RELEASE, 8, "q.head", "", false, "std::f"},
        .has_values = true,
        .before = 1,
        .after = UINT64_MAX,
        .other = -1,
        .label = "here",
        .stack = stack};
    trace->event[1] = trace->event[0];
    trace->event[1].tid = 1;
    trace->event[1].from = 0;
    trace->event[1].reason = SWITCH_PREEMPTED;
    trace->event[1].reads_from = 0;
    trace->event[1].operation.kind = OP_LOAD;
    trace->event[0].operation.public_object = true;
    trace->failure = (struct trace_failure){.kind = FAILURE_MEMORY,
                                            .message = "use after free",
                                            .detail = "\033[1m",
                                            .tid = 1,
                                            .preemptions = 1,
                                            .bound = 1,
                                            .execution = 12,
                                            .stack = stack,
                                            .naccesses = 1,
                                            .has_block = true,
                                            .block_size = 16,
                                            .block_name = "Node#1 (new at push():53)",
                                            .freed_by = 1,
                                            .freed_event = 1,
                                            .allocated = stack,
                                            .freed = stack};
    trace->failure.access[0] = (struct trace_access){.tid = 1,
                                                     .write = true,
                                                     .size = 8,
                                                     .object = "q.head",
                                                     .event = 1,
                                                     .nlocks = 1,
                                                     .lock = names,
                                                     .stack = stack};
    trace->coverage = (struct coverage){.strategy = "icb", .bound_asked = BOUND_AUTO};
    claim_raise(&trace->coverage.claim, REASON_UNCONTROLLED, names[0]);
    trace->coverage.stats = (struct search_stats){.executions = 12, .bound = 1, .nrows = 1};
    trace->coverage.stats.row[0] =
        (struct bound_row){.bound = 0, .executions = 4, .distinct = 2};
    trace->output = "line\n";
    return trace;
}

/* A file may say of the last place, too, that a call comes behind it. */
static void no_call_behind_the_last_place(void **state)
{
    (void)state;
    char *reason = NULL;
    struct trace *trace = sample();
    places[1].inlined = true;
    char *path = mzt_write(trace, directory, &reason);
    places[1].inlined = false;
    struct trace *back = mzt_read(path, &reason);
    assert_non_null(back);
    assert_true(back->event[1].stack.place[0].inlined);
    assert_false(back->event[1].stack.place[1].inlined);
    trace_free(back);
    trace_free(trace);
    unlink(path);
    free(path);
}

static void round_trip(void **state)
{
    (void)state;
    char *reason = NULL;
    struct trace *trace = sample();
    good_path = mzt_write(trace, directory, &reason);
    assert_non_null(good_path);
    char *again = mzt_write(trace, directory, &reason);
    assert_string_equal(good_path, again); /* the same content is the same file */
    free(again);
    struct trace *back = mzt_read(good_path, &reason);
    assert_non_null(back);
    assert_int_equal(back->nschedule, 5);
    assert_memory_equal(back->schedule, trace->schedule, 5 * sizeof(uint32_t));
    assert_string_equal(back->recipe.argument[2], "\xff\xfe");
    assert_string_equal(back->recipe.argument[1], "-DX=\"1\"");
    struct board_config config = {0};
    trace_settings_apply(back, &config);
    assert_int_equal(config.races, RACES_EXPLORE);
    assert_int_equal(back->event[0].after, UINT64_MAX);
    assert_int_equal(back->event[1].reads_from, 0);
    assert_int_equal(back->event[1].reason, SWITCH_PREEMPTED);
    assert_int_equal(back->event[0].operation.order, __ATOMIC_RELEASE);
    assert_string_equal(back->event[0].operation.call, "std::f");
    assert_string_equal(back->event[1].stack.place[1].function, "main");
    assert_int_equal(back->event[1].stack.place[0].line, 88);
    assert_true(back->event[1].stack.place[0].inlined);
    assert_int_equal(back->failure.kind, FAILURE_MEMORY);
    assert_int_equal(back->failure.freed_by, 1);
    assert_int_equal(back->failure.freed_event, 1);
    assert_string_equal(back->failure.block_name, "Node#1 (new at push():53)");
    assert_true(back->event[0].operation.public_object);
    assert_false(back->event[1].operation.public_object);
    assert_string_equal(back->thread[1].lock[0].name, "m");
    assert_int_equal(back->coverage.stats.row[0].executions, 4);
    /* written again it is the same text, so nothing was lost */
    char *third = mzt_write(back, directory, &reason);
    assert_string_equal(good_path, third);
    free(third);
    trace_free(back);
    trace_free(trace);
}

static void names_grow_on_a_clash(void **state)
{
    (void)state;
    char *reason = NULL;
    struct trace *trace = sample();
    trace->program = "another";
    char *path = mzt_write(trace, directory, &reason);
    assert_int_equal(replace_file(path, "something else"), 0);
    char *longer = mzt_write(trace, directory, &reason);
    assert_int_equal(strlen(longer), strlen(path) + 1);
    unlink(path);
    unlink(longer);
    free(path);
    free(longer);
    trace_free(trace);
}

static void unwritable(void **state)
{
    (void)state;
    char *reason = NULL;
    struct trace *trace = sample();
    assert_null(mzt_write(trace, "/proc/no-such-directory", &reason));
    assert_non_null(reason);
    free(reason);
    trace_free(trace);
}

/* Read `root`; a trace that is accepted is also shown in every way. */
static bool accepted(const json_t *root)
{
    struct trace *trace = trace_new();
    char *reason = trace_from_json(trace, root);
    bool good = reason == NULL;
    if (good) {
        struct buffer text = {0};
        text_failure(&text, trace, (struct text_style){.full = true});
        buffer_release(&text);
        free(json_trace(trace));
    }
    free(reason);
    trace_free(trace);
    return good;
}

static json_t *damaged_value(int kind)
{
    switch (kind) {
    case 0:
        return json_integer(-1000000);
    case 1:
        return json_integer(INT64_MAX);
    case 2:
        return json_string("\033[31m nonsense %s%n");
    case 3:
        return json_array();
    case 4:
        return json_object();
    case 5:
        return json_null();
    case 6:
        return json_pack("[[],{},i,s,n]", 99999, "x");
    default:
        return json_true();
    }
}

#define DAMAGES 8

static size_t tried, refused;

static void try_damage(const json_t *root)
{
    tried++;
    refused += !accepted(root);
}

/* Replace and remove every value below `node`, one at a time. */
static void damage_below(json_t *root, json_t *node)
{
    const char *key;
    json_t *value;
    size_t index;
    /* over a copy: taking a key out and putting it back moves it to the end */
    json_t *before = json_is_object(node) ? json_copy(node) : NULL;
    json_object_foreach(before, key, value)
    {
        for (int kind = 0; kind < DAMAGES; kind++) {
            json_object_set_new(node, key, damaged_value(kind));
            try_damage(root);
        }
        json_object_del(node, key);
        try_damage(root);
        json_object_set(node, key, value);
        damage_below(root, value);
    }
    json_decref(before);
    json_array_foreach(node, index, value)
    {
        json_incref(value);
        for (int kind = 0; kind < DAMAGES; kind++) {
            json_array_set_new(node, index, damaged_value(kind));
            try_damage(root);
        }
        json_array_set(node, index, value);
        damage_below(root, value);
        json_decref(value);
    }
}

static void damage(void **state)
{
    (void)state;
    json_t *root = json_load_file(good_path, 0, NULL);
    assert_non_null(root);
    assert_true(accepted(root));
    damage_below(root, root);
    assert_true(accepted(root)); /* all damage was undone */
    assert_true(tried > 1000);
    assert_true(refused > tried / 2);
    json_decref(root);
}

static void truncated(void **state)
{
    (void)state;
    char *reason = NULL;
    char *path = format_text("%s/cut", directory);
    json_t *root = json_load_file(good_path, 0, NULL);
    char *text = json_dumps(root, 0);
    for (size_t length = 0; length < strlen(text); length += 7) {
        char *part = copy_bytes(text, length);
        assert_int_equal(replace_file(path, part), 0);
        assert_null(mzt_read(path, &reason));
        assert_non_null(reason);
        free(reason);
        free(part);
    }
    unlink(path);
    free(path);
    free(text);
    json_decref(root);
}

static void foreign(void **state)
{
    (void)state;
    static const char *const reasons[] = {"/nonexistent", "/", "/dev/null", "/dev/zero"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char *reason = NULL;
        assert_null(mzt_read(reasons[i], &reason));
        assert_non_null(reason);
        free(reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_behind_the_last_place),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(names_grow_on_a_clash),
        cmocka_unit_test(unwritable),
        cmocka_unit_test(damage),
        cmocka_unit_test(truncated),
        cmocka_unit_test(foreign),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory_again);
}

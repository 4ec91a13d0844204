/* Reading a trace file: nothing in it is trusted (json_fields.h). The coverage is read in
 * coverage_json.c, the settings in trace_settings.c, histories in trace_history.c. */
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "trace/json_fields.h"
#include "trace/file/mzt.h"
#include "trace/names.h"
#include "trace/trace_history.h"
#include "trace/trace_json.h"
#include "trace/file/trace_settings.h"
#include "trace/verdict.h"

#define PLACES_LIMIT 1000000
#define FRAMES_LIMIT 1000
#define CHANGES_MAX  1000

static void read_places(struct trace_reader *reader, const json_t *root)
{
    const json_t *list = get_list(reader, root, "places", PLACES_LIMIT);
    reader->nplaces = json_array_size(list);
    reader->place = arena_alloc(&reader->trace->arena, reader->nplaces * sizeof *reader->place);
    for (size_t i = 0; i < reader->nplaces; i++) {
        const json_t *object = json_array_get(list, i);
        if (!json_is_object(object))
            reject_field(reader, "places", "has the wrong type");
        reader->place[i] = (struct source_place){
            .function = get_text(reader, object, "function", NULL),
            .file = get_text(reader, object, "file", NULL),
            .line = (int)get_number(reader, object, "line", 0, INT32_MAX, 0),
            .library = get_flag(reader, object, "library"),
            .inlined = get_flag(reader, object, "inline"),
        };
    }
}

static struct source_stack read_stack(struct trace_reader *reader, const json_t *object,
                                      const char *key)
{
    const json_t *list = get_list(reader, object, key, FRAMES_LIMIT);
    struct source_stack stack = {.count = json_array_size(list)};
    stack.place = arena_alloc(&reader->trace->arena, stack.count * sizeof *stack.place);
    for (size_t i = 0; i < stack.count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t index = json_is_integer(number) ? json_integer_value(number) : -1;
        if (index < 0 || (size_t)index >= reader->nplaces)
            reject_field(reader, key, "refers to a missing place");
        else
            stack.place[i] = reader->place[index];
        stack.place[i].inlined &= i + 1 < stack.count; /* there is a call */
    }
    return stack;
}

static struct trace_operation read_operation(struct trace_reader *reader, const json_t *object)
{
    struct trace_operation operation = {.object = "", .second = "", .call = ""};
    const json_t *kind = get_field(reader, object, "operation", JSON_STRING, true);
    operation.kind = kind ? op_kind_from_name(json_string_value(kind)) : OP_NONE;
    if (operation.kind == OP_NONE)
        reject_field(reader, "operation", "is unknown");
    operation.flags = (unsigned)get_number(reader, object, "flags", 0, UINT16_MAX, 0);
    operation.order = (int)get_name(reader, object, "order", memory_order_names);
    operation.size = (unsigned)get_number(reader, object, "size", 0, UINT8_MAX, 0);
    operation.object = get_text(reader, object, "object", "");
    operation.second = get_text(reader, object, "second", "");
    operation.internal = get_flag(reader, object, "internal");
    operation.call = get_text(reader, object, "call", "");
    operation.public_object = get_flag(reader, object, "public_object");
    return operation;
}

static int read_thread_number(struct trace_reader *reader, const json_t *object,
                              const char *key)
{
    return (int)get_number(reader, object, key, -1, (int64_t)reader->trace->nthreads - 1, -1);
}

static void read_locks(struct trace_reader *reader, const json_t *object,
                       struct trace_thread *thread)
{
    const json_t *list = get_list(reader, object, "locks", BOARD_LOCKS_HELD);
    thread->nlocks = json_array_size(list);
    thread->lock = arena_alloc(&reader->trace->arena, thread->nlocks * sizeof *thread->lock);
    for (size_t i = 0; i < thread->nlocks; i++) {
        const json_t *lock = json_array_get(list, i);
        struct source_stack taken = read_stack(reader, lock, "taken");
        thread->lock[i].name = get_text(reader, lock, "name", "?");
        if (taken.count)
            thread->lock[i].taken = taken.place[0];
    }
}

static void read_threads(struct trace_reader *reader, const json_t *root)
{
    struct trace *trace = reader->trace;
    const json_t *list = get_field(reader, root, "threads", JSON_ARRAY, true);
    list = list ? get_list(reader, root, "threads", THREADS_MAX) : NULL;
    trace->nthreads = json_array_size(list);
    trace->thread = arena_alloc(&trace->arena, trace->nthreads * sizeof *trace->thread);
    for (size_t i = 0; i < trace->nthreads; i++) {
        const json_t *object = json_array_get(list, i);
        struct trace_thread *thread = &trace->thread[i];
        const json_t *pending = get_field(reader, object, "pending", JSON_OBJECT, false);
        thread->name = get_text(reader, object, "name", "");
        thread->function = get_text(reader, object, "function", "");
        /* a parent comes before its child */
        thread->parent = (int)need_number(reader, object, "parent", -1, (int64_t)i - 1);
        thread->number = (unsigned)need_number(reader, object, "number", 0, UINT32_MAX);
        thread->state = get_name(reader, object, "state", thread_state_names);
        thread->pending = (struct trace_operation){.object = "", .second = "", .call = ""};
        if (pending)
            thread->pending = read_operation(reader, pending);
        thread->waits_for = read_thread_number(reader, object, "waits_for");
        read_locks(reader, object, thread);
        thread->stack = read_stack(reader, object, "stack");
    }
    if (!trace->nthreads)
        reject_field(reader, "threads", "is empty");
}

static uint64_t read_value(struct trace_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = get_field(reader, object, key, JSON_STRING, false);
    const char *text = json_string_value(value);
    char *end = NULL;
    uint64_t number = text ? strtoull(text, &end, 16) : 0;
    if (text && *end)
        reject_field(reader, key, "is not a hexadecimal value");
    return number;
}

static void read_changes(struct trace_reader *reader, const json_t *object,
                         struct trace_event *event)
{
    const json_t *list = get_list(reader, object, "changes", CHANGES_MAX);
    event->nchanges = json_array_size(list);
    event->change = arena_alloc(&reader->trace->arena, event->nchanges * sizeof *event->change);
    for (size_t i = 0; i < event->nchanges; i++) {
        const json_t *change = json_array_get(list, i);
        event->change[i].name = get_text(reader, change, "name", "?");
        event->change[i].before = get_text(reader, change, "before", "?");
        event->change[i].after = get_text(reader, change, "after", "?");
    }
}

static void read_events(struct trace_reader *reader, const json_t *root)
{
    struct trace *trace = reader->trace;
    const json_t *list = get_list(reader, root, "events", BOARD_EVENTS);
    trace->nevents = json_array_size(list);
    trace->event = arena_alloc(&trace->arena, trace->nevents * sizeof *trace->event);
    for (size_t i = 0; i < trace->nevents && !reader->reason; i++) {
        const json_t *object = json_array_get(list, i);
        struct trace_event *event = &trace->event[i];
        event->tid =
            (int)need_number(reader, object, "thread", 0, (int64_t)trace->nthreads - 1);
        event->from = read_thread_number(reader, object, "from");
        event->reason = get_name(reader, object, "switch", switch_reason_names);
        event->reads_from = (uint32_t)get_number(reader, object, "reads_from", 0,
                                                 (int64_t)i - 1, TRACE_NO_EVENT);
        event->operation = read_operation(reader, object);
        event->has_values = json_object_get(object, "after");
        event->before = read_value(reader, object, "before");
        event->after = read_value(reader, object, "after");
        event->before_text = get_text(reader, object, "before_text", NULL);
        event->after_text = get_text(reader, object, "after_text", NULL);
        event->result = (int)get_number(reader, object, "result", INT32_MIN, INT32_MAX, 0);
        event->other = read_thread_number(reader, object, "other");
        const json_t *woken = get_list(reader, object, "woken", THREADS_MAX);
        for (size_t j = 0; j < json_array_size(woken); j++) {
            json_int_t tid = json_integer_value(json_array_get(woken, j));
            if (tid >= 0 && (size_t)tid < reader->trace->nthreads)
                threadset_add(&event->woken, (int)tid);
        }
        event->blocked_on = get_text(reader, object, "blocked_on", NULL);
        event->label = get_text(reader, object, "label", "");
        event->statement = get_text(reader, object, "statement", NULL);
        read_changes(reader, object, event);
        event->stack = read_stack(reader, object, "stack");
    }
    trace->events_lost = get_long_count(reader, root, "events_lost");
}

static struct trace_access read_access(struct trace_reader *reader, const json_t *object)
{
    struct trace *trace = reader->trace;
    struct trace_access access = {
        .tid = read_thread_number(reader, object, "thread"),
        .write = get_flag(reader, object, "write"),
        .atomic = get_flag(reader, object, "atomic"),
        .is_free = get_flag(reader, object, "is_free"),
        .size = (unsigned)get_number(reader, object, "size", 0, UINT8_MAX, 0),
        .object = get_text(reader, object, "object", ""),
        .event = (uint32_t)get_number(reader, object, "event", 0, (int64_t)trace->nevents - 1,
                                      TRACE_NO_EVENT),
    };
    const json_t *locks = get_list(reader, object, "locks", BOARD_LOCKS_HELD);
    access.nlocks = json_array_size(locks);
    access.lock = arena_alloc(&trace->arena, access.nlocks * sizeof *access.lock);
    for (size_t i = 0; i < access.nlocks; i++)
        access.lock[i] = decode_word(reader, json_array_get(locks, i), "locks");
    access.stack = read_stack(reader, object, "stack");
    return access;
}

static void read_block(struct trace_reader *reader, const json_t *block)
{
    struct trace_failure *failure = &reader->trace->failure;
    failure->has_block = true;
    failure->block_size = get_long_count(reader, block, "size");
    failure->block_name = get_text(reader, block, "name", "");
    failure->block_owner = read_thread_number(reader, block, "allocated_by");
    failure->freed_by = read_thread_number(reader, block, "freed_by");
    failure->freed_event = (uint32_t)get_number(
        reader, block, "freed_event", 0, (int64_t)reader->trace->nevents - 1, TRACE_NO_EVENT);
    failure->allocated = read_stack(reader, block, "allocated");
    failure->freed = read_stack(reader, block, "freed");
}

static void read_failure(struct trace_reader *reader, const json_t *root)
{
    struct trace_failure *failure = &reader->trace->failure;
    const json_t *object = get_field(reader, root, "failure", JSON_OBJECT, true);
    const json_t *kind = get_field(reader, object, "kind", JSON_STRING, true);
    failure->kind = kind ? failure_from_name(json_string_value(kind)) : FAILURE_NONE;
    if (failure->kind == FAILURE_NONE)
        reject_field(reader, "kind", "is not a kind of failure");
    failure->message = get_text(reader, object, "message", "");
    failure->detail = get_text(reader, object, "detail", "");
    failure->tid = read_thread_number(reader, object, "thread");
    failure->signal = (int)get_number(reader, object, "signal", 0, 128, 0);
    failure->status = (int)get_number(reader, object, "status", INT32_MIN, INT32_MAX, 0);
    failure->preemptions = (int)get_number(reader, object, "preemptions", -1, INT32_MAX, 0);
    failure->bound =
        (int)get_number(reader, object, "bound", BOUND_AUTO, INT32_MAX, BOUND_NONE);
    failure->execution = get_long_count(reader, object, "execution");
    failure->cycle =
        (uint32_t)get_number(reader, object, "cycle", 1, (int64_t)reader->trace->nevents, 0);
    failure->step = get_count(reader, object, "step");
    failure->stack = read_stack(reader, object, "stack");
    const json_t *accesses = get_list(reader, object, "accesses", 2);
    failure->naccesses = json_array_size(accesses);
    for (size_t i = 0; i < failure->naccesses; i++)
        failure->access[i] = read_access(reader, json_array_get(accesses, i));
    const json_t *block = get_field(reader, object, "block", JSON_OBJECT, false);
    failure->freed_by = failure->block_owner = -1;
    failure->freed_event = TRACE_NO_EVENT;
    failure->block_name = "";
    if (block)
        read_block(reader, block);
    const json_t *history = get_field(reader, object, "history", JSON_OBJECT, false);
    failure->history = history ? read_history(reader, history) : NULL;
}

static void read_schedule(struct trace_reader *reader, const json_t *root)
{
    struct trace *trace = reader->trace;
    const json_t *list = get_field(reader, root, "schedule", JSON_ARRAY, true);
    list = list ? get_list(reader, root, "schedule", BOARD_SCHEDULE) : NULL;
    trace->nschedule = json_array_size(list);
    trace->schedule = arena_alloc(&trace->arena, trace->nschedule * sizeof *trace->schedule);
    for (size_t i = 0; i < trace->nschedule; i++) {
        const json_t *choice = json_array_get(list, i);
        json_int_t number = json_is_integer(choice) ? json_integer_value(choice) : INT64_MAX;
        if (number >= THREADS_MAX || number < -(json_int_t)BOARD_CHOICE)
            reject_field(reader, "schedule", "has an invalid choice");
        else
            trace->schedule[i] =
                number < 0 ? BOARD_CHOICE | (uint32_t)(-1 - number) : (uint32_t)number;
    }
}

static void read_lessons(struct trace_reader *reader, const json_t *root)
{
    struct lessons *lessons = &reader->trace->lessons;
    const json_t *list = get_list(reader, root, "lessons", LESSONS_MOST);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *lesson = json_array_get(list, i);
        enum lesson_kind kind = get_name(reader, lesson, "kind", lesson_names);
        uint64_t value = get_long_count(reader, lesson, "value");
        uint32_t size = (uint32_t)get_number(reader, lesson, "size", 0, 1 << 26, 0);
        if (kind == LESSON_RACING && (size == 0 || size > 8))
            reject_field(reader, "lessons", "has a racing location without a size");
        lessons_add(lessons, kind, value, size);
    }
}

static void read_sources(struct trace_reader *reader, const json_t *recipe)
{
    json_t *files = (json_t *)get_field(reader, recipe, "sources", JSON_OBJECT, false);
    struct arena *arena = &reader->trace->arena;
    struct recipe *to = &reader->trace->recipe;
    const char *name;
    json_t *hash;
    to->source = arena_alloc(arena, json_object_size(files) * sizeof *to->source);
    json_object_foreach(files, name, hash) if (json_is_string(hash))
        to->source[to->nsources++] = (struct trace_source){
        arena_text(arena, name), arena_text(arena, json_string_value(hash))};
}

static void read_recipe(struct trace_reader *reader, const json_t *root)
{
    struct recipe *recipe = &reader->trace->recipe;
    const json_t *object = get_field(reader, root, "recipe", JSON_OBJECT, true);
    const json_t *kind = get_field(reader, object, "kind", JSON_STRING, true);
    const char *name = kind ? json_string_value(kind) : "";
    recipe->compiled = strcmp(name, "check") == 0;
    recipe->model = strcmp(name, "model") == 0;
    recipe->property = get_word(reader, object, "property");
    recipe->believed = get_flag(reader, object, "believed");
    if (!recipe->compiled && !recipe->model && strcmp(name, "run") != 0)
        reject_field(reader, "recipe", "is of an unknown kind");
    recipe->compiler = get_word(reader, object, "compiler");
    recipe->argument = get_words(reader, object, "build", &recipe->narguments);
    recipe->program = get_word(reader, object, "program");
    recipe->program_argument =
        get_words(reader, object, "arguments", &recipe->nprogram_arguments);
    recipe->directory = get_word(reader, object, "directory");
    recipe->build_id = get_word(reader, object, "build_id");
    read_sources(reader, object);
    if (!recipe->directory || (!recipe->compiled && !recipe->program))
        reject_field(reader, "recipe", "is incomplete");
}

char *trace_from_json(struct trace *trace, const json_t *root)
{
    struct trace_reader reader = {.trace = trace};
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, "mazur-trace") != 0)
        return copy_text("not a Mazur trace file");
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (version != MZT_VERSION)
        return format_text("a trace file of version %lld; this Mazur reads version %d",
                           (long long)version, MZT_VERSION);
    trace->program = get_text(&reader, root, "program", "?");
    read_recipe(&reader, root);
    read_settings(&reader, root);
    read_schedule(&reader, root);
    read_lessons(&reader, root);
    read_places(&reader, root);
    read_threads(&reader, root);
    read_events(&reader, root);
    read_failure(&reader, root);
    read_coverage(&reader, root);
    read_simplest(&reader, root);
    trace->output = get_text(&reader, root, "output", "");
    return reader.reason;
}

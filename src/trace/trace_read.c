/* Reading a trace file: nothing in it is trusted.
 *
 * Every field goes through one of the get_ functions below, which check type and range; the
 * first thing that is wrong is remembered with its key, everything after it reads as zero, and
 * the caller gets the reason instead of a trace. */
#include <stdlib.h>
#include <string.h>

#include "board/settings.h"
#include "trace/mzt.h"
#include "trace/trace_history.h"
#include "trace/names.h"
#include "trace/reasons.h"
#include "trace/trace_json.h"
#include "trace/verdict.h"

struct reader {
    struct trace *trace;
    char *reason; /* the first complaint */
    size_t nplaces;
    struct trace_place *place;
};

static void fault(struct reader *reader, const char *key, const char *what)
{
    if (!reader->reason)
        reader->reason = format_text("damaged trace file: '%s' %s", key, what);
}

static const json_t *get(struct reader *reader, const json_t *object, const char *key,
                         json_type type, bool required)
{
    const json_t *value = json_object_get(object, key);
    if (value && json_typeof(value) == type)
        return value;
    if (value || required)
        fault(reader, key, value ? "has the wrong type" : "is missing");
    return NULL;
}

/* A number, or `missing` where there is none. */
static int64_t get_number(struct reader *reader, const json_t *object, const char *key,
                          int64_t minimum, int64_t maximum, int64_t missing)
{
    const json_t *value = get(reader, object, key, JSON_INTEGER, false);
    if (!value)
        return missing;
    int64_t number = json_integer_value(value);
    if (number < minimum || number > maximum) {
        fault(reader, key, "is out of range");
        return missing;
    }
    return number;
}

static int64_t need_number(struct reader *reader, const json_t *object, const char *key,
                           int64_t minimum, int64_t maximum)
{
    if (!json_object_get(object, key))
        fault(reader, key, "is missing");
    return get_number(reader, object, key, minimum, maximum, minimum);
}

static bool get_bool(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        fault(reader, key, "has the wrong type");
    return json_is_true(value);
}

static const char *get_text(struct reader *reader, const json_t *object, const char *key,
                            const char *missing)
{
    const json_t *value = get(reader, object, key, JSON_STRING, false);
    return value ? arena_text(&reader->trace->arena, json_string_value(value)) : missing;
}

static unsigned get_name(struct reader *reader, const json_t *object, const char *key,
                         const char *const *names)
{
    const json_t *value = get(reader, object, key, JSON_STRING, false);
    int number = value ? value_of(names, json_string_value(value)) : 0;
    if (number < 0)
        fault(reader, key, "has an unknown value");
    return number < 0 ? 0 : (unsigned)number;
}

static const json_t *get_list(struct reader *reader, const json_t *object, const char *key,
                              size_t maximum)
{
    const json_t *list = get(reader, object, key, JSON_ARRAY, false);
    if (list && json_array_size(list) > maximum) {
        fault(reader, key, "is too long");
        return NULL;
    }
    return list;
}

/* --- Exact words
 * ------------------------------------------------------------------------------- */

static int hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                          : -1;
}

static const char *exact_word(struct reader *reader, const json_t *value, const char *key)
{
    if (json_is_string(value))
        return arena_text(&reader->trace->arena, json_string_value(value));
    const char *hex = json_string_value(json_object_get(value, "bytes"));
    size_t length = hex ? strlen(hex) : 1;
    if (length % 2) {
        fault(reader, key, "has the wrong type");
        return "";
    }
    char *word = arena_alloc(&reader->trace->arena, length / 2 + 1);
    for (size_t i = 0; i < length; i += 2) {
        int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            fault(reader, key, "has bytes that are none");
            return "";
        }
        word[i / 2] = (char)(high * 16 + low);
    }
    return word;
}

static const char *get_word(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value ? exact_word(reader, value, key) : NULL;
}

#define WORDS_MAX   100000
#define CHANGES_MAX 1000

static const char **get_words(struct reader *reader, const json_t *object, const char *key,
                              size_t *count)
{
    const json_t *list = get_list(reader, object, key, WORDS_MAX);
    *count = json_array_size(list);
    const char **words = arena_alloc(&reader->trace->arena, *count * sizeof *words);
    for (size_t i = 0; i < *count; i++)
        words[i] = exact_word(reader, json_array_get(list, i), key);
    return words;
}

/* --- Parts
 * ----------------------------------------------------------------------------------------- */

#define PLACES_LIMIT 1000000
#define FRAMES_LIMIT 1000

static void read_places(struct reader *reader, const json_t *root)
{
    const json_t *list = get_list(reader, root, "places", PLACES_LIMIT);
    reader->nplaces = json_array_size(list);
    reader->place = arena_alloc(&reader->trace->arena, reader->nplaces * sizeof *reader->place);
    for (size_t i = 0; i < reader->nplaces; i++) {
        const json_t *object = json_array_get(list, i);
        if (!json_is_object(object))
            fault(reader, "places", "has the wrong type");
        reader->place[i] = (struct trace_place){
            .function = get_text(reader, object, "function", NULL),
            .file = get_text(reader, object, "file", NULL),
            .line = (int)get_number(reader, object, "line", 0, INT32_MAX, 0),
            .library = get_bool(reader, object, "library"),
            .inlined = get_bool(reader, object, "inline"),
        };
    }
}

static struct trace_stack read_stack(struct reader *reader, const json_t *object,
                                     const char *key)
{
    const json_t *list = get_list(reader, object, key, FRAMES_LIMIT);
    struct trace_stack stack = {.count = json_array_size(list)};
    stack.place = arena_alloc(&reader->trace->arena, stack.count * sizeof *stack.place);
    for (size_t i = 0; i < stack.count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t index = json_is_integer(number) ? json_integer_value(number) : -1;
        if (index < 0 || (size_t)index >= reader->nplaces)
            fault(reader, key, "refers to a place that is not there");
        else
            stack.place[i] = reader->place[index];
        stack.place[i].inlined &= i + 1 < stack.count; /* there is a call */
    }
    return stack;
}

static struct trace_operation read_operation(struct reader *reader, const json_t *object)
{
    struct trace_operation operation = {.object = "", .second = ""};
    const json_t *kind = get(reader, object, "operation", JSON_STRING, true);
    operation.kind = kind ? op_kind_from_name(json_string_value(kind)) : OP_NONE;
    if (operation.kind == OP_NONE)
        fault(reader, "operation", "is unknown");
    operation.flags = (unsigned)get_number(reader, object, "flags", 0, UINT16_MAX, 0);
    operation.order = (int)get_name(reader, object, "order", memory_order_names);
    operation.size = (unsigned)get_number(reader, object, "size", 0, UINT8_MAX, 0);
    operation.object = get_text(reader, object, "object", "");
    operation.second = get_text(reader, object, "second", "");
    return operation;
}

static int read_thread_number(struct reader *reader, const json_t *object, const char *key)
{
    return (int)get_number(reader, object, key, -1, (int64_t)reader->trace->nthreads - 1, -1);
}

static void read_locks(struct reader *reader, const json_t *object, struct trace_thread *thread)
{
    const json_t *list = get_list(reader, object, "locks", BOARD_LOCKS_HELD);
    thread->nlocks = json_array_size(list);
    thread->lock = arena_alloc(&reader->trace->arena, thread->nlocks * sizeof *thread->lock);
    for (size_t i = 0; i < thread->nlocks; i++) {
        const json_t *lock = json_array_get(list, i);
        struct trace_stack taken = read_stack(reader, lock, "taken");
        thread->lock[i].name = get_text(reader, lock, "name", "?");
        if (taken.count)
            thread->lock[i].taken = taken.place[0];
    }
}

static void read_threads(struct reader *reader, const json_t *root)
{
    struct trace *trace = reader->trace;
    const json_t *list = get(reader, root, "threads", JSON_ARRAY, true);
    list = list ? get_list(reader, root, "threads", THREADS_MAX) : NULL;
    trace->nthreads = json_array_size(list);
    trace->thread = arena_alloc(&trace->arena, trace->nthreads * sizeof *trace->thread);
    for (size_t i = 0; i < trace->nthreads; i++) {
        const json_t *object = json_array_get(list, i);
        struct trace_thread *thread = &trace->thread[i];
        const json_t *pending = get(reader, object, "pending", JSON_OBJECT, false);
        thread->name = get_text(reader, object, "name", "");
        thread->function = get_text(reader, object, "function", "");
        /* a parent comes before its child */
        thread->parent = (int)need_number(reader, object, "parent", -1, (int64_t)i - 1);
        thread->number = (unsigned)need_number(reader, object, "number", 0, UINT32_MAX);
        thread->state = get_name(reader, object, "state", thread_state_names);
        thread->pending = (struct trace_operation){.object = "", .second = ""};
        if (pending)
            thread->pending = read_operation(reader, pending);
        thread->waits_for = read_thread_number(reader, object, "waits_for");
        read_locks(reader, object, thread);
        thread->stack = read_stack(reader, object, "stack");
    }
    if (!trace->nthreads)
        fault(reader, "threads", "is empty");
}

static uint64_t read_value(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = get(reader, object, key, JSON_STRING, false);
    const char *text = json_string_value(value);
    char *end = NULL;
    uint64_t number = text ? strtoull(text, &end, 16) : 0;
    if (text && *end)
        fault(reader, key, "is no value");
    return number;
}

static void read_changes(struct reader *reader, const json_t *object, struct trace_event *event)
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

static void read_events(struct reader *reader, const json_t *root)
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
        event->has_values = json_object_get(object, "after") != NULL;
        event->before = read_value(reader, object, "before");
        event->after = read_value(reader, object, "after");
        event->result = (int)get_number(reader, object, "result", INT32_MIN, INT32_MAX, 0);
        event->other = read_thread_number(reader, object, "other");
        const json_t *woken = get_list(reader, object, "woken", THREADS_MAX);
        for (size_t j = 0; j < json_array_size(woken); j++) {
            json_int_t tid = json_integer_value(json_array_get(woken, j));
            if (tid >= 0 && (size_t)tid < reader->trace->nthreads)
                threadset_add(&event->woken, (int)tid);
        }
        event->label = get_text(reader, object, "label", "");
        event->statement = get_text(reader, object, "statement", NULL);
        read_changes(reader, object, event);
        event->stack = read_stack(reader, object, "stack");
    }
    trace->events_lost = (uint64_t)get_number(reader, root, "events_lost", 0, INT64_MAX, 0);
}

static struct trace_access read_access(struct reader *reader, const json_t *object)
{
    struct trace *trace = reader->trace;
    struct trace_access access = {
        .tid = read_thread_number(reader, object, "thread"),
        .write = get_bool(reader, object, "write"),
        .atomic = get_bool(reader, object, "atomic"),
        .is_free = get_bool(reader, object, "is_free"),
        .size = (unsigned)get_number(reader, object, "size", 0, UINT8_MAX, 0),
        .object = get_text(reader, object, "object", ""),
        .event = (uint32_t)get_number(reader, object, "event", 0, (int64_t)trace->nevents - 1,
                                      TRACE_NO_EVENT),
    };
    const json_t *locks = get_list(reader, object, "locks", BOARD_LOCKS_HELD);
    access.nlocks = json_array_size(locks);
    access.lock = arena_alloc(&trace->arena, access.nlocks * sizeof *access.lock);
    for (size_t i = 0; i < access.nlocks; i++)
        access.lock[i] = exact_word(reader, json_array_get(locks, i), "locks");
    access.stack = read_stack(reader, object, "stack");
    return access;
}

static void read_block(struct reader *reader, const json_t *block)
{
    struct trace_failure *failure = &reader->trace->failure;
    failure->has_block = true;
    failure->block_size = (uint64_t)get_number(reader, block, "size", 0, INT64_MAX, 0);
    failure->block_owner = read_thread_number(reader, block, "allocated_by");
    failure->freed_by = read_thread_number(reader, block, "freed_by");
    failure->allocated = read_stack(reader, block, "allocated");
    failure->freed = read_stack(reader, block, "freed");
}

static void read_failure(struct reader *reader, const json_t *root)
{
    struct trace_failure *failure = &reader->trace->failure;
    const json_t *object = get(reader, root, "failure", JSON_OBJECT, true);
    const json_t *kind = get(reader, object, "kind", JSON_STRING, true);
    failure->kind = kind ? failure_from_name(json_string_value(kind)) : FAILURE_NONE;
    if (failure->kind == FAILURE_NONE)
        fault(reader, "kind", "is no kind of failure");
    failure->message = get_text(reader, object, "message", "");
    failure->detail = get_text(reader, object, "detail", "");
    failure->tid = read_thread_number(reader, object, "thread");
    failure->signal = (int)get_number(reader, object, "signal", 0, 128, 0);
    failure->status = (int)get_number(reader, object, "status", INT32_MIN, INT32_MAX, 0);
    failure->preemptions = (int)get_number(reader, object, "preemptions", -1, INT32_MAX, 0);
    failure->bound =
        (int)get_number(reader, object, "bound", BOUND_AUTO, INT32_MAX, BOUND_NONE);
    failure->execution = (uint64_t)get_number(reader, object, "execution", 0, INT64_MAX, 0);
    failure->cycle =
        (uint32_t)get_number(reader, object, "cycle", 1, (int64_t)reader->trace->nevents, 0);
    failure->step = (uint32_t)get_number(reader, object, "step", 0, UINT32_MAX, 0);
    failure->stack = read_stack(reader, object, "stack");
    const json_t *accesses = get_list(reader, object, "accesses", 2);
    failure->naccesses = json_array_size(accesses);
    for (size_t i = 0; i < failure->naccesses; i++)
        failure->access[i] = read_access(reader, json_array_get(accesses, i));
    const json_t *block = get(reader, object, "block", JSON_OBJECT, false);
    failure->freed_by = failure->block_owner = -1;
    if (block)
        read_block(reader, block);
    const json_t *history = get(reader, object, "history", JSON_OBJECT, false);
    bool wrong = false;
    failure->history = history ? history_read(reader->trace, history, &wrong) : NULL;
    if (wrong)
        fault(reader, "history", "is not whole");
}

static void read_schedule(struct reader *reader, const json_t *root)
{
    struct trace *trace = reader->trace;
    const json_t *list = get(reader, root, "schedule", JSON_ARRAY, true);
    list = list ? get_list(reader, root, "schedule", BOARD_SCHEDULE) : NULL;
    trace->nschedule = json_array_size(list);
    trace->schedule = arena_alloc(&trace->arena, trace->nschedule * sizeof *trace->schedule);
    for (size_t i = 0; i < trace->nschedule; i++) {
        const json_t *choice = json_array_get(list, i);
        json_int_t number = json_is_integer(choice) ? json_integer_value(choice) : INT64_MAX;
        if (number >= THREADS_MAX || number < -(json_int_t)BOARD_CHOICE)
            fault(reader, "schedule", "has a choice that is none");
        else
            trace->schedule[i] =
                number < 0 ? BOARD_CHOICE | (uint32_t)(-1 - number) : (uint32_t)number;
    }
}

static void read_lessons(struct reader *reader, const json_t *root)
{
    struct lessons *lessons = &reader->trace->lessons;
    const json_t *list = get_list(reader, root, "lessons", LESSONS_MOST);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *lesson = json_array_get(list, i);
        enum lesson_kind kind = get_name(reader, lesson, "kind", lesson_names);
        uint64_t value = (uint64_t)get_number(reader, lesson, "value", 0, INT64_MAX, 0);
        uint32_t size = (uint32_t)get_number(reader, lesson, "size", 0, 1 << 26, 0);
        if (kind == LESSON_RACING && (size == 0 || size > 8))
            fault(reader, "lessons", "has a racing location without a size");
        lessons_add(lessons, kind, value, size);
    }
}

static void read_recipe(struct reader *reader, const json_t *root)
{
    struct recipe *recipe = &reader->trace->recipe;
    const json_t *object = get(reader, root, "recipe", JSON_OBJECT, true);
    const json_t *kind = get(reader, object, "kind", JSON_STRING, true);
    const char *name = kind ? json_string_value(kind) : "";
    recipe->compiled = strcmp(name, "check") == 0;
    recipe->model = strcmp(name, "model") == 0;
    recipe->property = get_word(reader, object, "property");
    recipe->believed = get_bool(reader, object, "believed");
    if (!recipe->compiled && !recipe->model && strcmp(name, "run") != 0)
        fault(reader, "recipe", "is of an unknown kind");
    recipe->compiler = get_word(reader, object, "compiler");
    recipe->argument = get_words(reader, object, "build", &recipe->narguments);
    recipe->program = get_word(reader, object, "program");
    recipe->program_argument =
        get_words(reader, object, "arguments", &recipe->nprogram_arguments);
    recipe->directory = get_word(reader, object, "directory");
    recipe->build_id = get_word(reader, object, "build_id");
    if (!recipe->directory || (!recipe->compiled && !recipe->program))
        fault(reader, "recipe", "is not whole");
}

static void read_setting(struct reader *reader, const json_t *object,
                         const struct setting *setting, struct board_config *config)
{
    char key[SETTING_KEY];
    int64_t number;
    setting_key(setting, key);
    if (setting_is_text(setting)) {
        if (!setting_set_text(setting, config, get_text(reader, object, key, "")))
            fault(reader, key, "is too long");
        return;
    }
    if (setting->choices)
        number = get_name(reader, object, key, setting->choices);
    else if (setting->type == SETTING_FLAG)
        number = get_bool(reader, object, key);
    else
        number =
            get_number(reader, object, key, setting->least, setting->most, setting->initial);
    setting_set_number(setting, config, number);
}

static void read_settings(struct reader *reader, const json_t *root)
{
    const json_t *object = get(reader, root, "settings", JSON_OBJECT, true);
    settings_reset(&reader->trace->settings);
    for (size_t i = 0; i < settings_count; i++)
        if (settings[i].uses & SETTING_REPLAYS)
            read_setting(reader, object, &settings[i], &reader->trace->settings);
}

/* Those of a model have states and transitions where a program's have executions and traces. */
static void read_coverage_rows(struct reader *reader, const json_t *object,
                               struct search_stats *stats)
{
    bool model = reader->trace->recipe.model;
    const char *first = model ? "states" : "executions",
               *second = model ? "transitions" : "distinct";
    const json_t *rows = get_list(reader, object, "bounds", BOUND_ROWS);
    stats->nrows = (int)json_array_size(rows);
    for (int i = 0; i < stats->nrows; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        stats->row[i] = (struct bound_row){
            .bound = (int)get_number(reader, row, "bound", 0, INT32_MAX, 0),
            .executions = (uint64_t)get_number(reader, row, first, 0, INT64_MAX, 0),
            .distinct = (uint64_t)get_number(reader, row, second, 0, INT64_MAX, 0)};
    }
}

static const struct model_coverage *read_model_coverage(struct reader *reader,
                                                        const json_t *object)
{
    struct model_coverage *model = arena_alloc(&reader->trace->arena, sizeof *model);
    model->states = (uint64_t)get_number(reader, object, "states", 0, INT64_MAX, 0);
    model->transitions = (uint64_t)get_number(reader, object, "transitions", 0, INT64_MAX, 0);
    model->depth = (uint64_t)get_number(reader, object, "depth", 0, INT64_MAX, 0);
    model->errors = (uint64_t)get_number(reader, object, "errors", 0, INT64_MAX, 0);
    model->bytes_per_state = json_real_value(json_object_get(object, "bytes_per_state"));
    model->property = get_text(reader, object, "property", NULL);
    model->truncated_by = get_text(reader, object, "truncated_by", NULL);
    const json_t *missed = json_object_get(object, "states_missed");
    model->approximate = missed != NULL;
    model->missed = json_real_value(missed);
    model->fewest = get_bool(reader, object, "fewest");
    return model;
}

/* The reasons by their ids. A file from before there were any has the sentences alone. */
static void read_reasons(struct reader *reader, const json_t *object, struct coverage *coverage)
{
    size_t nuncontrolled;
    const char **uncontrolled = get_words(reader, object, "uncontrolled", &nuncontrolled);
    const json_t *list = get_list(reader, object, "reasons", WORDS_MAX);
    for (size_t i = 0; i < nuncontrolled; i++)
        claim_raise(&coverage->claim, REASON_UNCONTROLLED, uncontrolled[i]);
    coverage->note = get_words(reader, object, "notes", &coverage->nnotes);
    size_t count = json_array_size(list);
    if (count == 0)
        return;
    /* the notes are the same sentences; what is unknown here is kept as one */
    const char **unknown = arena_alloc(&reader->trace->arena, count * sizeof *unknown);
    coverage->note = unknown;
    coverage->nnotes = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *reason = json_array_get(list, i);
        const char *id = get_text(reader, reason, "id", "");
        size_t nnames;
        const char **names = get_words(reader, reason, "names", &nnames);
        bool known = reason_raise_by_id(&coverage->claim, id, nnames ? names[0] : NULL);
        for (size_t j = 1; known && j < nnames; j++)
            reason_raise_by_id(&coverage->claim, id, names[j]);
        if (!known)
            unknown[coverage->nnotes++] = get_text(reader, reason, "text", "");
    }
}

static void read_coverage(struct reader *reader, const json_t *root)
{
    struct coverage *coverage = &reader->trace->coverage;
    struct search_stats *stats = &coverage->stats;
    const json_t *object = get(reader, root, "coverage", JSON_OBJECT, true);
    coverage->strategy = get_text(reader, object, "strategy", "?");
    coverage->instrumented = get_bool(reader, object, "instrumented");
    coverage->restricted = get_text(reader, object, "restricted", "");
    coverage->store_buffers = get_bool(reader, object, "store_buffers");
    coverage->fair = (int)get_number(reader, object, "fair", -1, INT32_MAX, -1);
    coverage->bound_asked =
        (int)get_number(reader, object, "bound_asked", BOUND_AUTO, INT32_MAX, BOUND_AUTO);
    if (reader->trace->recipe.model)
        coverage->model = read_model_coverage(reader, object);
    stats->executions = (uint64_t)get_number(reader, object, "executions", 0, INT64_MAX, 0);
    stats->pruned = (uint64_t)get_number(reader, object, "pruned", 0, INT64_MAX, 0);
    stats->distinct = (uint64_t)get_number(reader, object, "distinct", 0, INT64_MAX, 0);
    coverage->counted = stats->distinct_exact = get_bool(reader, object, "distinct_exact");
    stats->steps = (uint64_t)get_number(reader, object, "steps", 0, INT64_MAX, 0);
    stats->bound = (int)get_number(reader, object, "bound", BOUND_AUTO, INT32_MAX, BOUND_NONE);
    stats->bound_done = (int)get_number(reader, object, "bound_done", -1, INT32_MAX, -1);
    stats->pruned_by_bound = get_bool(reader, object, "pruned_by_bound");
    if (get_bool(reader, object, "depth_cut"))
        claim_raise(&coverage->claim, REASON_STEP_LIMIT, NULL);
    coverage->complete = stats->complete = get_bool(reader, object, "complete");
    coverage->fewest_failing =
        (int)get_number(reader, object, "fewest_failing", -1, INT32_MAX, -1);
    coverage->threads = (unsigned)get_number(reader, object, "threads", 0, UINT32_MAX, 0);
    coverage->visible =
        (unsigned)get_number(reader, object, "visible_operations", 0, UINT32_MAX, 0);
    read_reasons(reader, object, coverage);
    read_coverage_rows(reader, object, stats);
}

static uint32_t get_count(struct reader *reader, const json_t *object, const char *key)
{
    return (uint32_t)get_number(reader, object, key, 0, UINT32_MAX, 0);
}

/* Both were added later: a file without them is as good. */
static void read_simplest(struct reader *reader, const json_t *root)
{
    struct simplification *facts = &reader->trace->simplest;
    const json_t *object = json_object_get(root, "simplest");
    const json_t *found = json_object_get(object, "found");
    const json_t *inflection = json_object_get(root, "inflection");
    reader->trace->inflection = TRACE_NO_EVENT;
    facts->inflection = UINT32_MAX;
    if (!json_is_object(object))
        return;
    facts->repeated = true;
    facts->preemptions = get_count(reader, object, "preemptions");
    facts->switches = get_count(reader, object, "switches");
    facts->steps = get_count(reader, object, "steps");
    facts->given_preemptions = get_count(reader, found, "preemptions");
    facts->given_switches = get_count(reader, found, "switches");
    facts->given_steps = get_count(reader, found, "steps");
    facts->compared = get_bool(reader, object, "compared_all");
    facts->cut = get_bool(reader, object, "cut");
    facts->finished = true;
    facts->excluded =
        (int)get_number(reader, object, "none_with_preemptions", -1, INT32_MAX, -1);
    facts->executions = (uint64_t)get_number(reader, object, "executions", 0, INT64_MAX, 0);
    if (!json_is_object(inflection))
        return;
    facts->inflection = get_count(reader, inflection, "step");
    facts->earliest = get_bool(reader, inflection, "earliest");
    facts->continuations =
        (uint64_t)get_number(reader, inflection, "continuations", 0, INT64_MAX, 0);
    reader->trace->inflection =
        (uint32_t)get_number(reader, inflection, "event", 0, UINT32_MAX, TRACE_NO_EVENT);
    if (reader->trace->inflection >= reader->trace->nevents)
        reader->trace->inflection = TRACE_NO_EVENT;
}

char *trace_from_json(struct trace *trace, const json_t *root)
{
    struct reader reader = {.trace = trace};
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, "mazur-trace") != 0)
        return copy_text("not a trace file of Mazur");
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

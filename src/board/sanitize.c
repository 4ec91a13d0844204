/* Makes what the child left on the board safe to read: forces every count, index, enumeration,
 * flag and text into its valid range, following a description of the layout. See board.h.
 *
 * A description is a list of fields; a field may be a list of structs with their own
 * description. A value that is not described may be any number and must be harmless as such.
 * Code after the description checks values that depend on another field or on a position in a
 * list.
 *
 * This runs on memory that no other process writes (board.c: shared_freeze), so checked values
 * stay checked. */
#include <math.h>
#include <string.h>

#include "board/parent.h"
#include "board/settings.h"
#include "explore/search/strategies.h"

enum field_kind {
    FIELD_UNSIGNED, /* low … high; a value outside becomes the nearest */
    FIELD_SIGNED,   /* the same */
    FIELD_ENUM,     /* uint32_t, 0 … high; a value outside becomes `low` */
    FIELD_FLAG,     /* bool */
    FIELD_TEXT,     /* char [], terminated */
    FIELD_LIST,     /* `high` structs; only as many as the uint32_t at `low` says, unless -1 */
};

struct layout;

struct field {
    enum field_kind kind;
    uint32_t offset;
    uint32_t size;
    int64_t low;
    int64_t high;
    const struct layout *of;
};

struct layout {
    uint32_t size;
    uint32_t nfields;
    const struct field *field;
};

#define AT(type, name) (uint32_t) offsetof(type, name), (uint32_t)sizeof(((type *)0)->name)
#define COUNT(type, name, most)                                                                \
    {                                                                                          \
        FIELD_UNSIGNED, AT(type, name), 0, most, NULL                                          \
    }
#define NUMBER(type, name, least, most)                                                        \
    {                                                                                          \
        FIELD_SIGNED, AT(type, name), least, most, NULL                                        \
    }
#define THREAD(type, name, least) NUMBER(type, name, least, THREADS_MAX - 1)
#define ENUM(type, name, most, otherwise)                                                      \
    {                                                                                          \
        FIELD_ENUM, AT(type, name), otherwise, most, NULL                                      \
    }
#define FLAG(type, name)                                                                       \
    {                                                                                          \
        FIELD_FLAG, AT(type, name), 0, 1, NULL                                                 \
    }
#define TEXT(type, name)                                                                       \
    {                                                                                          \
        FIELD_TEXT, AT(type, name), 0, 0, NULL                                                 \
    }
#define INSIDE(type, name, layout)                                                             \
    {                                                                                          \
        FIELD_LIST, AT(type, name), -1, 1, &(layout)                                           \
    }
#define ALL(type, name, times, layout)                                                         \
    {                                                                                          \
        FIELD_LIST, AT(type, name), -1, times, &(layout)                                       \
    }
#define LIST(type, name, count, layout)                                                        \
    {                                                                                          \
        FIELD_LIST, AT(type, name), (int64_t)offsetof(type, count), 0, &(layout)               \
    }
#define LAYOUT(type, fields)                                                                   \
    static const struct layout type##_layout = {                                               \
        (uint32_t)sizeof(struct type), (uint32_t)(sizeof(fields) / sizeof *(fields)), fields}

static const struct field stack_fields[] = {COUNT(struct board_stack, depth, BOARD_STACK)};
LAYOUT(board_stack, stack_fields);

static const struct field block_fields[] = {
    COUNT(struct board_block, tid, THREADS_MAX - 1),
    THREAD(struct board_block, freed_by, -1),
    INSIDE(struct board_block, allocated, board_stack_layout),
    INSIDE(struct board_block, freed, board_stack_layout),
};
LAYOUT(board_block, block_fields);

static const struct field home_fields[] = {
    ENUM(struct board_home, kind, HOME_STORAGE, HOME_NONE),
    THREAD(struct board_home, tid, 0),
    COUNT(struct board_home, module, BOARD_MODULES - 1),
};
LAYOUT(board_home, home_fields);

static const struct field pointer_fields[] = {
    INSIDE(struct board_pointer, home, board_home_layout)};
LAYOUT(board_pointer, pointer_fields);

static const struct field op_fields[] = {COUNT(struct op, nobjects, OP_OBJECTS)};
LAYOUT(op, op_fields);

static const struct field access_fields[] = {
    THREAD(struct board_access, tid, -1),
    FLAG(struct board_access, write),
    FLAG(struct board_access, atomic),
    FLAG(struct board_access, is_free),
    COUNT(struct board_access, nlocks, BOARD_LOCKS_HELD),
    INSIDE(struct board_access, home, board_home_layout),
    INSIDE(struct board_access, stack, board_stack_layout),
};
LAYOUT(board_access, access_fields);

static const struct field failure_fields[] = {
    ENUM(struct board_failure, kind, FAILURE_KINDS - 1, FAILURE_INTERNAL),
    THREAD(struct board_failure, tid, -1),
    NUMBER(struct board_failure, preemptions, 0, BOARD_SCHEDULE),
    NUMBER(struct board_failure, bound, BOUND_NONE, BOARD_SCHEDULE),
    NUMBER(struct board_failure, line, 0, INT32_MAX - 1),
    NUMBER(struct board_failure, signal, 0, 64),
    COUNT(struct board_failure, ends, BOARD_SCHEDULE),
    FLAG(struct board_failure, stops_loops),
    TEXT(struct board_failure, message),
    TEXT(struct board_failure, detail),
    COUNT(struct board_failure, naccesses, 2),
    ALL(struct board_failure, access, 2, board_access_layout),
    INSIDE(struct board_failure, stack, board_stack_layout),
    INSIDE(struct board_failure, home, board_home_layout),
    INSIDE(struct board_failure, block, board_block_layout),
};
LAYOUT(board_failure, failure_fields);

static const struct field thread_fields[] = {
    ENUM(struct board_thread, state, THREAD_FINISHED, THREAD_NONE),
    THREAD(struct board_thread, waits_for, -1),
    TEXT(struct board_thread, name),
    COUNT(struct board_thread, nlocks, BOARD_LOCKS_HELD),
    INSIDE(struct board_thread, pending, op_layout),
    INSIDE(struct board_thread, home, board_home_layout),
    INSIDE(struct board_thread, stack, board_stack_layout),
};
LAYOUT(board_thread, thread_fields);

static const struct field event_fields[] = {
    THREAD(struct board_event, tid, 0),
    THREAD(struct board_event, from, -1),
    THREAD(struct board_event, other, -1),
    ENUM(struct board_event, reason, SWITCH_SPINNING, SWITCH_NONE),
    FLAG(struct board_event, has_values),
    TEXT(struct board_event, label),
    INSIDE(struct board_event, op, op_layout),
    INSIDE(struct board_event, home, board_home_layout),
    INSIDE(struct board_event, second, board_home_layout),
    INSIDE(struct board_event, block, board_block_layout),
    INSIDE(struct board_event, stack, board_stack_layout),
};
LAYOUT(board_event, event_fields);

static const struct field stats_fields[] = {
    FLAG(struct search_stats, distinct_exact),
    NUMBER(struct search_stats, bound, BOUND_NONE, BOARD_SCHEDULE),
    NUMBER(struct search_stats, bound_done, -1, BOARD_SCHEDULE),
    FLAG(struct search_stats, pruned_by_bound),
    FLAG(struct search_stats, depth_cut),
    FLAG(struct search_stats, complete),
    NUMBER(struct search_stats, max_threads, 0, THREADS_MAX),
    FLAG(struct search_stats, states_exact),
    NUMBER(struct search_stats, npoints, 0, STATE_POINTS),
    NUMBER(struct search_stats, nrows, 0, BOUND_ROWS),
    NUMBER(struct search_stats, nfailures_seen, 0, INT32_MAX - 1),
    FLAG(struct search_stats, livelock),
    FLAG(struct search_stats, diverged),
    FLAG(struct search_stats, cycle),
};
LAYOUT(search_stats, stats_fields);

static const struct field simplified_fields[] = {
    FLAG(struct simplification, repeated),
    FLAG(struct simplification, finished),
    FLAG(struct simplification, cut),
    FLAG(struct simplification, compared),
    FLAG(struct simplification, earliest),
    COUNT(struct simplification, preemptions, BOARD_SCHEDULE),
    NUMBER(struct simplification, excluded, -1, BOARD_SCHEDULE),
};
LAYOUT(simplification, simplified_fields);

static const struct field place_fields[] = {
    COUNT(struct board_place, kind, PLACE_VARIABLE),
    COUNT(struct board_place, list, LISTS - 1),
};
LAYOUT(board_place, place_fields);

static const struct field site_fields[] = {
    COUNT(struct board_site, kind, SITE_UNTOLD), FLAG(struct board_site, locked),
    FLAG(struct board_site, repeated),           FLAG(struct board_site, until_not),
    FLAG(struct board_site, byte_index),         FLAG(struct board_site, plain),
};
LAYOUT(board_site, site_fields);

static const struct field module_fields[] = {
    FLAG(struct board_module, instrumented),
    TEXT(struct board_module, path),
};
LAYOUT(board_module, module_fields);

static const struct field name_fields[] = {TEXT(struct board_name, text)};
LAYOUT(board_name, name_fields);

static const struct field call_fields[] = {
    COUNT(struct linear_operation, tid, THREADS_MAX - 1)};
LAYOUT(linear_operation, call_fields);

static const struct field history_fields[] = {
    COUNT(struct linear_history, count, LINEAR_OPERATIONS),
    LIST(struct linear_history, item, count, linear_operation_layout),
};
LAYOUT(linear_history, history_fields);

static const struct field serial_fields[] = {
    COUNT(struct linear_table, nhistories, LINEAR_HISTORIES),
    COUNT(struct linear_table, nentries, LINEAR_ENTRIES),
    FLAG(struct linear_table, full),
};
LAYOUT(linear_table, serial_fields);

static const struct field board_fields[] = {
    COUNT(struct board, nplaces, BOARD_PLACES),
    LIST(struct board, place, nplaces, board_place_layout),
    COUNT(struct board, nsites, BOARD_SITES),
    LIST(struct board, site, nsites, board_site_layout),
    COUNT(struct board, nold_rules, BOARD_OLD_RULES),
    ENUM(struct board, state, CHILD_DONE, CHILD_STARTING),
    FLAG(struct board, instrumented),
    FLAG(struct board, atomics_seen),
    FLAG(struct board, was_cut),
    ENUM(struct board, probe, PROBE_DONE, PROBE_NONE),
    FLAG(struct board, cut_in_loop),
    INSIDE(struct board, cut_at, board_stack_layout),
    COUNT(struct board, nuses, BOARD_USES),
    COUNT(struct board, max_threads, THREADS_MAX),
    ENUM(struct board, left, LEFT_LOOSE, LEFT_LOOSE),
    INSIDE(struct board, stats, search_stats_layout),
    INSIDE(struct board, simplified, simplification_layout),
    NUMBER(struct board, round, 0, INT32_MAX),
    COUNT(struct board, nfailures, BOARD_FAILURES),
    LIST(struct board, failure, nfailures, board_failure_layout),
    ENUM(struct board, history_phase, HISTORY_CONCURRENT, HISTORY_NONE),
    INSIDE(struct board, history, linear_history_layout),
    INSIDE(struct board, serial, linear_table_layout),
    COUNT(struct board, pool_tables, POOL_TABLES_MOST),
    COUNT(struct board, nmodules, BOARD_MODULES),
    LIST(struct board, module, nmodules, board_module_layout),
    COUNT(struct board, nthreads, THREADS_MAX),
    COUNT(struct board, nnames, BOARD_NAMES),
    LIST(struct board, name, nnames, board_name_layout),
    COUNT(struct board, nheap, BOARD_HEAP),
    LIST(struct board, heap, nheap, board_block_layout),
    COUNT(struct board, npointers, BOARD_POINTERS),
    LIST(struct board, pointer, npointers, board_pointer_layout),
    COUNT(struct board, nschedule, BOARD_SCHEDULE),
    COUNT(struct board, nkept, BOARD_SCHEDULE),
    COUNT(struct board, nevents, BOARD_EVENTS),
    LIST(struct board, event, nevents, board_event_layout),
};
LAYOUT(board, board_fields);

/* --- By the description --- */

static void clamp_unsigned(void *at, uint32_t size, uint64_t most)
{
    uint64_t value = 0; /* little-endian, as every CPU that Mazur runs on */
    memcpy(&value, at, size);
    if (value > most)
        value = most;
    memcpy(at, &value, size);
}

static void clamp_signed(int32_t *at, int64_t least, int64_t most)
{
    int32_t value = *at;
    *at = (int32_t)(value < least ? least : value > most ? most : value);
}

static void sanitize_struct(void *base, const struct layout *layout);

static void sanitize_list(char *base, const struct field *field)
{
    uint32_t count = (uint32_t)field->high;
    if (field->low >= 0)
        memcpy(&count, base + field->low, sizeof count);
    for (uint32_t i = 0; i < count; i++)
        sanitize_struct(base + field->offset + (size_t)i * field->of->size, field->of);
}

static void sanitize_field(char *base, const struct field *field)
{
    void *at = base + field->offset;
    switch (field->kind) {
    case FIELD_UNSIGNED:
        clamp_unsigned(at, field->size, (uint64_t)field->high);
        break;
    case FIELD_SIGNED:
        clamp_signed(at, field->low, field->high);
        break;
    case FIELD_ENUM:
        if (*(uint32_t *)at > field->high)
            *(uint32_t *)at = (uint32_t)field->low;
        break;
    case FIELD_FLAG:
        *(unsigned char *)at = *(unsigned char *)at != 0;
        break;
    case FIELD_TEXT:
        ((char *)at)[field->size - 1] = 0;
        break;
    case FIELD_LIST:
        sanitize_list(base, field);
        break;
    }
}

static void sanitize_struct(void *base, const struct layout *layout)
{
    for (uint32_t i = 0; i < layout->nfields; i++)
        sanitize_field(base, &layout->field[i]);
}

/* --- By hand: values that depend on others --- */

void stats_sanitize(struct search_stats *stats)
{
    sanitize_struct(stats, &search_stats_layout);
    if (!isfinite(stats->estimate) || stats->estimate < 0)
        stats->estimate = 0;
    for (int i = 0; i < stats->nrows; i++)
        clamp_signed(&stats->row[i].bound, 0, BOARD_SCHEDULE);
}

/* Keeps only lessons that a search can have made. */
static void lessons_sanitize(struct lessons *lessons)
{
    uint32_t count = lessons->count < LESSONS_MOST ? lessons->count : LESSONS_MOST;
    lessons->count = lessons->kinds = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct lesson lesson = lessons->item[i];
        if (lesson.kind < LESSON_KINDS)
            lessons_add(lessons, lesson.kind, lesson.value, lesson.size);
    }
}

/* Chains lead to earlier histories, so following one terminates. */
static void serial_sanitize(struct linear_table *table)
{
    if (table->nhistories == 0)
        return;
    for (uint32_t i = 0; i < LINEAR_NAMES; i++)
        table->name[i][LINEAR_TEXT - 1] = 0;
    for (uint32_t i = 0; i < LINEAR_HISTORIES; i++)
        if (table->bucket[i] > table->nhistories)
            table->bucket[i] = 0;
    for (uint32_t i = 0; i < table->nhistories; i++) {
        struct linear_serial *history = &table->history[i];
        if (history->next > i)
            history->next = 0;
        if (history->first > table->nentries ||
            history->count > table->nentries - history->first ||
            history->count > LINEAR_OPERATIONS)
            history->first = history->count = 0;
    }
}

static void failures_sanitize(struct board *board)
{
    for (uint32_t i = 0; i < board->nfailures; i++)
        if (board->failure[i].kind == FAILURE_NONE)
            board->failure[i].kind = FAILURE_INTERNAL;
}

/* Reports also show threads past nthreads that only events name, so their slots are checked,
 * too. A parent comes before its child, so walking up the tree terminates. */
static void threads_sanitize(struct board *board)
{
    uint32_t count = board->nthreads;
    for (uint32_t i = 0; i < board->nevents; i++)
        if ((uint32_t)board->event[i].tid >= count)
            count = (uint32_t)board->event[i].tid + 1;
    for (uint32_t i = 0; i < count; i++) {
        sanitize_struct(&board->thread[i], &board_thread_layout);
        clamp_signed(&board->thread[i].parent, -1, (int64_t)i - 1);
    }
}

void board_sanitize(struct board *board)
{
    sanitize_struct(board, &board_layout);
    threads_sanitize(board);
    stats_sanitize(&board->stats);
    stats_sanitize(&board->proven);
    claim_sanitize(&board->claim);
    lessons_sanitize(&board->lessons);
    serial_sanitize(&board->serial);
    failures_sanitize(board);
    if (board->simplified.excluded > (int)board->simplified.preemptions)
        board->simplified.excluded = (int)board->simplified.preemptions;
    for (uint32_t i = 0; i < board->nevents; i++)
        if (board->event[i].reads_from >= i)
            board->event[i].reads_from = UINT32_MAX;
}

/* --- The configuration: the parent's own, except for what the search decided --- */

void config_take(struct board_config *config, const struct board_config *left)
{
    /* the date is fixed once the program starts a thread: traces and replays need that one */
    if (left->realtime_start <= INT64_MAX)
        config->realtime_start = left->realtime_start;
    static const struct field fields[] = {
        /* settings are forced into their ranges, below */
        FLAG(struct search_options, count_traces), FLAG(struct search_options, automatic),
        FLAG(struct search_options, was_cut),      FLAG(struct search_options, states),
        FLAG(struct search_options, scouts),       FLAG(struct search_options, states_prove),
        TEXT(struct search_options, strategy)};
    const struct layout layout = {sizeof(struct search_options), sizeof fields / sizeof *fields,
                                  fields};
    struct board_config settled = *config;
    memcpy(&settled.search, &left->search, sizeof settled.search);
    sanitize_struct(&settled.search, &layout);
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_is_text(&settings[i]))
            setting_set_number(&settings[i], &settled, setting_number(&settings[i], &settled));
    if (strategy_is_known(settled.search.strategy))
        config->search = settled.search;
}

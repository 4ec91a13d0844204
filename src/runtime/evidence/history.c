/* mazur_history_begin() and mazur_history_end(): a test marks where the operations of a data
 * structure begin and end, and the search compares each history with the serial ones (Line-Up,
 * see explore/judge/linear.h).
 *
 *     first mazur_history_begin ─▶ start over: phase SERIAL     every serial execution; their
 *                                                               histories go to board->serial
 *                                  all run ─▶ start over: phase CONCURRENT, the search that was
 *                                             asked for; each history is judged at its end
 *
 * In the serial phase no operation begins while another one is open, and the thread of an open
 * operation is not preempted. Outside operations every order is tried, except around the start
 * and the end of threads, which do not show in a history. An operation that waits forever ends
 * the execution: this is a stuck history, and it counts.
 *
 * Begin and end are visible operations. An operation is "before" another one if its end comes
 * before the other's begin. So an end and a begin in two threads depend on each other: an end
 * writes an object of its thread, a begin reads those of all threads. Hence the reductions try
 * every such order, while two ends or two begins are independent. (Threads share these objects
 * once an operation can't have more of them.)
 *
 * Invariant: history.now.item is in the order of the begins. */
#include "runtime/evidence/history.h"

#include "base/hash.h"
#include "explore/judge/linear.h"
#include "explore/search/auto.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"

EXPORT void mazur_rt_history_begin(const char *operation, const char *text, long long number);
EXPORT void mazur_rt_history_end(const char *operation, const char *text, long long number,
                                 const char *result_text, long long result);

static struct {
    uint32_t moment;
    int nopen;
    int open[THREADS_MAX]; /* index of the thread's open operation plus 1; 0: none */
    struct linear_history now;
} history;

void history_begin(void)
{
    history.moment = 0;
    history.nopen = 0;
    history.now.count = 0;
    __builtin_memset(history.open, 0, sizeof history.open);
}

static uint32_t current_phase(void)
{
    return rt.board->history_phase;
}

static void refuse_history(uint64_t pc, const char *what)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc}, "%s", what);
}

/* --- Phases --- */

/* Starts the search over, now with all serial executions. */
static void enter_serial_phase(void)
{
    struct board *board = rt.board;
    if (board->config.mode != BOARD_SEARCH || current_phase() != HISTORY_NONE)
        return;
    board->history_phase = HISTORY_SERIAL;
    board->history_asked = board->config.search;
    auto_search_all(&board->config.search);
    schedule_start_over();
}

static void note_serial(uint64_t count)
{
    char digits[24];
    uint32_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    raise_reason(REASON_SERIAL_HISTORIES, digits + at);
}

bool history_next_phase(void)
{
    struct board *board = rt.board;
    if (current_phase() != HISTORY_SERIAL || board->nfailures > 0 || rt.recording)
        return false;
    if (board->stop) {
        raise_reason(REASON_SERIAL_UNFINISHED, NULL);
        return false;
    }
    if (!board->stats.complete || board->serial.full) {
        rt.search = NULL; /* the entry is complete as it is */
        failure_note(FAILURE_INVALID, &(struct failure_details){0},
                     board->serial.full
                         ? "too many serial histories to compare with: make the test smaller"
                         : "the serial histories are not known: a serial execution was cut at "
                           "the step limit, or behaved differently the second time");
        return false;
    }
    board->history_phase = HISTORY_CONCURRENT;
    note_serial(board->serial.nhistories);
    board->config.search = board->history_asked;
    return !board->config.serial_only;
}

/* Starting and ending threads commutes with everything that a history shows. */
static bool is_about_threads(int kind)
{
    return kind == OP_START || kind == OP_THREAD_EXIT || kind == OP_CREATE || kind == OP_JOIN ||
           kind == OP_DETACH || kind == OP_HISTORY_END;
}

bool history_goes_on(void)
{
    return current_phase() == HISTORY_SERIAL && !rt.recording &&
           (history.open[rt.current] != 0 || is_about_threads(rt.pending[rt.current].kind));
}

/* --- Operations --- */

static uint32_t name_text(const char *text, uint64_t pc)
{
    uint32_t length = 0;
    while (text[length])
        if (++length >= LINEAR_TEXT)
            refuse_history(pc, "a text given to mazur_history_begin or _end is too long");
    uint32_t name = linear_name(&rt.board->serial, text);
    if (rt.board->serial.full)
        refuse_history(pc, "too many different operations, arguments and results in histories");
    return name;
}

static uint32_t name_value(const char *text, long long number, uint64_t pc)
{
    char digits[24];
    uint32_t at = sizeof digits - 1;
    unsigned long long rest =
        number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    if (text)
        return name_text(text, pc);
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0)
        digits[--at] = '-';
    return name_text(digits + at, pc);
}

/* For the report, which also shows the history of an execution that fails before its end. */
static void publish_history(void)
{
    if (UNLIKELY(rt.recording))
        rt.board->history = history.now;
}

static bool nobody_is_open(struct thread *thread)
{
    (void)thread;
    return history.nopen == 0;
}

static uint64_t end_object(int slot)
{
    return OBJECT_HISTORY(slot % OP_OBJECTS);
}

/* A begin reads what the ends of all threads write, including threads that do not exist yet. */
static struct op begin_op(uint64_t pc)
{
    struct op op = op_make(OP_HISTORY_BEGIN, OP_READS, NULL, pc);
    for (int i = 0; i < OP_OBJECTS; i++)
        op.object[op.nobjects++] = end_object(i);
    return op;
}

void mazur_rt_history_begin(const char *operation, const char *text, long long number)
{
    uint64_t pc = CALLER;
    if (!rt.on)
        return;
    enter_serial_phase();
    if (history.open[rt.current])
        refuse_history(pc, "mazur_history_begin inside an operation that has not ended");
    struct op op = begin_op(pc);
    if (current_phase() == HISTORY_SERIAL && !rt.recording) {
        op.flags |= OP_MAY_BLOCK;
        schedule_point_blocking(&op, nobody_is_open);
    } else {
        schedule_point(&op);
    }
    schedule_done(&op);
    if (history.now.count == LINEAR_OPERATIONS)
        refuse_history(pc, "more than 64 operations in one history: make the test smaller");
    struct linear_operation *item = &history.now.item[history.now.count++];
    *item = (struct linear_operation){.tid = (uint32_t)rt.current,
                                      .operation = name_text(operation, pc),
                                      .arguments = name_value(text, number, pc),
                                      .result = LINEAR_PENDING,
                                      .begin = history.moment++,
                                      .end = LINEAR_PENDING};
    history.open[rt.current] = (int)history.now.count;
    history.nopen++;
    publish_history();
}

void mazur_rt_history_end(const char *operation, const char *text, long long number,
                          const char *result_text, long long result)
{
    uint64_t pc = CALLER;
    if (!rt.on)
        return;
    if (!history.open[rt.current])
        refuse_history(pc, "mazur_history_end without mazur_history_begin");
    struct op op = op_make(OP_HISTORY_END, OP_WRITES | OP_MAY_RELEASE, NULL, pc);
    op.object[op.nobjects++] = end_object(rt.current);
    schedule_visible(&op);
    struct linear_operation *item = &history.now.item[history.open[rt.current] - 1];
    if (operation && (name_text(operation, pc) != item->operation ||
                      name_value(text, number, pc) != item->arguments))
        refuse_history(pc,
                       "mazur_history_end names another operation than mazur_history_begin");
    item->result = name_value(result_text, result, pc);
    item->end = history.moment++;
    history.open[rt.current] = 0;
    history.nopen--;
    publish_history();
}

uint64_t history_hash(uint64_t seed)
{
    for (uint32_t i = 0; i < history.now.count; i++) {
        const struct linear_operation *item = &history.now.item[i];
        seed = hash_join(seed, ((uint64_t)item->tid << 32) | item->operation);
        seed = hash_join(seed, ((uint64_t)item->arguments << 32) | item->result);
        seed = hash_join(seed, ((uint64_t)item->begin << 32) | item->end);
    }
    return seed;
}

/* --- The end of an execution --- */

static const char *name_of(uint32_t name)
{
    return rt.board->serial.name[name % LINEAR_NAMES];
}

static bool is_judged(void)
{
    return current_phase() == HISTORY_CONCURRENT && history.now.count > 0;
}

void history_stuck(void)
{
    if (history.nopen == 0 || current_phase() == HISTORY_NONE)
        return;
    if (current_phase() == HISTORY_SERIAL) {
        if (rt.recording)
            return;
        linear_add(&rt.board->serial, &history.now);
        schedule_end(OUTCOME_FINISHED);
    }
    int pending = linear_unexplained(&rt.board->serial, &history.now);
    if (pending < 0)
        schedule_end(OUTCOME_FINISHED);
    const struct linear_operation *item = &history.now.item[pending];
    failure_note(FAILURE_LINEARIZABILITY,
                 &(struct failure_details){.pc = rt.pending[item->tid].pc},
                 "not linearizable: %s(%s) waits for ever, and in no serial execution does it",
                 name_of(item->operation), name_of(item->arguments));
    failure_current()->tid = (int)item->tid;
    schedule_end(OUTCOME_FAILED);
}

void history_finished(void)
{
    if (history.now.count == 0 || current_phase() == HISTORY_NONE)
        return;
    if (history.nopen > 0)
        refuse_history(
            0, "the program ends while an operation of its history has not ended: join the "
               "threads first");
    if (current_phase() == HISTORY_SERIAL && !rt.recording)
        linear_add(&rt.board->serial, &history.now);
    if (!is_judged() || linear_explains(&rt.board->serial, &history.now))
        return;
    failure_raise(FAILURE_LINEARIZABILITY, &(struct failure_details){0},
                  "not linearizable: no serial execution explains this history");
}

/* The event log of a RECORD run: every visible operation with values, stacks and names, on the
 * board. A search never runs this code. */
#include "runtime/evidence/record.h"

#include "runtime/core/executor.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/evidence/home.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"

struct record_facts record_facts;

static struct {
    uint32_t reason;
    int from;
} arrival; /* how control came to the thread that executes the next event */

static int picked; /* the thread that was picked last, -1: none yet */

static char labels[THREADS_MAX][32];

static void clear_facts(void)
{
    record_facts = (struct record_facts){.other = -1};
}

void record_begin(void)
{
    picked = -1;
    rt.board->nevents = 0;
    rt.board->events_lost = 0;
    rt.board->nnames = 0;
    for (int t = 0; t < THREADS_MAX; t++)
        labels[t][0] = 0;
    clear_facts();
}

void record_woken(int tid)
{
    if (LIKELY(!rt.recording))
        return;
    threadset_add(&record_facts.woken, tid);
    if (record_facts.other < 0)
        record_facts.other = tid;
}

static uint32_t reason_for_leaving(int last, int tid)
{
    if (last < 0 || last == tid)
        return SWITCH_NONE;
    if (rt.pending[last].kind == OP_NONE)
        return SWITCH_FINISHED;
    if (!threadset_has(&rt.pos.enabled, last))
        return rt.pending[last].flags & OP_SPINS ? SWITCH_SPINNING : SWITCH_BLOCKED;
    return rt.pending[last].flags & OP_YIELDS ? SWITCH_YIELDED : SWITCH_PREEMPTED;
}

int record_switch(int tid)
{
    arrival.reason = reason_for_leaving(picked, tid);
    arrival.from = picked;
    picked = tid;
    return rt.os_threads ? executor_switch(tid, arrival.reason) : tid;
}

static uint32_t find_write(const struct op *op)
{
    if (!(op->flags & OP_READS) || op->nobjects == 0)
        return UINT32_MAX;
    for (uint32_t i = rt.board->nevents; i-- > 0;) {
        const struct op *earlier = &rt.board->event[i].op;
        if ((earlier->flags & OP_WRITES) && earlier->nobjects > 0 &&
            earlier->kind != OP_FUTEX_WAKE && /* it wakes threads, the value stays */
            earlier->object[0] == op->object[0])
            return i;
    }
    return UINT32_MAX;
}

void record_event(const struct op *op)
{
    struct board *board = rt.board;
    if (rt.os_threads)
        executor_note_event();
    if (board->nevents == BOARD_EVENTS) {
        board->events_lost++;
        clear_facts();
        return;
    }
    struct board_event *event = &board->event[board->nevents];
    __builtin_memset(event, 0, sizeof *event);
    event->tid = rt.current;
    event->reason = arrival.reason;
    event->from = arrival.from;
    event->step = rt.pos.depth;
    event->reads_from = find_write(op);
    event->op = *op;
    event->address = record_facts.address ? record_facts.address
                     : op->nobjects       ? op->object[0]
                                          : 0;
    event->before = record_facts.before;
    event->after = record_facts.after;
    event->has_values = record_facts.has_values;
    event->result = record_facts.result;
    event->other = record_facts.other;
    __builtin_memcpy(event->label, labels[rt.current], sizeof event->label);
    event->woken = record_facts.woken;
    home_find(event->address, &event->home);
    if (op->nobjects > 1)
        home_find(op->object[1], &event->second);
    if (heap_contains(event->address))
        heap_block(event->address, &event->block);
    stack_capture(rt.self, op->pc, &event->stack);
    rt.self->last_event = board->nevents;
    board->nevents++;
    clear_facts();
}

/* The stack of each thread at its announced operation, saved because it can't be walked while
 * another thread runs. Where instrumented code announced it no walk is needed; where a library
 * did, such as std::thread::join, the walk leads to the line that called it. */
static struct board_stack *waiting; /* by thread */

void record_pending(const struct op *op)
{
    if (rt.ninstrumented > 0 && module_instrumented(op->pc))
        return;
    if (!waiting)
        waiting = rt_map(THREADS_MAX * sizeof *waiting);
    struct board_stack stack;
    waiting[rt.current].depth = 0; /* of its last operation */
    stack_capture(rt.self, op->pc, &stack);
    waiting[rt.current] = stack;
}

bool record_pending_stack(int tid, uint64_t pc, struct board_stack *out)
{
    if (!waiting || waiting[tid].depth == 0 || waiting[tid].pc[0] != pc)
        return false;
    *out = waiting[tid];
    return true;
}

static void copy_text(char *to, const char *from, uint32_t size)
{
    uint32_t i = 0;
    for (; from[i] && i + 1 < size; i++)
        to[i] = from[i];
    to[i] = 0;
}

void record_label(const char *text)
{
    copy_text(labels[rt.current], text, sizeof labels[0]);
}

void record_name(uint64_t address, uint64_t size, const char *text)
{
    struct board *board = rt.board;
    if (board->nnames == BOARD_NAMES)
        return;
    struct board_name *name = &board->name[board->nnames++];
    name->address = address;
    name->size = size;
    copy_text(name->text, text, sizeof name->text);
}

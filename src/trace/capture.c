/* See capture.h. Objects get the first name that exists: one given with mazur_name, a variable
 * with its member path, a heap block with the place of its allocation, a variable on a stack or
 * of a thread, the address. */
#include "trace/capture.h"

#include <signal.h>
#include <string.h>

#include "base/hash.h"
#include "debuginfo/symbolise.h"
#include "trace/library_calls.h"
#include "trace/trace_history.h"
#include "trace/verdict.h"

#define MENTIONS (1 + OP_OBJECTS) /* of one event: its address and its objects */

struct capture {
    struct trace *trace;
    const struct board *board;
    struct symboliser *symboliser;
    /* The events that mention an address, the last one first: a chain for each hash of it.
     * Many threads that hold many locks would otherwise read all events for each lock. */
    uint32_t *chain; /* 1 + number of the first mention, 0: none */
    uint32_t *next;  /* by number of a mention: 1 + number of the next one */
    uint32_t chain_bits;
};

static void index_mentions(struct capture *capture)
{
    const struct board *board = capture->board;
    struct arena *arena = &capture->trace->arena;
    uint32_t events = board->nevents;
    for (capture->chain_bits = 4; (1u << capture->chain_bits) < events;)
        capture->chain_bits++;
    capture->chain = arena_alloc(arena, (sizeof *capture->chain) << capture->chain_bits);
    capture->next = arena_alloc(arena, events * MENTIONS * sizeof *capture->next);
    for (uint32_t i = 0; i < events; i++) {
        const struct board_event *event = &board->event[i];
        for (uint32_t j = 0; j <= event->op.nobjects && j < MENTIONS; j++) {
            uint64_t address = j == 0 ? event->address : event->op.object[j - 1];
            uint32_t *chain = &capture->chain[hash_slot(address, capture->chain_bits)];
            capture->next[i * MENTIONS + j] = *chain;
            *chain = i * MENTIONS + j + 1;
        }
    }
}

/* The events that may mention the address, one with each call, the last event first; then NULL.
 * The caller sets *at to 0 before the first call. */
static const struct board_event *find_mention(const struct capture *capture, uint64_t address,
                                              uint32_t *at)
{
    *at =
        *at ? capture->next[*at - 1] : capture->chain[hash_slot(address, capture->chain_bits)];
    return *at ? &capture->board->event[(*at - 1) / MENTIONS] : NULL;
}

/* Finds the heap block of a bare address: the one that an event mentions, which may have been
 * freed since, or else the one that was live at the end. */
static const struct board_block *find_block(struct capture *capture, uint64_t address)
{
    const struct board *board = capture->board;
    const struct board_block *live = symbolise_live_block(capture->symboliser, address);
    for (uint32_t i = board->nevents; !live && i-- > 0;) {
        const struct board_block *block = &board->event[i].block;
        if (block->base && address - block->base < block->size)
            return block;
    }
    return live;
}

static const char *shared_name(uint64_t object)
{
    static const char *const names[SHARED_STATES] = {
        [SHARED_FILES] = "the table of open files",
        [SHARED_KEYS] = "the table of keys",
        [SHARED_STRTOK] = "strtok's position",
        [SHARED_TIME] = "localtime's result",
        [SHARED_TIME_TEXT] = "ctime's text",
        [SHARED_EXIT] = "the list of exit handlers",
        [SHARED_PROCESS] = "process state",
        [SHARED_ENVIRONMENT] = "the environment",
        [SHARED_DIRECTORY] = "the working directory",
        [SHARED_ZONE] = "the time zone",
        [SHARED_LOCALE] = "the locale",
        [SHARED_RANDOM] = "rand's sequence",
        [SHARED_RANDOM_48] = "drand48's sequence",
        [SHARED_FACTOR_48] = "lcong48's factor",
        [SHARED_OPTIONS] = "getopt's position",
        [SHARED_HASH] = "hsearch's table",
        [SHARED_RESULTS] = "a result in libc's memory",
        [SHARED_DATABASES] = "the position in a system database",
        [SHARED_SETTINGS] = "the process settings",
        [SHARED_FLAGS] = "the flags of open files",
        [SHARED_HANDLERS] = "the signal handlers",
        [SHARED_TIMERS] = "the timers",
        [SHARED_SEMAPHORES] = "the semaphore names",
        [SHARED_CXX_HANDLERS] = "a C++ library handler",
        [SHARED_RESOURCE] = "the default memory resource",
        [SHARED_XALLOC] = "xalloc's numbers",
        [SHARED_CONVERSION] = "the state of a conversion of characters",
        [SHARED_STREAMS] = "the locks of streams",
    };
    uint64_t state = object - OBJECT_SHARED(0);
    return state < SHARED_STATES ? names[state] : "a file";
}

static const char *object_name(struct capture *capture, uint64_t address, unsigned size,
                               const struct board_block *block, const struct board_home *home,
                               bool *internal)
{
    *internal = false;
    if (!address || object_is_named(address))
        return "";
    const char *name = symbolise_data(capture->symboliser, address, size);
    if (name) {
        *internal = strncmp(name, "__", 2) == 0;
        return name;
    }
    if (!block || !block->base)
        block = home->kind == HOME_NONE ? find_block(capture, address) : NULL;
    if (block && address - block->base >= block->size && home->kind == HOME_NONE)
        return symbolise_beside(capture->symboliser, block, address);
    if (block)
        return symbolise_heap(capture->symboliser, block, address, size, internal);
    name = symbolise_home(capture->symboliser, home, address, size);
    return name ? name : symbolise_nameless(capture->symboliser, home, address);
}

/* The name of a mutex, given only its address: the last event on it says whether it is on a
 * stack. */
static const char *lock_name(struct capture *capture, uint64_t address)
{
    static const struct board_home nowhere = {.kind = HOME_NONE};
    const struct board_block *block = NULL;
    const struct board_home *home = &nowhere;
    uint32_t at = 0;
    for (const struct board_event *event;
         home->kind == HOME_NONE && !block && (event = find_mention(capture, address, &at));) {
        if (event->address == address && event->block.base)
            block = &event->block;
        else if (event->address == address)
            home = &event->home;
        else if (event->op.nobjects > 1 && event->op.object[1] == address)
            home = &event->second;
    }
    bool internal;
    return object_name(capture, address, 0, block, home, &internal);
}

/* Is the object of this kind of operation a thread? Only operations on another thread name it.
 */
static bool names_a_thread(int kind)
{
    return kind == OP_START || kind == OP_THREAD_EXIT || kind == OP_CREATE || kind == OP_JOIN ||
           kind == OP_DETACH || kind == OP_PROCESS_EXIT;
}

static bool names_another_thread(int kind)
{
    return kind == OP_CREATE || kind == OP_JOIN || kind == OP_DETACH;
}

/* The thread that an operation like join is about, or -1. */
static int thread_object(const struct op *op)
{
    uint64_t slot = op->nobjects ? op->object[0] - OBJECT_THREAD(0) : THREADS_MAX;
    return slot < THREADS_MAX ? (int)slot : -1;
}

static struct trace_operation capture_operation(struct capture *capture, const struct op *op,
                                                uint64_t address,
                                                const struct board_block *block,
                                                const struct board_home *home)
{
    struct trace_operation result = {.kind = op->kind < OP_KINDS ? op->kind : OP_NONE,
                                     .flags = op->flags,
                                     .order = op->order & 7,
                                     .size = op->size,
                                     .object = "",
                                     .second = "",
                                     .call = ""};
    if (names_a_thread(op->kind)) {
        if (names_another_thread(op->kind) && thread_object(op) >= 0)
            result.object = arena_format(&capture->trace->arena, "T%d", thread_object(op));
        return result;
    }
    result.object =
        op->kind == OP_SHARED && op->nobjects
            ? shared_name(op->object[0])
            : object_name(capture, address, op->size, block, home, &result.internal);
    if ((op->kind == OP_COND_WAIT || op->kind == OP_COND_WAKE) && op->nobjects > 1)
        result.second = lock_name(capture, op->object[1]);
    return result;
}

static void count_threads(struct capture *capture)
{
    struct trace *trace = capture->trace;
    const struct board *board = capture->board;
    size_t count = board->nthreads ? board->nthreads : 1;
    for (uint32_t i = 0; i < board->nevents; i++)
        if ((size_t)board->event[i].tid >= count)
            count = (size_t)board->event[i].tid + 1;
    trace->nthreads = count;
    trace->thread = arena_alloc(&trace->arena, count * sizeof *trace->thread);
}

static void capture_threads(struct capture *capture)
{
    struct trace *trace = capture->trace;
    const struct board *board = capture->board;
    size_t count = trace->nthreads;
    for (size_t i = 0; i < count; i++) {
        const struct board_thread *from = &board->thread[i];
        struct trace_thread *to = &trace->thread[i];
        struct source_stack start =
            symbolise_code(capture->symboliser, from->start_routine, false);
        const struct source_place *routine = start.count ? &start.place[start.count - 1] : NULL;
        to->name = arena_text(&trace->arena, from->name);
        to->function = routine && !routine->library ? routine->function : "";
        to->parent = i ? from->parent : -1;
        to->number = from->number;
        to->state = from->state;
        to->pending = capture_operation(capture, &from->pending, from->pending.object[0], NULL,
                                        &from->home);
        to->waits_for = (size_t)from->waits_for + 1 <= count ? from->waits_for : -1;
        if (from->state != THREAD_BLOCKED && from->state != THREAD_SPINNING)
            to->waits_for = -1;
        to->nlocks = from->nlocks;
        to->lock = arena_alloc(&trace->arena, from->nlocks * sizeof *to->lock);
        for (size_t j = 0; j < from->nlocks; j++)
            to->lock[j].name = lock_name(capture, from->lock[j]);
        to->stack =
            symbolise_stack(capture->symboliser, &from->stack, from->pending.kind == OP_START);
        name_library_call(&trace->arena, &to->pending, &to->stack);
        name_awaited_object(trace, (int)i);
    }
}

/* The event with which the thread took the lock that it still holds, or NULL. */
static const struct trace_event *find_taking_event(const struct capture *capture, size_t tid,
                                                   uint64_t lock)
{
    uint32_t at = 0;
    for (const struct board_event *event; (event = find_mention(capture, lock, &at));) {
        const struct op *op = &event->op;
        for (int j = 0; j < op->nobjects && !(op->flags & OP_FAILED); j++)
            if ((size_t)event->tid == tid && op->object[j] == lock)
                return &capture->trace->event[event - capture->board->event];
    }
    return NULL;
}

/* Where threads have taken the locks that they hold. The event's stack tells more than the code
 * address alone, which may be in a header of the C++ library. */
static void capture_taken(struct capture *capture)
{
    for (size_t i = 0; i < capture->trace->nthreads; i++) {
        const struct board_thread *from = &capture->board->thread[i];
        for (size_t j = 0; j < from->nlocks; j++) {
            struct source_stack code =
                symbolise_code(capture->symboliser, from->lock_pc[j], true);
            const struct trace_event *event = find_taking_event(capture, i, from->lock[j]);
            const struct source_place *place = stack_user_place(event ? &event->stack : &code);
            if (place)
                capture->trace->thread[i].lock[j].taken = *place;
        }
    }
}

static int known_thread(const struct trace *trace, int tid)
{
    return tid >= 0 && (size_t)tid < trace->nthreads ? tid : -1;
}

#define POINTERS_MOST 4096 /* events examined: each may require a scan of all events */

/* The types of pointers tell what heap blocks hold, and blocks hold further pointers, so repeat
 * while something new may be found. */
static void learn_blocks(struct capture *capture)
{
    const struct board *board = capture->board;
    uint32_t count = board->nevents < POINTERS_MOST ? board->nevents : POINTERS_MOST;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < count; i++) {
            const struct board_event *event = &board->event[i];
            uint64_t value = event->op.flags & OP_WRITES ? event->after : event->before;
            const struct board_block *block =
                event->has_values && event->op.size == 8 && value > UINT16_MAX
                    ? find_block(capture, value)
                    : NULL;
            if (block)
                symbolise_pointer(capture->symboliser, event->address, &event->home,
                                  event->block.base ? &event->block : NULL, block, value);
        }
}

/* Values that are not shown as numbers. */
static void capture_values(struct capture *capture, const struct board_event *from,
                           struct trace_event *to)
{
    struct value_place place = {.address = from->address,
                                .size = from->op.size,
                                .block = from->block.base ? &from->block : NULL,
                                .home = from->home.kind == HOME_STACK ? &from->home : NULL};
    if (!from->has_values || from->address < from->block.base)
        return;
    to->before_text = symbolise_value(capture->symboliser, &place, from->before);
    to->after_text = symbolise_value(capture->symboliser, &place, from->after);
}

static void capture_events(struct capture *capture)
{
    struct trace *trace = capture->trace;
    const struct board *board = capture->board;
    trace->nevents = board->nevents;
    trace->events_lost = board->events_lost;
    trace->event = arena_alloc(&trace->arena, board->nevents * sizeof *trace->event);
    for (uint32_t i = 0; i < board->nevents; i++) {
        const struct board_event *from = &board->event[i];
        struct trace_event *to = &trace->event[i];
        to->tid = from->tid;
        to->from = known_thread(trace, from->from);
        to->reason = from->reason;
        to->reads_from = from->reads_from;
        to->operation =
            capture_operation(capture, &from->op, from->address, &from->block, &from->home);
        to->has_values = from->has_values;
        to->before = from->before;
        to->after = from->after;
        capture_values(capture, from, to);
        to->result = from->result;
        to->other = known_thread(trace, from->other);
        to->label = arena_text(&trace->arena, from->label);
        to->woken = from->woken;
        if (to->other < 0 && names_another_thread(from->op.kind))
            to->other = known_thread(trace, thread_object(&from->op));
        /* a start has the address of its function, everything else that of its call */
        to->stack =
            symbolise_stack(capture->symboliser, &from->stack, from->op.kind == OP_START);
        name_library_call(&trace->arena, &to->operation, &to->stack);
    }
}

/* "lambda at pool.cpp:20"; other functions have names. */
static const char *function_of_thread(struct trace *trace, const struct source_place *place)
{
    const char *slash = strrchr(place->file, '/');
    if (strcmp(place->function, "lambda") != 0 || !place->declared)
        return place->function;
    return arena_format(&trace->arena, "lambda at %s:%d", slash ? slash + 1 : place->file,
                        place->declared);
}

static void name_start_function(struct trace *trace, int tid, const struct source_stack *stack)
{
    if (tid < 0 || *trace->thread[tid].function)
        return;
    for (size_t i = stack->count; i-- > 0 && !*trace->thread[tid].function;)
        if (!stack->place[i].library && stack->place[i].file && stack->place[i].function)
            trace->thread[tid].function = function_of_thread(trace, &stack->place[i]);
}

/* std::thread and the like start in a library. The function of such a thread is the outermost
 * user function that appears in its events, or in what the failure says about it. */
static void name_start_functions(struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    for (size_t i = 0; i < trace->nevents; i++)
        if (trace->event[i].operation.kind != OP_START)
            name_start_function(trace, trace->event[i].tid, &trace->event[i].stack);
    for (size_t i = 0; i < failure->naccesses; i++)
        name_start_function(trace, failure->access[i].tid, &failure->access[i].stack);
    name_start_function(trace, failure->tid, &failure->stack);
}

static struct trace_access access_from(struct capture *capture, const struct board_access *from,
                                       const struct board_block *block)
{
    struct arena *arena = &capture->trace->arena;
    struct trace_access to = {.tid = known_thread(capture->trace, from->tid),
                              .write = from->write,
                              .atomic = from->atomic,
                              .is_free = from->is_free,
                              .size = from->size,
                              .nlocks = from->nlocks};
    to.event = from->event < capture->trace->nevents ? from->event : TRACE_NO_EVENT;
    bool internal;
    to.object = object_name(capture, from->address, from->size, block, &from->home, &internal);
    to.lock = arena_alloc(arena, from->nlocks * sizeof *to.lock);
    for (size_t i = 0; i < from->nlocks; i++)
        to.lock[i] = lock_name(capture, from->lock[i]);
    to.stack = symbolise_stack(capture->symboliser, &from->stack, false);
    return to;
}

/* "Broken promise" of the what() "std::future_error: Broken promise". */
static const char *without_type(const char *type, const char *what)
{
    size_t length = strlen(type);
    bool repeats = strncmp(what, type, length) == 0 && begins_with(what + length, ": ");
    return repeats ? what + length + strlen(": ") : what;
}

/* The runtime knows only addresses; here names are added: "data race" becomes "data race on
 * counter". */
static const char *message_with_object(struct capture *capture,
                                       const struct board_failure *from)
{
    struct arena *arena = &capture->trace->arena;
    bool memory = failure_has(from->kind, FAILURE_HAS_ACCESS);
    const struct board_access *last = &from->access[from->naccesses ? from->naccesses - 1 : 0];
    uint64_t address = memory && from->naccesses                     ? last->address
                       : failure_has(from->kind, FAILURE_HAS_OBJECT) ? from->address
                                                                     : 0;
    const char *type = strstr(from->message, " of type ");
    if (type && failure_has(from->kind, FAILURE_HAS_TYPE)) {
        const char *name = symbolise_type(capture->symboliser, type + strlen(" of type "));
        int length = (int)(type - from->message);
        const char *detail = without_type(name, from->detail);
        return *detail ? arena_format(arena, "%.*s of type %s: \"%s\"", length, from->message,
                                      name, detail)
                       : arena_format(arena, "%.*s of type %s", length, from->message, name);
    }
    if (!address)
        return arena_text(arena, from->message);
    bool internal;
    const char *object = object_name(capture, address, memory ? last->size : 0, &from->block,
                                     memory ? &last->home : &from->home, &internal);
    return arena_format(arena, "%s%s%s", from->message,
                        failure_has(from->kind, FAILURE_NAMES_ON) ? " on " : ": ", object);
}

static void capture_failure(struct capture *capture, const struct board_failure *from)
{
    struct trace *trace = capture->trace;
    struct trace_failure *to = &trace->failure;
    to->kind = from->kind;
    to->message = message_with_object(capture, from);
    /* the message already contains the detail of an exception */
    bool told = failure_has(from->kind, FAILURE_HAS_TYPE);
    to->detail = arena_text(&trace->arena, told ? "" : from->detail);
    to->tid = known_thread(trace, from->tid);
    to->signal = from->signal;
    to->status = from->status;
    to->preemptions = from->preemptions;
    to->bound = from->bound;
    to->execution = from->execution;
    to->step = from->step;
    /* a fault or an interrupted loop, not a call */
    bool exact = from->signal != 0 && from->signal != SIGABRT;
    to->stack = symbolise_stack(capture->symboliser, &from->stack, exact);
    if (to->stack.count && to->stack.place[0].file && to->stack.place[0].line == 0 &&
        from->line > 0) /* a call that stands for several assertions has none */
        to->stack.place[0].line = from->line;
    to->naccesses = from->naccesses;
    for (size_t i = 0; i < from->naccesses; i++)
        to->access[i] = access_from(capture, &from->access[i], &from->block);
    if (from->block.base) {
        to->has_block = true;
        to->block_name = symbolise_block(capture->symboliser, &from->block);
        to->block_size = from->block.size;
        to->block_owner = known_thread(trace, (int)(from->block.tid % THREADS_MAX));
        to->freed_by = known_thread(trace, from->block.freed_by);
        to->freed_event =
            from->block.freed_event < trace->nevents ? from->block.freed_event : TRACE_NO_EVENT;
        to->allocated = symbolise_stack(capture->symboliser, &from->block.allocated, false);
        to->freed = symbolise_stack(capture->symboliser, &from->block.freed, false);
    }
}

/* A loop in code that Mazur does not observe hangs: add the option that makes the code visible
 * to the runtime's message, and the address of the instruction if nothing else says where. */
static void say_where_it_hangs(struct trace *trace, const struct board_failure *failure)
{
    const struct source_stack *stack = &trace->failure.stack;
    const char *function = stack->count ? stack->place[0].function : NULL;
    if (failure->stack.depth == 0 || !function || *trace->failure.detail)
        return;
    int length = (int)strcspn(function, "+(");
    const char *where = stack->place[0].file
                            ? ""
                            : arena_format(&trace->arena, "at the instruction 0x%llx; ",
                                           (unsigned long long)failure->stack.pc[0]);
    trace->failure.detail =
        arena_format(&trace->arena, "%s--visible %.*s makes the accesses of %.*s visible",
                     where, length, function, length, function);
}

/* The events that begin and end operations of a tested container, by their names. */
static void name_calls(struct trace *trace)
{
    const struct trace_history *history = trace->failure.history;
    uint32_t moment = 0;
    for (size_t i = 0; history && i < trace->nevents; i++) {
        struct trace_operation *operation = &trace->event[i].operation;
        bool begins = operation->kind == OP_HISTORY_BEGIN;
        if (!begins && operation->kind != OP_HISTORY_END)
            continue;
        for (size_t j = 0; j < history->ncalls; j++) {
            const struct trace_call *call = &history->call[j];
            if (begins && call->begin == moment)
                operation->object =
                    arena_format(&trace->arena, "%s(%s)", call->operation, call->arguments);
            else if (!begins && call->result && call->end == moment)
                operation->object = arena_format(&trace->arena, "%s(%s) = %s", call->operation,
                                                 call->arguments, call->result);
        }
        moment++;
    }
}

void trace_capture(struct trace *trace, const struct board *board,
                   const struct board_failure *failure)
{
    struct capture capture = {.trace = trace, .board = board};
    capture.symboliser = symboliser_new(board, &trace->arena);
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (board->module[i].instrumented)
            read_module_of(capture.symboliser, board->module[i].start);
    index_mentions(&capture);
    learn_blocks(&capture);
    count_threads(&capture);
    capture_events(&capture); /* first, so that blocks are numbered in the order in which the
                                 reader sees them */
    capture_threads(&capture);
    capture_taken(&capture);
    capture_failure(&capture, failure);
    name_start_functions(trace);
    if (failure_has(failure->kind, FAILURE_HAS_ADVICE))
        say_where_it_hangs(trace, failure);
    trace->failure.history = history_capture(trace, board, trace->failure.kind);
    name_calls(trace);
    symboliser_free(capture.symboliser);
}

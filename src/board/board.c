/* The parent's side of the board: make it, and distrust it. See board.h. */
#define _GNU_SOURCE
#include "board/board.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "board/parent.h"

static int sparse_segment(const char *name, uint64_t size)
{
    int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, (off_t)size) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

static void fill_in(struct board *board)
{
    board->magic = BOARD_MAGIC;
    board->version = BOARD_VERSION;
    /* zero would claim that bound 0 was searched by a child that died before it told us */
    board->stats.bound = BOUND_NONE;
    board->stats.bound_done = board->proven.bound_done = -1;
}

bool shared_open(struct shared *shared)
{
    *shared = (struct shared){.board_fd = -1, .pool_fd = -1};
    shared->board_fd = sparse_segment("mazur-board", BOARD_BYTES);
    if (shared->board_fd < 0)
        return false;
    shared->pool_fd = sparse_segment("mazur-pool", POOL_BYTES);
    void *memory = shared->pool_fd < 0 ? MAP_FAILED
                                       : mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_NORESERVE, shared->board_fd, 0);
    if (memory == MAP_FAILED) {
        int error = errno;
        shared_close(shared);
        errno = error;
        return false;
    }
    shared->board = memory;
    fill_in(shared->board);
    return true;
}

/* Pages that are punched out of a sparse file are zero again. */
bool shared_reset(struct shared *shared)
{
    int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (fallocate(shared->board_fd, mode, 0, (off_t)BOARD_BYTES) != 0 ||
        fallocate(shared->pool_fd, mode, 0, (off_t)POOL_BYTES) != 0)
        return false;
    fill_in(shared->board);
    return true;
}

void shared_close(struct shared *shared)
{
    if (shared->board)
        munmap(shared->board, BOARD_BYTES);
    if (shared->board_fd >= 0)
        close(shared->board_fd);
    if (shared->pool_fd >= 0)
        close(shared->pool_fd);
    *shared = (struct shared){.board_fd = -1, .pool_fd = -1};
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
    return value < limit ? value : limit;
}

static int within(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void stack_sanitize(struct board_stack *stack)
{
    stack->depth = at_most(stack->depth, BOARD_STACK);
}

static void block_sanitize(struct board_block *block)
{
    stack_sanitize(&block->allocated);
    stack_sanitize(&block->freed);
}

/* A bool in shared memory may hold any byte; make it 0 or 1 without reading it as a bool. */
static void bool_sanitize(bool *flag)
{
    unsigned char byte;
    memcpy(&byte, flag, 1);
    *flag = byte != 0;
}

static void home_sanitize(struct board_home *home)
{
    if (home->kind > HOME_STORAGE)
        home->kind = HOME_NONE;
    home->tid = within(home->tid, 0, THREADS_MAX - 1);
    home->module = at_most(home->module, BOARD_MODULES - 1);
}

static void failure_sanitize(struct board_failure *failure)
{
    if (failure->kind == FAILURE_NONE || failure->kind >= FAILURE_KINDS)
        failure->kind = FAILURE_INTERNAL;
    failure->tid = within(failure->tid, -1, THREADS_MAX - 1);
    failure->ends = at_most(failure->ends, BOARD_SCHEDULE);
    failure->message[BOARD_TEXT - 1] = 0;
    failure->detail[BOARD_TEXT - 1] = 0;
    stack_sanitize(&failure->stack);
    failure->naccesses = at_most(failure->naccesses, 2);
    for (int i = 0; i < 2; i++) {
        struct board_access *access = &failure->access[i];
        access->tid = within(access->tid, -1, THREADS_MAX - 1);
        access->nlocks = at_most(access->nlocks, BOARD_LOCKS_HELD);
        bool_sanitize(&access->write);
        bool_sanitize(&access->atomic);
        bool_sanitize(&access->is_free);
        stack_sanitize(&access->stack);
        home_sanitize(&access->home);
    }
    home_sanitize(&failure->home);
    block_sanitize(&failure->block);
}

static void thread_sanitize(struct board_thread *thread, int slot)
{
    if (thread->state > THREAD_FINISHED)
        thread->state = THREAD_NONE;
    /* a parent comes before its child, so that walking up the tree ends */
    thread->parent = within(thread->parent, -1, slot - 1);
    thread->waits_for = within(thread->waits_for, -1, THREADS_MAX - 1);
    thread->name[sizeof thread->name - 1] = 0;
    home_sanitize(&thread->home);
    thread->pending.nobjects = (uint8_t)at_most(thread->pending.nobjects, OP_OBJECTS);
    thread->nlocks = at_most(thread->nlocks, BOARD_LOCKS_HELD);
    stack_sanitize(&thread->stack);
}

static void event_sanitize(struct board_event *event, uint32_t index)
{
    event->tid = within(event->tid, 0, THREADS_MAX - 1);
    event->from = within(event->from, -1, THREADS_MAX - 1);
    event->other = within(event->other, -1, THREADS_MAX - 1);
    if (event->reason > SWITCH_SPINNING)
        event->reason = SWITCH_NONE;
    if (event->reads_from >= index)
        event->reads_from = UINT32_MAX;
    event->op.nobjects = (uint8_t)at_most(event->op.nobjects, OP_OBJECTS);
    home_sanitize(&event->home);
    home_sanitize(&event->second);
    bool_sanitize(&event->has_values);
    event->label[sizeof event->label - 1] = 0;
    block_sanitize(&event->block);
    stack_sanitize(&event->stack);
}

void stats_sanitize(struct search_stats *stats)
{
    bool_sanitize(&stats->distinct_exact);
    bool_sanitize(&stats->pruned_by_bound);
    bool_sanitize(&stats->depth_cut);
    bool_sanitize(&stats->complete);
    stats->nrows = within(stats->nrows, 0, BOUND_ROWS);
    if (!isfinite(stats->estimate) || stats->estimate < 0)
        stats->estimate = 0;
}

static void simplified_sanitize(struct simplification *facts)
{
    bool_sanitize(&facts->repeated);
    bool_sanitize(&facts->finished);
    bool_sanitize(&facts->cut);
    bool_sanitize(&facts->compared);
    bool_sanitize(&facts->earliest);
    facts->excluded = within(facts->excluded, -1, (int)facts->preemptions);
}

/* Leaves the lessons that a search can have made. */
static void lessons_sanitize(struct lessons *lessons)
{
    uint32_t count = at_most(lessons->count, LESSONS_MOST);
    lessons->count = lessons->kinds = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct lesson lesson = lessons->item[i];
        if (lesson.kind < LESSON_KINDS)
            lessons_add(lessons, lesson.kind, lesson.value, lesson.size);
    }
}

void board_sanitize(struct board *board)
{
    simplified_sanitize(&board->simplified);
    board->left = at_most(board->left, LEFT_LOOSE);
    bool_sanitize(&board->instrumented);
    bool_sanitize(&board->atomics_seen);
    stats_sanitize(&board->stats);
    stats_sanitize(&board->proven);
    claim_sanitize(&board->claim);
    board->nfailures = at_most(board->nfailures, BOARD_FAILURES);
    for (uint32_t i = 0; i < board->nfailures; i++)
        failure_sanitize(&board->failure[i]);
    board->nmodules = at_most(board->nmodules, BOARD_MODULES);
    board->nsites = at_most(board->nsites, BOARD_SITES);
    for (uint32_t i = 0; i < board->nmodules; i++)
        board->module[i].path[BOARD_PATH - 1] = 0;
    lessons_sanitize(&board->lessons);
    board->nthreads = at_most(board->nthreads, THREADS_MAX);
    for (uint32_t i = 0; i < board->nthreads; i++)
        thread_sanitize(&board->thread[i], (int)i);
    board->nnames = at_most(board->nnames, BOARD_NAMES);
    for (uint32_t i = 0; i < board->nnames; i++)
        board->name[i].text[BOARD_NAME_TEXT - 1] = 0;
    board->history.count = at_most(board->history.count, LINEAR_OPERATIONS);
    board->serial.nhistories = at_most(board->serial.nhistories, LINEAR_HISTORIES);
    board->serial.nentries = at_most(board->serial.nentries, LINEAR_ENTRIES);
    board->nschedule = at_most(board->nschedule, BOARD_SCHEDULE);
    board->nkept = at_most(board->nkept, BOARD_SCHEDULE);
    board->nevents = at_most(board->nevents, BOARD_EVENTS);
    for (uint32_t i = 0; i < board->nevents; i++)
        event_sanitize(&board->event[i], i);
}

uint32_t board_failing_schedule(const struct board *board, uint32_t index,
                                const uint32_t **schedule)
{
    uint32_t ends = board->failure[index].ends;
    if (board->nkept > 0) {
        uint32_t start = board->kept_start[index];
        uint32_t next =
            index + 1 < board->nfailures ? board->kept_start[index + 1] : board->nkept;
        if (start <= next && next <= board->nkept) {
            *schedule = board->kept + start;
            return ends ? at_most(ends, next - start) : next - start;
        }
    }
    *schedule = board->schedule;
    return ends ? at_most(ends, board->nschedule) : board->nschedule;
}

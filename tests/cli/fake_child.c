/* A hostile runtime: takes the place of libmazur.so, maps the board as the real one does, fills
 * parts of it with garbage, and claims to be done. The parent must survive all of it.
 *
 * FAKE=counts|strings|indices|numbers|all says which parts. FAKE=random scribbles at random,
 * all over it: while the parent watches, and from a process of its own while the parent reads
 * what was left. FAKE_SEED=N chooses how; the same number does the same, but for the timing. */
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board/board.h"

static void bad_counts(struct board *board)
{
    board->claim.count = board->lessons.count = board->nmodules = 0xffffffff;
    board->nplaces = board->nsites = 0xffffffff;
    board->nthreads = board->nnames = board->nschedule = board->nkept = 0xffffffff;
    board->nfailures = 0xfffffff0;
    board->stats.nrows = -5;
    board->max_threads = board->max_visible = 0xffffffff;
}

static void bad_strings(struct board *board)
{
    memset(&board->claim, 0x1b, sizeof board->claim);
    memset(board->failure[0].message, 0xff, sizeof board->failure[0].message);
    memset(board->failure[0].detail, 'x', sizeof board->failure[0].detail);
    memset(board->name, 0x41, sizeof board->name);
    memset(board->module, 0x2f, sizeof board->module);
    board->claim.count = CLAIM_ENTRIES;
    board->nnames = BOARD_NAMES;
    board->nmodules = BOARD_MODULES;
}

static void bad_indices(struct board *board)
{
    struct board_failure *failure = &board->failure[0];
    failure->tid = -77;
    failure->naccesses = 12345;
    failure->stack.depth = 0xffffffff;
    failure->ends = 0xffffffff;
    failure->block.base = 1;
    failure->block.tid = 0xffffffff;
    failure->block.allocated.depth = 9999;
    memset(failure->access, 0xcd, sizeof failure->access);
    memset(board->thread, 0xab, sizeof board->thread);
    memset(board->kept_start, 0xff, sizeof board->kept_start);
    board->nkept = 5;
    board->nevents = 2000;
    memset(board->event, 0xdd, 2000 * sizeof *board->event);
}

static void bad_numbers(struct board *board)
{
    memset(&board->stats, 0xff, sizeof board->stats);
    board->stats.estimate = 0.0 / 0.0;
    board->started_threads = 1;
    board->heartbeat = 1;
}

/* --- At random --- */

static uint64_t state;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Values that are out of range for something, or just inside. */
static uint64_t nasty(void)
{
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      64,
                                      4096,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      UINT64_C(0x8000000000000000),
                                      UINT64_MAX};
    uint64_t choice = next_random();
    return choice % 3 ? values[choice / 3 % (sizeof values / sizeof *values)] : next_random();
}

/* A place on the board, mostly where small things are. */
static size_t place_on_board(void)
{
    static const struct {
        size_t start, length;
    } parts[] = {
#define PART(field) {offsetof(struct board, field), sizeof((struct board *)0)->field}
        PART(config),
        PART(nplaces),
        PART(nsites),
        PART(state),
        PART(instrumented),
        PART(stats),
        PART(claim),
        PART(failure[0]),
        PART(lessons),
        PART(history_phase),
        PART(history),
        PART(nmodules),
        PART(module[0]),
        PART(nthreads),
        PART(thread[1]),
        PART(nnames),
        PART(name[0]),
        PART(nschedule),
        PART(schedule[0]),
        PART(nkept),
        PART(kept_start),
        PART(kept[0]),
        PART(nevents),
        PART(event[0]),
        PART(simplified),
        PART(left),
        PART(nfailures),
        PART(serial.nhistories),
        PART(serial.history[0]),
        PART(was_cut),
        PART(atomics_seen),
        PART(place[0]),
        PART(site[0]),
    };
    uint64_t part = next_random() % (sizeof parts / sizeof *parts + 1);
    if (part == sizeof parts / sizeof *parts)
        return next_random() % (sizeof(struct board) - 64);
    return parts[part].start + next_random() % parts[part].length;
}

static void scribble(struct board *board, unsigned times)
{
    while (times-- > 0) {
        size_t at = place_on_board();
        uint64_t value = nasty();
        if (at < offsetof(struct board, config)) /* the parent's only */
            continue;
        memcpy((char *)board + at, &value, next_random() % 2 ? sizeof value : 1 + at % 4);
    }
}

/* The event and thread arrays, whole. */
static void scribble_arrays(struct board *board)
{
    for (unsigned i = 0; i < 40; i++)
        for (size_t j = 0; j < sizeof board->event[i] / 8; j++)
            ((uint64_t *)&board->event[i])[j] = nasty();
    for (unsigned i = 0; i < 5; i++)
        for (size_t j = 0; j < sizeof board->thread[i] / 8; j++)
            ((uint64_t *)&board->thread[i])[j] = nasty();
    board->nevents = 1 + (uint32_t)(next_random() % 40);
    board->nthreads = (uint32_t)(next_random() % 6);
}

static void at_random(struct board *board)
{
    const char *seed = getenv("FAKE_SEED");
    state = (seed ? strtoull(seed, NULL, 10) : 1) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    board->nfailures = (uint32_t)(next_random() % 3);
    for (uint32_t i = 0; i < board->nfailures; i++)
        board->failure[i].kind = 1 + (uint32_t)(next_random() % (FAILURE_KINDS - 1));
    board->started_threads = next_random() % 2;
    board->places_asked = next_random() % 3 == 0;
    if (next_random() % 2)
        scribble_arrays(board);
    scribble(board, (unsigned)(next_random() % 200));
    /* beside the parent's ticks */
    for (int i = 0; i < 30 && next_random() % 8; i++) {
        scribble(board, 20);
        usleep(2000);
    }
    if (next_random() % 2 && fork() == 0) {
        setsid(); /* out of reach of whoever ends the program */
        for (int i = 0; i < 2000; i++) {
            scribble(board, 50);
            usleep(100);
        }
        _exit(0);
    }
    if (next_random() % 4)
        board->state = CHILD_DONE;
    if (next_random() % 8 == 0)
        abort();
    _exit((int)(next_random() % 4 == 0));
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("MAZUR_BOARD");
    const char *what = getenv("FAKE");
    if (!number || !what)
        return;
    struct board *board =
        mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(number), 0);
    if (board == MAP_FAILED)
        _exit(99);
    if (strcmp(what, "random") == 0)
        at_random(board);
    int all = strcmp(what, "all") == 0;
    board->nfailures = 1;
    board->failure[0].kind = 1 + all * 7777;
    if (all || strcmp(what, "numbers") == 0)
        bad_numbers(board);
    if (all || strcmp(what, "indices") == 0)
        bad_indices(board);
    if (all || strcmp(what, "strings") == 0)
        bad_strings(board);
    if (all || strcmp(what, "counts") == 0)
        bad_counts(board);
    board->state = CHILD_DONE;
    _exit(0);
}

/* A hostile runtime: takes the place of libmazur.so, maps the board as the real one does, fills
 * parts of it with garbage, and claims to be done. The parent must survive all of it.
 *
 * FAKE=counts|strings|indices|numbers|all says which parts. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board/board.h"

static void bad_counts(struct board *board)
{
    board->claim.count = board->lessons.count = board->nmodules = 0xffffffff;
    board->nthreads = board->nnames = board->nschedule = board->nkept = 0xffffffff;
    board->nfailures = 0xfffffff0;
    board->stats.nrows = -5;
    board->max_threads = board->max_visible = 0xffffffff;
}

static void bad_strings(struct board *board)
{
    memset(board->claim.entry, 0xe9, sizeof board->claim.entry);
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

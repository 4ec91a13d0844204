/* Finds out whether this process runs under mazur, and where the board is: the environment
 * contains two descriptors. */
#include "runtime/core/attach.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"

#define POOL_SHARE 4 /* the pool's share of the limit on virtual memory, if there is one */

static uint64_t pool_bytes = POOL_BYTES;

/* libc may not have set up the environment yet: read it from the stack, after argc and argv. */
extern void *__libc_stack_end;

static const char *find_variable(const char *name)
{
    char **at = (char **)__libc_stack_end;
    at += *(long *)__libc_stack_end + 2;
    for (; *at; at++) {
        size_t i = 0;
        while (name[i] && (*at)[i] == name[i])
            i++;
        if (name[i] == 0 && (*at)[i] == '=')
            return *at + i + 1;
    }
    return NULL;
}

void attach_scrub_environment(void)
{
    static const char *const ours[] = {
        "MAZUR_BOARD=", "MAZUR_POOL=", "LD_PRELOAD=", "LD_BIND_NOW="};
    char **to = environ;
    for (char **from = environ; *from; from++) {
        bool keep = true;
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
            size_t j = 0;
            while (ours[i][j] && (*from)[j] == ours[i][j])
                j++;
            keep = keep && ours[i][j] != 0;
        }
        if (keep)
            *to++ = *from;
    }
    *to = NULL;
}

static void *map_descriptor(const char *name, uint64_t address, uint64_t size)
{
    const char *text = find_variable(name);
    if (!text)
        return NULL;
    long fd = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        fd = fd * 10 + (*text - '0');
    long result = raw_syscall6(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    raw_syscall1(SYS_close, fd);
    if (result == -ENOMEM)
        rt_starved(RT_NO_ADDRESSES);
    return result == (long)address ? (void *)address : NULL;
}

/* A process that can't continue leaves the cause as a failure, which the parent reports. */
static void leave_words(const char *message, int starved)
{
    struct board *board = rt.board;
    if (board->nfailures == BOARD_FAILURES)
        return;
    struct board_failure *failure = &board->failure[board->nfailures];
    *failure = (struct board_failure){.kind = starved ? FAILURE_LIMIT : FAILURE_INTERNAL,
                                      .tid = -1,
                                      .preemptions = -1,
                                      .bound = board->stats.bound,
                                      .execution = board->stats.executions + 1};
    for (uint32_t i = 0; i + 1 < BOARD_TEXT && message[i]; i++)
        failure->message[i] = message[i];
    board->nfailures = board->nfailures + 1;
}

static void leave_without_pool(struct pool *pool, size_t wanted)
{
    (void)pool;
    (void)wanted;
    rt_starved(
        "the search needs more memory than it can address (64 GB, or a quarter of ulimit -v)");
}

void start_attach(void)
{
    static bool tried;
    if (tried)
        return;
    tried = true;
    struct board *board = map_descriptor("MAZUR_BOARD", BOARD_ADDRESS, BOARD_BYTES);
    if (!board || board->magic != BOARD_MAGIC)
        return;
    if (board->version != BOARD_VERSION)
        rt_fatal("libmazur.so and the mazur command come from different builds");
    rt.board = board;
    rt_last_words = leave_words;
    pool_exhausted = leave_without_pool;
    if (rt_address_limit() && rt_address_limit() / POOL_SHARE < pool_bytes)
        pool_bytes = rt_address_limit() / POOL_SHARE & ~UINT64_C(4095);
    void *pool = map_descriptor("MAZUR_POOL", POOL_ADDRESS, pool_bytes);
    if (!pool)
        rt_fatal("the pool's segment can't be mapped");
    rt.pool_segment = pool;
    rt.controlled = true;
}

uint64_t attach_pool_bytes(void)
{
    return pool_bytes;
}

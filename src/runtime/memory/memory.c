/* Mazur's own mappings. The cursor of rt_map() is in the first page of its range, not in a
 * static variable: see the invariant in memory.h. */
#define _GNU_SOURCE
#include "runtime/memory/memory.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "runtime/arch/execution_state.h"
#include "runtime/arch/raw.h"

#define PAGE        UINT64_C(4096)
#define CLEAR_PAGES 16384 /* looked up at once */

static void write_words(const char *message, int starved)
{
    static const char prefix[] = "mazur: ";
    size_t length = 0;
    (void)starved;
    while (message[length])
        length++;
    raw_syscall3(SYS_write, 2, (long)prefix, sizeof prefix - 1);
    raw_syscall3(SYS_write, 2, (long)message, (long)length);
    raw_syscall3(SYS_write, 2, (long)"\n", 1);
}

void (*rt_last_words)(const char *message, int starved) = write_words;

static _Noreturn void exit_process(void)
{
    for (;;)
        raw_syscall1(SYS_exit_group, 70);
}

_Noreturn void rt_fatal(const char *message)
{
    rt_last_words(message, 0);
    exit_process();
}

_Noreturn void rt_starved(const char *message)
{
    rt_last_words(message, 1);
    exit_process();
}

/* --- Under a limit on virtual memory --- */

/* The tables are far larger than the parts that are used, and the kernel counts addresses, not
 * pages. So they are not mapped in advance: the first touch of a piece faults, and the handler
 * maps it. The first handler is installed here, since tables are used before crash_init(),
 * whose handler calls rt_fault(), too. */
#define PIECE      (UINT64_C(1) << 18) /* the unit that a fault maps */
#define SMALL      (UINT64_C(1) << 20) /* tables up to this size are mapped at once */
#define SA_RETURNS 0x04000000          /* SA_RESTORER */

static uint64_t limit_found; /* 1: asked, and there is none */

/* The kernel's struct sigaction. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
};

__asm__(".text\n.hidden rt_signal_return\n.type rt_signal_return, @function\n"
        "rt_signal_return:\n\tmov $15, %eax\n\tsyscall\n"); /* rt_sigreturn */
extern void rt_signal_return(void);

static void on_early_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (rt_fault((uint64_t)info->si_addr))
        return;
    struct kernel_action plain = {0};
    raw_syscall4(SYS_rt_sigaction, number, (long)&plain, 0, 8);
}

uint64_t rt_address_limit(void)
{
    if (!limit_found) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        raw_syscall4(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)&limit);
        limit_found = limit.rlim_cur == RLIM_INFINITY ? 1 : limit.rlim_cur;
        struct kernel_action action = {.handler = on_early_fault,
                                       .flags = SA_SIGINFO | SA_NODEFER | SA_RETURNS,
                                       .restorer = rt_signal_return};
        if (limit_found != 1)
            raw_syscall4(SYS_rt_sigaction, SIGSEGV, (long)&action, 0, 8);
    }
    return limit_found == 1 ? 0 : limit_found;
}

static long map_raw(uint64_t address, size_t size, int protection)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return raw_syscall6(SYS_mmap, (long)address, (long)size, protection, flags, -1, 0);
}

static void map_fixed(uint64_t address, size_t size, int protection)
{
    must(address % PAGE == 0);
    if ((uint64_t)map_raw(address, size, protection) != address)
        rt_starved(RT_NO_ADDRESSES);
    /* A table is touched in scattered places: with huge pages each touch would cost 2 MiB. And
     * a core dump should contain the program only. Both are advice, so a kernel may ignore
     * them. */
    raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_NOHUGEPAGE);
    if (address >= RT_PRIVATE_LOW)
        raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_DONTDUMP);
}

bool rt_fault(uint64_t address)
{
    if (!rt_address_limit() || address < RT_MAP_ADDRESS || address >= RT_TABLES_END)
        return false;
    uint64_t piece = address & ~(PIECE - 1), page = address & ~(PAGE - 1);
    long result = map_raw(piece, PIECE, PROT_READ | PROT_WRITE);
    if (result == -EEXIST) /* another table begins or ends in this piece */
        result = map_raw(page, PAGE, PROT_READ | PROT_WRITE);
    if (result == -ENOMEM)
        rt_starved("the limit on virtual memory (ulimit -v) is too small for this search");
    return result > 0;
}

void rt_map_at(uint64_t address, size_t size)
{
    bool table = address >= RT_RACE_STATE && address < RT_TABLES_END;
    if (!rt_address_limit() || !table || size <= SMALL)
        map_fixed(address, size, PROT_READ | PROT_WRITE);
}

void rt_reserve_at(uint64_t address, size_t size)
{
    if (!rt_address_limit())
        map_fixed(address, size, PROT_NONE);
}

/* Opens page by page, since some pages may be open already. */
static void open_unreserved(uint64_t address, size_t size)
{
    for (uint64_t at = address; at < address + size; at += PAGE)
        if (raw_syscall3(SYS_mprotect, (long)at, (long)PAGE, PROT_READ | PROT_WRITE) != 0)
            map_fixed(at, PAGE, PROT_READ | PROT_WRITE);
}

void rt_open(uint64_t address, size_t size)
{
    if (raw_syscall3(SYS_mprotect, (long)address, (long)size, PROT_READ | PROT_WRITE) == 0)
        return;
    if (!rt_address_limit())
        rt_starved("out of memory");
    long result = map_raw(address, size, PROT_READ | PROT_WRITE);
    if ((uint64_t)result != address)
        open_unreserved(address, size);
}

void rt_discard(uint64_t address, size_t size)
{
    long result = raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_DONTNEED);
    if (result != 0 && !(result == -ENOMEM && rt_address_limit())) /* there are holes */
        rt_starved("the kernel refuses to take memory back");
}

/* Not on the stack, where it would leave its marks in dead slots of the program's frames. */
static unsigned char in_memory[CLEAR_PAGES];
LASTING_STATE(in_memory);

/* A page that is not in memory is either untouched or swapped out: the kernel forgets both. */
void rt_clear(uint64_t address, size_t size)
{
    uint64_t end = address + size;
    while (address < end) {
        uint64_t pages = (end - address + PAGE - 1) / PAGE, n = 1;
        if (pages > CLEAR_PAGES)
            pages = CLEAR_PAGES;
        if (raw_syscall3(SYS_mincore, (long)address, (long)(pages * PAGE), (long)in_memory) !=
            0) {
            rt_discard(address, end - address);
            return;
        }
        for (uint64_t i = 0; i < pages; i += n) {
            for (n = 1; i + n < pages && !((in_memory[i] ^ in_memory[i + n]) & 1);)
                n++;
            if (in_memory[i] & 1)
                __builtin_memset((void *)(address + i * PAGE), 0, n * PAGE);
            else
                rt_discard(address + i * PAGE, n * PAGE);
        }
        address += pages * PAGE;
    }
}

/* Reserves addresses for a mapping of rt_map(). */
static uint64_t take_addresses(size_t size)
{
    static uint64_t *cursor;
    if (!cursor) {
        rt_map_at(RT_MAP_ADDRESS, PAGE);
        cursor = (uint64_t *)RT_MAP_ADDRESS;
        *cursor = RT_MAP_ADDRESS + PAGE;
    }
    uint64_t address = *cursor;
    size = (size + PAGE - 1) & ~(PAGE - 1);
    if (address + size > RT_RACE_STATE)
        rt_starved("out of memory");
    *cursor = address + size;
    return address;
}

void *rt_map(size_t size)
{
    uint64_t address = take_addresses(size);
    map_fixed(address, (size + PAGE - 1) & ~(PAGE - 1), PROT_READ | PROT_WRITE);
    return (void *)address;
}

void *rt_map_table(size_t size)
{
    if (!rt_address_limit())
        return rt_map(size);
    return (void *)take_addresses(size);
}

/* Mazur's own mappings. The cursor of rt_map() lies in the first page of its range, not in a
 * static variable: see the invariant in memory.h. */
#define _GNU_SOURCE
#include "runtime/memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/raw.h"

#define PAGE UINT64_C(4096)

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

static _Noreturn void leave(void)
{
    for (;;)
        raw_syscall1(SYS_exit_group, 70);
}

_Noreturn void rt_fatal(const char *message)
{
    rt_last_words(message, 0);
    leave();
}

_Noreturn void rt_starved(const char *message)
{
    rt_last_words(message, 1);
    leave();
}

static void map_fixed(uint64_t address, size_t size, int protection)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long result = raw_syscall6(SYS_mmap, (long)address, (long)size, protection, flags, -1, 0);
    if ((uint64_t)result != address)
        rt_starved(RT_NO_ADDRESSES);
    /* A table is touched here and there: huge pages would make each touch cost 2 MiB. And a
     * core dump is about the program. Both are advice: a kernel without them does no harm. */
    raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_NOHUGEPAGE);
    if (address >= RT_PRIVATE_LOW)
        raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_DONTDUMP);
}

void rt_map_at(uint64_t address, size_t size)
{
    map_fixed(address, size, PROT_READ | PROT_WRITE);
}

void rt_reserve_at(uint64_t address, size_t size)
{
    map_fixed(address, size, PROT_NONE);
}

void rt_open(uint64_t address, size_t size)
{
    if (raw_syscall3(SYS_mprotect, (long)address, (long)size, PROT_READ | PROT_WRITE) != 0)
        rt_starved("out of memory");
}

void rt_discard(uint64_t address, size_t size)
{
    if (raw_syscall3(SYS_madvise, (long)address, (long)size, MADV_DONTNEED) != 0)
        rt_starved("the kernel refuses to take memory back");
}

void *rt_map(size_t size)
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
    rt_map_at(address, size);
    *cursor = address + size;
    return (void *)address;
}

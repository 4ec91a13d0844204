/* Mappings that the program makes itself (POSIX mmap(3p)): they are not part of the snapshot,
 * so what an execution maps is unmapped at its end, and the next one gets the same addresses.
 * Mappings from before main are; unmapping or remapping one of those can't be undone, and a
 * shared one keeps its contents: both are said in the result. */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define MAPPINGS_MAX 4096
#define PAGE_MASK    UINT64_C(4095)

static struct address_range mapping[MAPPINGS_MAX];
static uint32_t nmappings;

static void forget_part(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < nmappings; i++) {
        struct address_range *range = &mapping[i];
        if (end <= range->start || start >= range->end)
            continue;
        if (start > range->start && end < range->end && nmappings < MAPPINGS_MAX)
            mapping[nmappings++] = (struct address_range){end, range->end};
        if (start <= range->start)
            range->start = end < range->end ? end : range->end;
        else
            range->end = start;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < nmappings; i++)
        if (mapping[i].start < mapping[i].end)
            mapping[kept++] = mapping[i];
    nmappings = kept;
}

static bool is_known(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < nmappings; i++)
        if (start >= mapping[i].start && end <= mapping[i].end)
            return true;
    return false;
}

bool mappings_changed(void)
{
    return nmappings > 0;
}

void mappings_restore(void)
{
    for (uint32_t i = 0; i < nmappings; i++)
        raw_syscall2(SYS_munmap, (long)mapping[i].start,
                     (long)(mapping[i].end - mapping[i].start));
    nmappings = 0;
}

static void note_mapping(uint64_t start, uint64_t size, int protection, int flags)
{
    uint64_t end = start + ((size + PAGE_MASK) & ~PAGE_MASK);
    forget_part(start, end);
    if (nmappings < MAPPINGS_MAX)
        mapping[nmappings++] = (struct address_range){start, end};
    else
        failure_note_text(
            "the program maps memory more than 4096 times in one execution; not all "
            "of it is given back between executions");
    race_forget_range(start, end - start);
    if ((flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && (protection & PROT_WRITE)) {
        failure_uncontrolled("mmap of a file as shared memory");
        failure_note_text("the program maps a file as shared memory, which keeps its contents "
                          "from one execution to the next (--isolate=fork does not help here)");
    }
}

static void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    long result =
        raw_syscall6(SYS_mmap, (long)address, (long)size, protection, flags, fd, offset);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return MAP_FAILED;
    }
    if (rt.on)
        note_mapping((uint64_t)result, size, protection, flags);
    return (void *)result;
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd,
                    off64_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

static void note_unmapped(uint64_t start, uint64_t end)
{
    if (!is_known(start, end))
        failure_note_text("the program unmaps memory that was mapped before main; the next "
                          "execution misses it (try --isolate=fork)");
    forget_part(start, end);
}

EXPORT int munmap(void *address, size_t size)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    if (rt.on)
        note_unmapped(start, start + ((size + PAGE_MASK) & ~PAGE_MASK));
    long result = raw_syscall2(SYS_munmap, (long)address, (long)size);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

EXPORT void *mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    void *target = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    long result = raw_syscall6(SYS_mremap, (long)address, (long)old_size, (long)size, flags,
                               (long)target, 0);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return MAP_FAILED;
    }
    if (rt.on) {
        uint64_t start = (uint64_t)(uintptr_t)address;
        note_unmapped(start, start + ((old_size + PAGE_MASK) & ~PAGE_MASK));
        note_mapping((uint64_t)result, size, PROT_READ, MAP_ANONYMOUS);
    }
    return (void *)result;
}

/* Mappings that the program makes itself (POSIX mmap(3p)): they are not part of the snapshot,
 * so what an execution maps is unmapped at its end, and the next one gets the same addresses.
 * Mappings from before main are; unmapping or remapping one of those can't be undone, and a
 * shared one keeps its contents: both are said in the result. */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/objects.h"
#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define MAPPINGS_MAX 4096
#define PAGE_MASK    UINT64_C(4095)

static struct address_range mapping[MAPPINGS_MAX];
static uint32_t nmappings;

#define PLACES_BASE UINT64_C(0x5c0000000000)
#define PLACES_EACH (UINT64_C(8) << 30)

static struct place {
    uint32_t execution;
    uint64_t used;
} places[THREADS_MAX];
static uint32_t execution;

void mappings_begin(void)
{
    execution++;
}

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
        raise_reason(REASON_MANY_MAPPINGS, NULL);
    race_forget_range(start, end - start);
    if ((flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && (protection & PROT_WRITE)) {
        failure_uncontrolled("mmap of a file as shared memory");
        raise_reason(REASON_MAPPED_FILE, NULL);
    }
}

/* Where the kernel would put the next mapping depends on who came first; here each thread has a
 * range of its own, so that what lies there has the same name in every execution (DESIGN 2.7).
 * 0: leave it to the kernel. */
static uint64_t own_place(size_t size, int flags)
{
    const int choosy =
        MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_GROWSDOWN | MAP_HUGETLB;
    struct place *place = &places[rt.current];
    uint64_t length = (size + 2 * PAGE_MASK + 1) & ~PAGE_MASK; /* a gap between two */
    if (place->execution != execution)
        *place = (struct place){.execution = execution};
    if (flags & choosy || size > PLACES_EACH || place->used + length > PLACES_EACH)
        return 0;
    uint64_t address = PLACES_BASE + (uint64_t)rt.current * PLACES_EACH + place->used;
    place->used += length;
    return address;
}

static void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    uint64_t own = rt.on && address == NULL ? own_place(size, flags) : 0;
    long result = -1;
    if (own)
        result = raw_syscall6(SYS_mmap, (long)own, (long)size, protection,
                              flags | MAP_FIXED_NOREPLACE, fd, offset);
    if (!own || result == -EEXIST)
        result =
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
        raise_reason(REASON_UNMAPPED_EARLY, NULL);
    forget_part(start, end);
}

/* To other threads it is a free(): who uses the memory must come before, and an operation. */
static void begin_unmapping(uint64_t start, uint64_t end, uint64_t pc)
{
    shared_change(pc);
    object_memory_ends(start, end - start, pc);
    race_free(rt.current, start, end - start, pc);
    note_unmapped(start, end);
}

EXPORT int munmap(void *address, size_t size)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    if (rt.on)
        begin_unmapping(start, start + ((size + PAGE_MASK) & ~PAGE_MASK), CALLER);
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

/* Snapshot and restore: every private writable page of the process, but Mazur's own, goes
 * back to what it was just before main (DESIGN 2.5).
 *
 *      page         at the snapshot         first write of the search        after an execution
 *      cold         write-protected         fault: copy it, unprotect, ──▶   (never written)
 *      hot          writable                it is hot from now on            copied back
 *
 * So a page costs one fault in the whole search and one copy per execution, and only pages
 * that the program writes cost anything. The program's own small data segment is hot from the
 * start, because a system call that writes into a protected page fails with EFAULT; hooks of
 * calls with output buffers use snapshot_touch().
 *
 * Not restored: the stacks of fibers (each execution writes them anew), the heap beyond what
 * existed at the snapshot (heap.c), Mazur's own memory. */
#define XXH_INLINE_ALL
#include <errno.h>
#include <xxhash.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/heap.h"
#include "runtime/memory.h"
#include "runtime/raw.h"
#include "runtime/runtime.h"

#define PAGE            UINT64_C(4096)
#define REGIONS_MAX     4096
#define HOT_MAX         (1u << 18) /* 1 GiB of hot pages */
#define HOT_SEGMENT_MAX 16         /* pages of a data segment that is hot from the start */

struct region {
    uint64_t start;
    uint64_t end;
};

struct hot_page {
    uint64_t address;
    uint8_t *copy;
};

static struct {
    struct region region[REGIONS_MAX];
    uint32_t nregions;
    bool taken;
    uint32_t nhot;
    struct hot_page *hot; /* HOT_MAX entries, reserved lazily */
    uint8_t *copies;
} snapshot;

extern const char __executable_start[] __attribute__((weak));

static void copy_page(void *to, const void *from)
{
    uint64_t words = PAGE / 8;
    __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

static bool make_hot(uint64_t page)
{
    if (snapshot.nhot == HOT_MAX)
        return false;
    uint8_t *copy = snapshot.copies + (uint64_t)snapshot.nhot * PAGE;
    copy_page(copy, (const void *)page);
    if (raw_syscall3(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE) != 0)
        return false;
    snapshot.hot[snapshot.nhot++] = (struct hot_page){page, copy};
    return true;
}

static bool is_hot(uint64_t page)
{
    for (uint32_t i = 0; i < snapshot.nhot; i++)
        if (snapshot.hot[i].address == page)
            return true;
    return false;
}

static bool in_regions(uint64_t address)
{
    for (uint32_t i = 0; i < snapshot.nregions; i++)
        if (address >= snapshot.region[i].start && address < snapshot.region[i].end)
            return true;
    return false;
}

bool snapshot_fault(uint64_t address)
{
    uint64_t page = address & ~(PAGE - 1);
    return snapshot.taken && in_regions(page) && !is_hot(page) && make_hot(page);
}

void snapshot_touch(const void *address, size_t size)
{
    if (!snapshot.taken || size == 0 || address == NULL)
        return;
    uint64_t first = (uint64_t)(uintptr_t)address & ~(PAGE - 1);
    uint64_t last = ((uint64_t)(uintptr_t)address + size - 1) & ~(PAGE - 1);
    for (uint64_t page = first; page <= last; page += PAGE)
        if (in_regions(page) && !is_hot(page))
            make_hot(page);
}

uint64_t snapshot_hash(uint64_t seed)
{
    for (uint32_t i = 0; i < snapshot.nhot; i++) {
        const void *page = (const void *)snapshot.hot[i].address;
        if (__builtin_memcmp(page, snapshot.hot[i].copy, PAGE) != 0)
            seed ^= XXH3_64bits_withSeed(page, PAGE, snapshot.hot[i].address);
    }
    return seed;
}

uint64_t snapshot_hot_pages(void)
{
    return snapshot.nhot;
}

/* --- Finding the regions: /proc/self/maps, read without libc --------------------------------
 */

struct maps_line {
    uint64_t start, end;
    char permissions[5];
    const char *path; /* into the buffer, terminated; "" when anonymous */
};

static uint64_t parse_hex(const char **text)
{
    uint64_t value = 0;
    for (;; (*text)++) {
        char c = **text;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

static void parse_line(char *line, struct maps_line *out)
{
    const char *at = line;
    out->start = parse_hex(&at);
    at++;
    out->end = parse_hex(&at);
    at++;
    for (int i = 0; i < 4; i++)
        out->permissions[i] = at[i];
    out->permissions[4] = 0;
    out->path = "";
    int fields = 0;
    while (*at) {
        if (*at == ' ' && at[1] != ' ' && at[1] != 0 && ++fields >= 4 &&
            (at[1] == '/' || at[1] == '[')) {
            out->path = at + 1;
            return;
        }
        at++;
    }
}

static void each_mapping(void (*visit)(const struct maps_line *, void *), void *context)
{
    static char buffer[1 << 16]; /* one pass reads line by line through this window */
    long fd =
        raw_syscall4(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) /* without the list there is memory that would not be restored */
        rt_starved(fd == -EMFILE || fd == -ENFILE
                       ? "the program has used up all descriptors (ulimit -n), and its memory "
                         "can't be listed (/proc/self/maps)"
                       : "/proc/self/maps can't be read: is /proc mounted?");
    size_t filled = 0;
    for (;;) {
        long got = raw_syscall3(SYS_read, fd, (long)(buffer + filled),
                                (long)(sizeof buffer - 1 - filled));
        if (got <= 0)
            break;
        filled += (size_t)got;
        size_t line = 0;
        for (size_t i = 0; i < filled; i++) {
            if (buffer[i] != '\n')
                continue;
            buffer[i] = 0;
            struct maps_line parsed;
            parse_line(buffer + line, &parsed);
            visit(&parsed, context);
            line = i + 1;
        }
        for (size_t i = line; i < filled; i++)
            buffer[i - line] = buffer[i];
        filled -= line;
    }
    raw_syscall1(SYS_close, fd);
}

/* Mappings that are Mazur's from end to end. */
static bool is_own(const struct maps_line *map)
{
    bool special = map->start >= RT_PRIVATE_LOW && map->start < RT_PRIVATE_HIGH;
    bool heap = map->start >= HEAP_BASE && map->start < HEAP_BASE + HEAP_BYTES;
    return special || heap;
}

static void add_part(uint64_t start, uint64_t end)
{
    if (start < end && snapshot.nregions < REGIONS_MAX)
        snapshot.region[snapshot.nregions++] = (struct region){start, end};
}

/* The data of libmazur.so is not the program's. The kernel shows neighbours as one mapping, so
 * what lies beside it (main's thread-local storage, say) is told apart by addresses. */
static void add_region(const struct maps_line *map, void *context)
{
    (void)context;
    uint64_t own_start = rt.own.start & ~(PAGE - 1);
    uint64_t own_end = (rt.own.end + PAGE - 1) & ~(PAGE - 1);
    if (map->permissions[1] != 'w' || map->permissions[3] != 'p' || is_own(map))
        return;
    if (map->end <= own_start || map->start >= own_end) {
        add_part(map->start, map->end);
        return;
    }
    add_part(map->start, own_start);
    add_part(own_end, map->end);
}

static void add_heap_range(uint64_t start, uint64_t end, void *context)
{
    (void)context;
    start &= ~(PAGE - 1);
    end = (end + PAGE - 1) & ~(PAGE - 1);
    if (snapshot.nregions < REGIONS_MAX && end > start)
        snapshot.region[snapshot.nregions++] = (struct region){start, end};
}

static void heat(uint64_t start, uint64_t end)
{
    for (uint64_t page = start & ~(PAGE - 1); page < end; page += PAGE)
        if (in_regions(page) && !is_hot(page))
            make_hot(page);
}

/* The executable's writable segment, by its mapping (several when it has .bss). */
static void heat_executable(const struct maps_line *map, void *context)
{
    const struct maps_line *executable = context;
    if (map->permissions[1] == 'w' && map->permissions[3] == 'p' &&
        map->start >= executable->start && map->start < executable->end &&
        (map->end - map->start) / PAGE <= HOT_SEGMENT_MAX)
        heat(map->start, map->end);
}

void snapshot_take(void)
{
    snapshot.hot = rt_map(HOT_MAX * sizeof *snapshot.hot);
    snapshot.copies = rt_map((uint64_t)HOT_MAX * PAGE);
    each_mapping(add_region, NULL);
    heap_snapshot_ranges(add_heap_range, NULL);
    if (!in_regions(rt.thread[0].fiber.tls & ~(PAGE - 1)))
        rt_fatal("main's thread-local storage is not part of the snapshot");
    snapshot.taken = true;
    /* An executable lies in the first megabytes above its lowest mapping. */
    struct maps_line executable = {.start = rt.image_start, .end = rt.image_end};
    each_mapping(heat_executable, &executable);
    for (uint32_t i = 0; i < snapshot.nregions; i++)
        raw_syscall3(SYS_mprotect, (long)snapshot.region[i].start,
                     (long)(snapshot.region[i].end - snapshot.region[i].start), PROT_READ);
    for (uint32_t i = 0; i < snapshot.nhot; i++)
        raw_syscall3(SYS_mprotect, (long)snapshot.hot[i].address, PAGE, PROT_READ | PROT_WRITE);
}

void snapshot_watch(void)
{
    if (!snapshot.taken)
        snapshot_take();
}

void snapshot_restore(void)
{
    for (uint32_t i = 0; i < snapshot.nhot; i++)
        copy_page((void *)snapshot.hot[i].address, snapshot.hot[i].copy);
}

static void add_if_contains(const struct maps_line *map, void *context)
{
    uint64_t address = *(uint64_t *)context;
    if (address >= map->start && address < map->end)
        add_region(map, NULL);
}

void snapshot_add_mapping(uint64_t address)
{
    uint32_t before = snapshot.nregions;
    each_mapping(add_if_contains, &address);
    for (uint32_t i = before; snapshot.taken && i < snapshot.nregions; i++) {
        const struct region *region = &snapshot.region[i];
        raw_syscall3(SYS_mprotect, (long)region->start, (long)(region->end - region->start),
                     PROT_READ);
    }
}

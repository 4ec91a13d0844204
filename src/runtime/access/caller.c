/* See caller.h.
 *
 * The heap check applies to every caller. The race check needs to see the caller's atomics, or
 * it would miss its happens-before edges and cry wolf: it applies to modules with
 * instrumented code and to the C++ library, which is called from there (std::string's functions
 * are compiled into it). */
#include "runtime/access/caller.h"

#include "runtime/access/access.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/race/race.h"

/* --- Whose accesses count --- */

#define COUNTED_MAX (2 * LIMIT_MODULES) /* those that are instrumented, and all */

/* Module ranges, made at the first call under control and when an instrumented module has been
 * loaded since; never restored. */
static struct {
    uint32_t instrumented; /* modules that it was made of */
    uint32_t count;
    struct address_range range[COUNTED_MAX];
} counted;

struct address_range caller_module;

static bool path_contains(const char *path, const char *wanted)
{
    for (; *path; path++) {
        size_t i = 0;
        while (wanted[i] && path[i] == wanted[i])
            i++;
        if (!wanted[i])
            return true;
    }
    return false;
}

static void count_range(struct address_range range)
{
    for (uint32_t i = 0; i < counted.count; i++)
        if (counted.range[i].start == range.start)
            return;
    if (counted.count < COUNTED_MAX) /* always: rt.ninstrumented and nmodules have the same limit */
        counted.range[counted.count++] = range;
}

static void make_counted(void)
{
    counted.instrumented = rt.ninstrumented;
    for (uint32_t i = 0; i < rt.ninstrumented; i++)
        count_range(rt.instrumented[i]);
    for (uint32_t m = 0; m < rt.board->nmodules; m++) {
        const struct board_module *module = &rt.board->module[m];
        if (path_contains(module->path, "libstdc++") || path_contains(module->path, "libc++"))
            count_range((struct address_range){module->start, module->end});
    }
}

bool caller_counts_elsewhere(uint64_t pc)
{
    if (counted.instrumented != rt.ninstrumented)
        make_counted();
    for (uint32_t i = 0; i < counted.count; i++)
        if (pc >= counted.range[i].start && pc < counted.range[i].end) {
            caller_module = counted.range[i];
            return true;
        }
    return false;
}

/* --- The accesses --- */

void caller_add_memory(struct op *op, const void *at, size_t size, bool write)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    access_add_operand(op, address, size < UINT64_MAX - address ? size : UINT64_MAX - address,
                       write);
}

/* What other functions do for their caller happens when they do it, not where this is called:
 * close enough to see a race, not to explore it. */
static void list_racing(const void *at, size_t size, bool write, uint64_t pc)
{
    if (LIKELY(!caller_explores(pc)))
        return;
    struct op op = access_operation(size, pc);
    caller_add_memory(&op, at, size, write);
    if (access_point(&op))
        failure_uncontrolled("a call of libc with racing memory");
}

void caller_reads(const void *from, size_t size, uint64_t pc)
{
    list_racing(from, size, false, pc);
    caller_reads_now(from, size, pc);
}

void caller_writes(void *to, size_t size, uint64_t pc)
{
    list_racing(to, size, true, pc);
    caller_writes_now(to, size, pc);
}

/* libc holds a lock of its own meanwhile: such accesses do not race with each other, but with
 * what the program does to the same memory itself. That is how atomic accesses race. */
void caller_writes_guarded(void *to, size_t size, uint64_t pc)
{
    if (rt.on && size > 0 && caller_counts(pc))
        race_atomic_store(rt.current, (uint64_t)(uintptr_t)to, size, __ATOMIC_RELAXED, pc);
}

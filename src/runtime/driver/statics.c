/* Which static variables of the runtime has the execution changed? Whoever saves an execution
 * must know all of them (arch/execution_state.h), so all of .bss is compared with a copy from
 * the beginning, except for objects that belong to the search or the process, and for rt, which
 * is compared field by field.
 *
 * A beginning that is like an earlier one differs from it only in counters of executions. Where
 * they are is found out once, by comparing two beginnings. Should another variable differ at a
 * later one, it looks changed: this costs time, never an answer. */
#include "runtime/driver/statics.h"

#include <stdint.h>

#include "base/must.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"

#define RANGES_MAX 128
#define LINES_MAX  32
#define LINE       64

extern char __bss_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
extern const struct state_object __start_state_objects[] __attribute__((visibility("hidden")));
extern const struct state_object __stop_state_objects[] __attribute__((visibility("hidden")));

static struct {
    char *copy; /* of .bss */
    struct range {
        char *start, *end;
    } range[RANGES_MAX]; /* what is compared, by address */
    uint32_t nranges;
    bool twice;      /* two beginnings were compared: */
    uint32_t nlines; /* these lines differ from one to the next; LINES_MAX: too many */
    char *line[LINES_MAX];
} statics;
LASTING_STATE(statics);
LASTING_STATE(rt);

/* The first lasting object that begins at or after `from`. */
static const struct state_object *next_lasting(const char *from)
{
    const struct state_object *object = __start_state_objects, *next = NULL;
    /* two symbols of the linker, between which the rows lie */
    for (; (uintptr_t)object < (uintptr_t)__stop_state_objects; object++)
        if (object->lasts && (char *)object->start >= from &&
            (!next || object->start < next->start))
            next = object;
    return next;
}

static void add_range(char *start, char *end)
{
    must(statics.nranges < RANGES_MAX);
    if (start < end)
        statics.range[statics.nranges++] = (struct range){start, end};
}

static void find_ranges(void)
{
    char *from = __bss_start;
    for (;;) {
        const struct state_object *object = next_lasting(from);
        if (!object || (char *)object->start >= _end)
            break;
        add_range(from, object->start);
        from = (char *)object->start + object->size;
    }
    add_range(from, _end);
    statics.copy = rt_map_table((size_t)(_end - __bss_start));
}

static char *copy_of(const char *at)
{
    return statics.copy + (at - __bss_start);
}

void statics_note(void)
{
    if (!statics.copy)
        find_ranges();
    for (uint32_t i = 0; i < statics.nranges; i++) {
        const struct range *range = &statics.range[i];
        __builtin_memcpy(copy_of(range->start), range->start,
                         (size_t)(range->end - range->start));
    }
    statics.twice = false;
    statics.nlines = 0;
}

static size_t line_at(const char *at, const char *end)
{
    return end - at < LINE ? (size_t)(end - at) : LINE;
}

static void compare_beginnings(void)
{
    for (uint32_t i = 0; i < statics.nranges; i++)
        for (char *at = statics.range[i].start; at < statics.range[i].end; at += LINE)
            if (statics.nlines < LINES_MAX &&
                __builtin_memcmp(at, copy_of(at), line_at(at, statics.range[i].end)) != 0)
                statics.line[statics.nlines++] = at;
    statics.twice = true;
}

static void note_line(char *at)
{
    for (uint32_t i = 0; i < statics.nranges; i++)
        if (at >= statics.range[i].start && at < statics.range[i].end)
            __builtin_memcpy(copy_of(at), at, line_at(at, statics.range[i].end));
}

void statics_note_again(void)
{
    if (!statics.twice)
        compare_beginnings();
    if (statics.nlines == LINES_MAX) {
        statics_note();
        statics.twice = true;
        statics.nlines = LINES_MAX;
        return;
    }
    for (uint32_t i = 0; i < statics.nlines; i++)
        note_line(statics.line[i]);
}

static const struct state_object *object_at(const char *address)
{
    const struct state_object *object = __start_state_objects;
    for (; (uintptr_t)object < (uintptr_t)__stop_state_objects; object++)
        if (address >= (char *)object->start && address < (char *)object->start + object->size)
            return object;
    return NULL;
}

static bool visit_changed(const struct range *range, void (*visit)(void *at, size_t size))
{
    for (char *at = range->start; at < range->end;) {
        const char *then = copy_of(at);
        size_t step = range->end - at < 1024 ? (size_t)(range->end - at) : 1024;
        if (__builtin_memcmp(at, then, step) == 0) {
            at += step;
            continue;
        }
        while (*at == *then)
            at++, then++;
        const struct state_object *object = object_at(at);
        if (!object)
            return false;
        visit(object->start, object->size);
        at = (char *)object->start + object->size;
    }
    return true;
}

bool statics_each_changed(void (*visit)(void *at, size_t size))
{
    for (uint32_t i = 0; i < statics.nranges; i++)
        if (!visit_changed(&statics.range[i], visit))
            return false;
    return true;
}

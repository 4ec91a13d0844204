/* See unannounced.h. */
#include "machine/unannounced.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/exempt.h"
#include "debuginfo/units.h"
#include "host/buffer.h"

#define FUNCTION_MAX (1u << 19) /* bytes of code; larger functions are not analysed */

static bool starts_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

bool is_made_visible(const struct board *board, uint64_t address)
{
    for (uint32_t i = 0; i < board->nplaces; i++)
        if (board->place[i].list == LIST_VISIBLE && address >= board->place[i].start &&
            address < board->place[i].end)
            return true;
    return false;
}

/* push %rbp; mov %rsp,%rbp, perhaps after endbr64 */
static bool keeps_frame_pointer(const struct module_code *module, uint64_t start)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa},
                         frame[] = {0x55, 0x48, 0x89, 0xe5};
    const uint8_t *code = image_bytes(&module->image, start, sizeof landing + sizeof frame);
    if (!code)
        return false;
    code += memcmp(code, landing, sizeof landing) == 0 ? sizeof landing : 0;
    return memcmp(code, frame, sizeof frame) == 0;
}

/* "f.cold" is the part of f that is rarely executed, moved away. */
static enum function_part part_of(const struct module_code *module,
                                  const struct function_range *functions, size_t count,
                                  const struct function_range *part)
{
    const char *end = strstr(part->symbol, ".cold");
    if (!end)
        return count == 0 ? PART_UNBOUNDED : PART_WHOLE;
    size_t length = (size_t)(end - part->symbol);
    for (size_t i = 0; i < count; i++)
        if (strncmp(functions[i].symbol, part->symbol, length) == 0 &&
            functions[i].symbol[length] == 0)
            return keeps_frame_pointer(module, functions[i].start) ? PART_OF_FRAME : PART_WHOLE;
    return PART_WHOLE;
}

/* --- Functions that announce nothing --- */

/* A finding that counts if its unit turns out to be instrumented. */
struct held_finding {
    struct finding finding;
    uint64_t unit;
};

struct module_search {
    struct module_code code;
    struct exemptions *exemptions;
    struct unit_range *range; /* in order of address */
    size_t nranges;
    uint64_t *instrumented; /* units */
    size_t ninstrumented;
    size_t units_capacity;
    struct held_finding *held;
    size_t nheld;
    size_t held_capacity;
    const struct function_range *function; /* the current one */
    announce_found *found;
    void *context;
};

static bool is_instrumented(const struct module_search *search, uint64_t unit)
{
    for (size_t i = search->ninstrumented; i-- > 0;)
        if (search->instrumented[i] == unit)
            return true;
    return false;
}

static void note_instrumented(struct module_search *search, const struct unit_range *range)
{
    if (!range || is_instrumented(search, range->unit))
        return;
    search->instrumented = grow_array(search->instrumented, &search->units_capacity,
                                      search->ninstrumented, sizeof *search->instrumented);
    search->instrumented[search->ninstrumented++] = range->unit;
}

/* Thunks belong to the compiler: they only read the virtual table. For a part that was moved
 * away (.cold) the announcements are in its function, or there are none. */
static enum silence judge_silence(void *context, uint64_t start)
{
    struct module_search *search = context;
    const char *symbol = search->function->symbol;
    if (!unit_range_at(search->range, search->nranges, start) || strstr(symbol, ".cold"))
        return SILENCE_MEANT;
    switch (exemption_of(search->exemptions, start, symbol)) {
    case EXEMPT_NO:
        return SILENCE_UNMEANT;
    case EXEMPT_YES:
        return SILENCE_MEANT;
    default:
        return SILENCE_UNKNOWN;
    }
}

static void pass_on(void *context, const struct finding *finding)
{
    struct module_search *search = context;
    search->found(search->context, finding);
}

static void hold_finding(void *context, const struct finding *finding)
{
    struct module_search *search = context;
    const struct unit_range *range =
        unit_range_at(search->range, search->nranges, finding->site.address);
    struct finding copy = *finding;
    if (!range) {
        pass_on(search, &copy);
        return;
    }
    if (copy.kind == FOUND_ASSEMBLY && starts_with(search->function->symbol, "_ZT"))
        copy.kind = FOUND_PLAIN;
    search->held =
        grow_array(search->held, &search->held_capacity, search->nheld, sizeof *search->held);
    search->held[search->nheld++] = (struct held_finding){copy, range->unit};
}

/* --- Modules --- */

static void open_search(struct module_search *search, struct symboliser *symboliser,
                        uint32_t module)
{
    search->exemptions = exemptions_new(symboliser);
    search->range = units_of_module(symboliser, module, &search->nranges);
    for (size_t i = 0; i < search->nranges; i++)
        if (strstr(search->range[i].producer, "-fsanitize=thread"))
            note_instrumented(search, &search->range[i]);
}

static void close_search(struct module_search *search)
{
    for (size_t i = 0; i < search->nheld; i++)
        if (is_instrumented(search, search->held[i].unit))
            pass_on(search, &search->held[i].finding);
    exemptions_free(search->exemptions);
    free(search->range);
    free(search->instrumented);
    free(search->held);
    module_code_close(&search->code);
}

static bool search_function(struct module_search *search, enum function_part part,
                            struct frames *frames)
{
    static const struct announce_silent silent = {judge_silence, hold_finding};
    const struct function_range *function = search->function;
    bool hooks = false;
    if (function->end - function->start > FUNCTION_MAX)
        return false;
    bool good = announce_check(&search->code, function->start, function->end, part, frames,
                               &silent, pass_on, search, &hooks);
    if (hooks)
        note_instrumented(search,
                          unit_range_at(search->range, search->nranges, function->start));
    return good;
}

bool unannounced_of_module(const struct board *board, struct symboliser *symboliser,
                           uint32_t module, announce_found *found, void *context)
{
    struct module_search search = {.found = found, .context = context};
    size_t count = 0;
    bool whole = true;
    if (!module_code_open(&search.code, &board->module[module]))
        return false;
    struct function_range *functions = functions_of_module(symboliser, module, &count);
    struct frames *frames = frames_new(symboliser);
    struct function_range text = {search.code.text_start, search.code.text_end, ".text"};
    const struct function_range *all = count ? functions : &text;
    open_search(&search, symboliser, module);
    for (size_t i = 0; i < (count ? count : 1); i++) {
        search.function = &all[i];
        if (all[i].start < text.start || all[i].end > text.end ||
            (i > 0 && all[i].start == all[i - 1].start) || is_made_visible(board, all[i].start))
            continue;
        whole &=
            search_function(&search, part_of(&search.code, functions, count, &all[i]), frames);
    }
    close_search(&search);
    frames_free(frames);
    free(functions);
    return whole;
}

static void add_site(void *context, const struct finding *finding)
{
    struct board *board = context;
    bool can_be = finding->kind == FOUND_PLAIN || finding->kind == FOUND_OUTSIDE;
    if (!can_be || finding->site.kind == SITE_UNTOLD)
        return;
    if (board->nsites < BOARD_SITES)
        board->site[board->nsites++] = finding->site;
    else
        claim_limit(&board->claim, LIMIT_AT_SITES);
}

void unannounced_make_visible(struct board *board, struct symboliser *symboliser)
{
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (board->module[i].instrumented)
            unannounced_of_module(board, symboliser, i, add_site, board);
}

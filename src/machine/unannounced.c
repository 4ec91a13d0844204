/* See unannounced.h. */
#include "machine/unannounced.h"

#include <stdlib.h>
#include <string.h>

#include "report/units.h"

#define FUNCTION_MAX (1u << 19) /* bytes of code; a larger one is not looked through */

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

bool unannounced_of_module(const struct board *board, struct symboliser *symboliser,
                           uint32_t module, unannounced_access *found, void *context)
{
    struct module_code code;
    size_t count = 0;
    bool whole = true;
    if (!module_code_open(&code, &board->module[module]))
        return false;
    struct function_range *functions = functions_of_module(symboliser, module, &count);
    struct frames *frames = frames_new(symboliser);
    struct function_range text = {code.text_start, code.text_end, ".text"};
    const struct function_range *all = count ? functions : &text;
    for (size_t i = 0; i < (count ? count : 1); i++) {
        const struct function_range *function = &all[i];
        if (function->start < text.start || function->end > text.end ||
            (i > 0 && function->start == all[i - 1].start) ||
            is_made_visible(board, function->start))
            continue;
        if (function->end - function->start > FUNCTION_MAX ||
            !announce_check(&code, function->start, function->end,
                            part_of(&code, functions, count, function), frames, found, context))
            whole = false;
    }
    frames_free(frames);
    free(functions);
    module_code_close(&code);
    return whole;
}

static void add_site(void *context, const struct board_site *site)
{
    struct board *board = context;
    if (site->plain && board->nsites < BOARD_SITES)
        board->site[board->nsites++] = *site;
}

void unannounced_make_visible(struct board *board, struct symboliser *symboliser)
{
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (board->module[i].instrumented)
            unannounced_of_module(board, symboliser, i, add_site, board);
}

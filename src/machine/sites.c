/* See sites.h. The code is read from the files that the child has mapped. Functions are decoded
 * from their first instruction, a whole library from the start of its .text. */
#include "machine/sites.h"

#include <stdlib.h>
#include <string.h>

#include "host/buffer.h"
#include "machine/image.h"
#include "machine/instruction.h"
#include "machine/unannounced.h"

/* --- Modules --- */

static bool is_module(const struct board_module *module, const char *name)
{
    const char *slash = strrchr(module->path, '/');
    return slash && strcmp(slash + 1, name) == 0;
}

size_t sites_whole_module(const struct board *board, const char *name, resolve_found *found,
                          void *context)
{
    size_t count = 0;
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const struct board_module *module = &board->module[i];
        struct image image;
        GElf_Shdr text;
        if (!is_module(module, name) || !image_open(&image, module))
            continue;
        if (image_section(&image, ".text", &text)) {
            uint64_t start = module->bias + text.sh_addr;
            found(context, PLACE_FUNCTION, start, start + text.sh_size);
            count++;
        }
        image_close(&image);
    }
    return count;
}

/* --- Code --- */

static const struct board_module *module_of(const struct board *board, uint64_t address)
{
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (address >= board->module[i].start && address < board->module[i].end)
            return &board->module[i];
    return NULL;
}

/* --- Sites --- */

/* Returns what went wrong, malloc'd, or NULL. */
static char *decode_place(struct board *board, const struct board_place *place)
{
    const struct board_module *module = module_of(board, place->start);
    size_t size = (size_t)(place->end - place->start);
    struct image image = {.file = -1};
    const uint8_t *code =
        module && image_open(&image, module) ? image_bytes(&image, place->start, size) : NULL;
    char *problem = code ? NULL
                         : format_text("--visible: the code at 0x%llx can't be read",
                                       (unsigned long long)place->start);
    for (size_t at = 0; !problem && at < size;) {
        struct instruction instruction;
        if (!decode_instruction(code + at, size - at, &instruction)) {
            at++; /* data between functions; continue at the next known instruction */
            continue;
        }
        struct board_site site = instruction_site(&instruction);
        site.address = place->start + at;
        at += site.length;
        if (site.kind == SITE_NONE || site.kind == SITE_UNTOLD)
            continue; /* unseen.c reports what is unknown */
        if (board->nsites == BOARD_SITES) {
            problem = format_text("--visible: more than %d accesses to memory", BOARD_SITES);
            break;
        }
        board->site[board->nsites++] = site;
    }
    image_close(&image);
    return problem;
}

static int by_address(const void *left, const void *right)
{
    const struct board_site *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

char *sites_find(struct board *board, struct symboliser *symboliser)
{
    char *problem = NULL;
    board->nsites = 0;
    for (uint32_t i = 0; i < board->nplaces && !problem; i++)
        if (board->place[i].list == LIST_VISIBLE)
            problem = decode_place(board, &board->place[i]);
    unannounced_make_visible(board, symboliser);
    if (board->nsites == 0)
        return problem;
    qsort(board->site, board->nsites, sizeof *board->site, by_address);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < board->nsites; i++)
        if (board->site[i].address != board->site[kept - 1].address)
            board->site[kept++] = board->site[i];
    board->nsites = kept;
    return problem;
}

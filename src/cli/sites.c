/* See sites.h. The code is read from the files that the child has mapped; functions are decoded
 * from their first instruction on, a whole library from the start of its .text. */
#define _GNU_SOURCE
#include "cli/sites.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/decode.h"
#include "cli/say.h"
#include "report/symbolise.h"

/* --- Modules --- */

static bool is_module(const struct board_module *module, const char *name)
{
    const char *slash = strrchr(module->path, '/');
    return slash && strcmp(slash + 1, name) == 0;
}

static bool find_section(Elf *elf, const char *wanted, GElf_Shdr *header)
{
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, header))
            continue;
        const char *name = elf_strptr(elf, names, header->sh_name);
        if (name && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

size_t sites_whole_module(const struct board *board, const char *name, resolve_found *found,
                          void *context)
{
    size_t count = 0;
    elf_version(EV_CURRENT);
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const struct board_module *module = &board->module[i];
        int file = is_module(module, name) ? open(module->path, O_RDONLY | O_CLOEXEC) : -1;
        Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
        GElf_Shdr text;
        if (elf && find_section(elf, ".text", &text)) {
            uint64_t start = module->bias + text.sh_addr;
            found(context, PLACE_FUNCTION, start, start + text.sh_size);
            count++;
        }
        elf_end(elf);
        if (file >= 0)
            close(file);
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

/* Where in the file the byte at a virtual address is; false: in none of its segments. */
static bool file_offset(Elf *elf, uint64_t address, size_t size, off_t *offset)
{
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
            address < header.p_vaddr || address - header.p_vaddr >= header.p_filesz ||
            size > header.p_filesz - (address - header.p_vaddr))
            continue;
        *offset = (off_t)(header.p_offset + (address - header.p_vaddr));
        return true;
    }
    return false;
}

static uint8_t *read_code(const struct board_module *module, uint64_t address, size_t size)
{
    int file = open(module->path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    uint8_t *code = NULL;
    off_t offset;
    if (elf && file_offset(elf, address - module->bias, size, &offset)) {
        code = allocate(size);
        if (pread(file, code, size, offset) != (ssize_t)size) {
            free(code);
            code = NULL;
        }
    }
    elf_end(elf);
    if (file >= 0)
        close(file);
    return code;
}

/* --- Sites --- */

static bool decode_place(struct board *board, const struct board_place *place)
{
    const struct board_module *module = module_of(board, place->start);
    size_t size = (size_t)(place->end - place->start);
    uint8_t *code = module ? read_code(module, place->start, size) : NULL;
    bool good = code != NULL;
    for (size_t at = 0; good && at < size;) {
        struct board_site site;
        if (!decode_instruction(code + at, size - at, &site)) {
            at++; /* data between functions; the next known instruction goes on */
            continue;
        }
        site.address = place->start + at;
        at += site.length;
        if (site.kind == SITE_NONE)
            continue;
        if (board->nsites == BOARD_SITES) {
            complain("--visible: more than %d accesses to memory", BOARD_SITES);
            good = false;
            break;
        }
        board->site[board->nsites++] = site;
    }
    if (!code)
        complain("--visible: the code at 0x%llx can't be read",
                 (unsigned long long)place->start);
    free(code);
    return good;
}

static int by_address(const void *left, const void *right)
{
    const struct board_site *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

bool sites_find(struct board *board)
{
    bool good = true;
    board->nsites = 0;
    elf_version(EV_CURRENT);
    for (uint32_t i = 0; i < board->nplaces && good; i++)
        if (board->place[i].list == LIST_VISIBLE)
            good = decode_place(board, &board->place[i]);
    if (board->nsites == 0)
        return good;
    qsort(board->site, board->nsites, sizeof *board->site, by_address);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < board->nsites; i++)
        if (board->site[i].address != board->site[kept - 1].address)
            board->site[kept++] = board->site[i];
    board->nsites = kept;
    return good;
}

/* --- Atomics that are not seen --- */

#define TEXT_MAX  (16u << 20) /* a larger program is not looked through */
#define NAMES_MAX 3

static bool is_made_visible(const struct board *board, uint64_t address)
{
    for (uint32_t i = 0; i < board->nplaces; i++)
        if (board->place[i].list == LIST_VISIBLE && address >= board->place[i].start &&
            address < board->place[i].end)
            return true;
    return false;
}

static bool has_debug_information(const struct board_module *module)
{
    GElf_Shdr header;
    int file = open(module->path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    bool found = elf && find_section(elf, ".debug_info", &header);
    elf_end(elf);
    if (file >= 0)
        close(file);
    return found;
}

struct unseen {
    const struct board *board;
    struct symboliser *symboliser;
    bool described; /* the program has debug information */
    size_t count;
    const char *name[NAMES_MAX];
    bool more;
};

/* The function in the source that holds the instruction: for an inlined one, its own name. NULL
 * where only this part of the program has no debug information, as a library that was linked
 * in: like all libraries that are not instrumented it is taken to keep to itself. */
static const char *function_at(const struct unseen *unseen, uint64_t address)
{
    struct trace_stack places = symbolise_code(unseen->symboliser, address, false);
    if (places.count == 0 || (unseen->described && !places.place[0].file))
        return NULL;
    return places.place[0].function;
}

static void add_unseen(struct unseen *unseen, uint64_t address)
{
    const char *name = function_at(unseen, address);
    if (!name)
        return;
    for (size_t i = 0; i < unseen->count; i++)
        if (strcmp(unseen->name[i], name) == 0)
            return;
    if (unseen->count == NAMES_MAX)
        unseen->more = true;
    else
        unseen->name[unseen->count++] = name;
}

static void text_range(void *context, enum board_place_kind kind, uint64_t start, uint64_t end)
{
    struct board_place *place = context;
    *place = (struct board_place){.start = start, .end = end, .kind = (uint8_t)kind};
}

/* Where the compiler's instrumentation is on it makes calls of all atomics, so that an
 * indivisible instruction is assembly. */
static void scan_program(struct unseen *unseen)
{
    const struct board_module *module = &unseen->board->module[0];
    const char *slash = strrchr(module->path, '/');
    struct board_place text = {0};
    struct board_site site;
    if (!slash || !sites_whole_module(unseen->board, slash + 1, text_range, &text) ||
        text.end - text.start > TEXT_MAX)
        return;
    size_t size = (size_t)(text.end - text.start);
    uint8_t *code = read_code(module, text.start, size);
    for (size_t at = 0; code && at < size;) {
        if (!decode_instruction(code + at, size - at, &site)) {
            at++;
            continue;
        }
        if (site.locked && site.kind != SITE_NONE &&
            !is_made_visible(unseen->board, text.start + at))
            add_unseen(unseen, text.start + at);
        at += site.length;
    }
    free(code);
}

char *sites_unseen(const struct board *board)
{
    struct arena arena = {0};
    struct buffer text = {0};
    if (!board->instrumented || board->nmodules == 0)
        return NULL;
    elf_version(EV_CURRENT);
    struct unseen unseen = {.board = board,
                            .symboliser = symboliser_new(board, &arena),
                            .described = has_debug_information(&board->module[0])};
    scan_program(&unseen);
    for (size_t i = 0; i < unseen.count; i++)
        buffer_printf(&text, "%s%s", i ? ", " : "", unseen.name[i]);
    if (unseen.more)
        buffer_text(&text, ", …");
    symboliser_free(unseen.symboliser);
    arena_free(&arena);
    return unseen.count ? buffer_take(&text) : NULL;
}

/* See unseen.h.
 *
 * Instrumented code calls __tsan_func_entry in each function that accesses memory or calls
 * another one, in place of atomics it calls __tsan_atomic…, and the compiler (gcc always, clang
 * as `mazur cc` calls it) leaves its flags in the debug information. So:
 *
 *  - A compilation unit is instrumented if its flags say so or one of its functions calls
 *    __tsan_…. Else it is not, if there is anything in it that could matter to another thread:
 *    a call, or an access to memory that need not be the function's own. A unit of nothing but
 *    arithmetic matters to nobody.
 *  - Code without debug information is judged function by function. In a program that has some
 *    it came from elsewhere, as a library that was linked in, and the same rule serves. In a
 *    program that has none a function may be instrumented and yet need no call of __tsan_…: it
 *    counts only for what instrumentation never leaves alone.
 *  - An indivisible instruction in instrumented code is assembly.
 *  - Instrumented code that calls the C++ library for a member of std::string or of a stream
 *    was not compiled by `mazur c++`, which would have made it part of the program.
 *
 * A function that the programmer keeps from instrumentation (no_sanitize) inside an
 * instrumented unit is taken as their word that it does not matter.
 *
 * Invariant: errors are on the side of owning up, but for functions that can't be decoded. */
#include "cli/unseen.h"

#include <stdlib.h>
#include <string.h>

#include "cli/decode.h"
#include "cli/image.h"
#include "report/units.h"

#define TEXT_MAX (64u << 20) /* a larger module is not looked through, and named as a whole */

enum callee { CALLEE_OTHER, CALLEE_HOOK, CALLEE_HARMLESS, CALLEE_TEMPLATE };

/* A slot of the global offset table, which calls of other modules go through. */
struct slot {
    uint64_t address;
    enum callee callee;
};

struct address_span {
    uint64_t start;
    uint64_t end;
};

struct module_scan {
    const struct board *board;
    struct symboliser *symboliser;
    struct image image;
    uint64_t text_start;
    uint64_t text_end;
    struct address_span *variables; /* sections that the program can write */
    size_t nvariables;
    struct slot *slot; /* of functions that are known, in order of address */
    size_t nslots;
    struct unit_range *range;
    size_t nranges;
    struct unit *unit;
    size_t nunits;
    size_t units_capacity;
    struct unseen *unseen;
};

struct unit {
    uint64_t unit;
    const char *name;
    bool instrumented;
    bool matters;
    bool templates;
    struct text_list atomics;
};

/* What there is in a function. */
struct facts {
    bool hooks;     /* calls of __tsan_… */
    bool calls;     /* of anything else that instrumentation would have noticed */
    bool templates; /* among them, of what the C++ library holds compiled */
    bool globals;   /* accesses to variables that can be written */
    bool memory;    /* accesses through pointers */
};

static void add_once(struct text_list *list, const char *text)
{
    if (!list_has(list, text))
        list_add(list, text);
}

static bool starts_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_made_visible(const struct board *board, uint64_t address)
{
    for (uint32_t i = 0; i < board->nplaces; i++)
        if (board->place[i].list == LIST_VISIBLE && address >= board->place[i].start &&
            address < board->place[i].end)
            return true;
    return false;
}

/* --- Calls --- */

/* A member of a template that the C++ library holds compiled, by its mangled name. Not those of
 * basic_ostream and its like: alone they are for std::cout; other streams have a constructor.
 */
static bool is_compiled_template(const char *symbol)
{
    static const char *const scopes[] = {"St7__cxx11", "St3__1", "St"};
    static const char *const names[] = {
        "basic_string",   "basic_ostringstream", "basic_istringstream", "basic_filebuf",
        "basic_ofstream", "basic_ifstream",      "basic_fstream"};
    if (!starts_with(symbol, "_ZN"))
        return false;
    symbol += 3 + (symbol[3] == 'K');
    if (starts_with(symbol, "Ss"))
        return true;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        if (!starts_with(symbol, scopes[i]))
            continue;
        const char *name = symbol + strlen(scopes[i]);
        name += strspn(name, "0123456789");
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (starts_with(name, names[n]))
                return true;
    }
    return false;
}

/* Calls that the compiler adds after it has instrumented the code. */
static enum callee callee_of(const char *symbol)
{
    static const char *const harmless[] = {"memcpy", "memmove",          "memset",
                                           "memcmp", "__stack_chk_fail", "__tls_get_addr"};
    if (starts_with(symbol, "__tsan_"))
        return CALLEE_HOOK;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(symbol, harmless[i]) == 0)
            return CALLEE_HARMLESS;
    return is_compiled_template(symbol) ? CALLEE_TEMPLATE : CALLEE_OTHER;
}

static int by_address(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void read_relocations(struct module_scan *scan, Elf_Scn *section,
                             const GElf_Shdr *header, size_t *capacity)
{
    Elf *elf = scan->image.elf;
    Elf_Data *entries = elf_getdata(section, NULL);
    Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
    Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr symbols_header;
    GElf_Rela entry;
    GElf_Sym symbol;
    if (!table || !gelf_getshdr(symbols, &symbols_header))
        return;
    for (int i = 0; entries && gelf_getrela(entries, i, &entry); i++) {
        const char *name = gelf_getsym(table, (int)GELF_R_SYM(entry.r_info), &symbol)
                               ? elf_strptr(elf, symbols_header.sh_link, symbol.st_name)
                               : NULL;
        enum callee callee = name ? callee_of(name) : CALLEE_OTHER;
        if (callee == CALLEE_TEMPLATE && symbol.st_shndx != SHN_UNDEF)
            callee = CALLEE_OTHER; /* the module's own */
        if (callee == CALLEE_OTHER)
            continue;
        scan->slot = grow_array(scan->slot, capacity, scan->nslots, sizeof *scan->slot);
        scan->slot[scan->nslots++] =
            (struct slot){.address = scan->image.bias + entry.r_offset, .callee = callee};
    }
}

static void read_slots(struct module_scan *scan)
{
    size_t capacity = 0;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(scan->image.elf, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
            read_relocations(scan, section, &header, &capacity);
    if (scan->slot)
        qsort(scan->slot, scan->nslots, sizeof *scan->slot, by_address);
}

static int32_t displacement(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static enum callee through_slot(const struct module_scan *scan, uint64_t address)
{
    const struct slot *slot =
        scan->slot ? bsearch(&address, scan->slot, scan->nslots, sizeof *scan->slot, by_address)
                   : NULL;
    return slot ? slot->callee : CALLEE_OTHER;
}

/* A stub of the procedure linkage table: (endbr64) (bnd) jmp *slot(%rip). */
static enum callee through_stub(const struct module_scan *scan, uint64_t address)
{
    enum { LONGEST_STUB = 11 };
    if (address >= scan->text_start && address < scan->text_end)
        return CALLEE_OTHER;
    const uint8_t *stub = image_bytes(&scan->image, address, LONGEST_STUB);
    for (size_t i = 0; stub && i + 6 <= LONGEST_STUB; i++)
        if (stub[i] == 0xff && stub[i + 1] == 0x25)
            return through_slot(scan, address + i + 6 + (uint64_t)displacement(stub + i + 2));
    return CALLEE_OTHER;
}

/* Does the instruction leave the function for another one: by a call, or by a jump at its end
 * where optimisation has made one of a call? */
static bool is_call(const struct module_scan *scan, const struct function_range *function,
                    const uint8_t *code, size_t length, uint64_t address, enum callee *callee)
{
    uint64_t next = address + length;
    *callee = CALLEE_OTHER;
    if (length >= 5 && (code[length - 5] == 0xe8 || code[length - 5] == 0xe9)) {
        uint64_t target = next + (uint64_t)displacement(code + length - 4);
        if (code[length - 5] == 0xe9 && target >= function->start && target < function->end)
            return false;
        *callee = through_stub(scan, target);
        return true;
    }
    if (length >= 6 && code[length - 6] == 0xff &&
        (code[length - 5] == 0x15 || code[length - 5] == 0x25)) {
        *callee = through_slot(scan, next + (uint64_t)displacement(code + length - 4));
        return true;
    }
    size_t rex = (code[0] & 0xf0) == 0x40;
    /* through a register or a table; a jump of that kind is a switch, as a rule */
    return length >= rex + 2 && code[rex] == 0xff && (code[rex + 1] >> 3 & 7) == 2;
}

/* --- Functions --- */

/* Where variables lie that can be written; slots that the linker fills in are none. */
static void read_sections(struct module_scan *scan)
{
    size_t names = 0, capacity = 0;
    GElf_Shdr header;
    elf_getshdrstrndx(scan->image.elf, &names);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(scan->image.elf, section));) {
        const char *name = gelf_getshdr(section, &header)
                               ? elf_strptr(scan->image.elf, names, header.sh_name)
                               : NULL;
        uint64_t wanted = SHF_ALLOC | SHF_WRITE;
        if (!name || (header.sh_flags & (wanted | SHF_TLS)) != wanted ||
            starts_with(name, ".got") || starts_with(name, ".data.rel.ro"))
            continue;
        uint64_t start = scan->image.bias + header.sh_addr;
        scan->variables =
            grow_array(scan->variables, &capacity, scan->nvariables, sizeof *scan->variables);
        scan->variables[scan->nvariables++] =
            (struct address_span){start, start + header.sh_size};
    }
}

static bool is_variable(const struct module_scan *scan, uint64_t address)
{
    for (size_t i = 0; i < scan->nvariables; i++)
        if (address >= scan->variables[i].start && address < scan->variables[i].end)
            return true;
    return false;
}

/* The function in the source that holds the instruction: for an inlined one, its own name. */
static const char *function_at(const struct module_scan *scan, uint64_t address)
{
    struct trace_stack places = symbolise_code(scan->symboliser, address, false);
    return places.count ? places.place[0].function : "?";
}

static void note_access(const struct module_scan *scan, const struct board_site *site,
                        uint64_t address, struct facts *facts)
{
    if (site->kind == SITE_NONE || site->kind == SITE_SYSCALL)
        return;
    if (site->base == SITE_RIP)
        facts->globals |=
            is_variable(scan, address + site->length + (uint64_t)(int64_t)site->displacement);
    else if (site->base != SITE_FRAME_POINTER && site->base != SITE_NO_REGISTER)
        facts->memory = true;
}

/* Atomic instructions are added to `atomics`, by the functions that they were written in. */
static struct facts look_through(const struct module_scan *scan,
                                 const struct function_range *function,
                                 struct text_list *atomics)
{
    struct facts facts = {0};
    size_t size = (size_t)(function->end - function->start);
    const uint8_t *code = image_bytes(&scan->image, function->start, size);
    for (size_t at = 0; code && at < size;) {
        struct board_site site;
        enum callee callee;
        uint64_t address = function->start + at;
        if (!decode_instruction(code + at, size - at, &site)) {
            at++; /* data between instructions */
            continue;
        }
        if (is_call(scan, function, code + at, site.length, address, &callee)) {
            facts.hooks |= callee == CALLEE_HOOK;
            facts.calls |= callee == CALLEE_OTHER || callee == CALLEE_TEMPLATE;
            facts.templates |= callee == CALLEE_TEMPLATE;
        }
        note_access(scan, &site, address, &facts);
        if (site.locked && site.kind != SITE_NONE)
            add_once(atomics, function_at(scan, address));
        at += site.length;
    }
    return facts;
}

/* Names that belong to the compiler and the C library, whose start files and small helpers are
 * linked into every program. */
static bool is_implementations(const char *symbol)
{
    static const char *const names[] = {"deregister_tm_clones", "register_tm_clones",
                                        "frame_dummy", "atexit", "at_quick_exit"};
    if (symbol[0] == '_' && symbol[1] != 'Z')
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(symbol, names[i]) == 0)
            return true;
    return false;
}

/* --- Units --- */

static const struct unit_range *range_at(const struct module_scan *scan, uint64_t address)
{
    size_t low = 0, high = scan->nranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->range[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < scan->range[low - 1].end ? &scan->range[low - 1] : NULL;
}

/* Functions of a unit lie next to each other: the last unit is asked first. */
static struct unit *unit_of(struct module_scan *scan, const struct unit_range *range)
{
    for (size_t i = scan->nunits; i-- > 0;)
        if (scan->unit[i].unit == range->unit)
            return &scan->unit[i];
    scan->unit =
        grow_array(scan->unit, &scan->units_capacity, scan->nunits, sizeof *scan->unit);
    scan->unit[scan->nunits] =
        (struct unit){.unit = range->unit,
                      .name = range->name,
                      .instrumented = strstr(range->producer, "-fsanitize=thread") != NULL};
    return &scan->unit[scan->nunits++];
}

static void add_all(struct text_list *to, const struct text_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        add_once(to, from->item[i]);
}

/* "queue::push" of "queue::push(int) [clone .cold]". */
static void add_plain_name(struct text_list *list, const char *name)
{
    char *plain = copy_bytes(name, strcspn(name, "(["));
    add_once(list, plain);
    free(plain);
}

/* GoogleTest's threads meet in its pthread mutexes only, what it has of the C++ library's
 * templates is its own, and its main only calls. Other code that brings such templates along
 * has functions of its own, too. Symbols are mangled: scopes begin with their length. */
static bool is_trusted(const char *symbol, const struct facts *facts)
{
    static const char *const scopes[] = {"N7testing", "NK7testing", "_ZSt", "_ZNSt",
                                         "_ZNKSt",    "_ZTv",       "_ZTh", "N9__gnu_cxx"};
    if (strcmp(symbol, "main") == 0)
        return !facts->globals && !facts->memory;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (strstr(symbol, scopes[i]))
            return true;
    return strcmp(symbol, "DeleteThreadLocalValue") == 0; /* GoogleTest's, too */
}

/* Instrumented code that leaves for the C++ library where it need not. */
static void add_templates(struct module_scan *scan)
{
    add_once(&scan->unseen->not_instrumented, "std::string or streams inside the C++ library");
}

/* A function of no unit that is known. */
static void judge_alone(struct module_scan *scan, const struct function_range *function,
                        const struct facts *facts, const struct text_list *atomics)
{
    bool matters =
        facts->calls || facts->globals || atomics->count || (scan->nranges && facts->memory);
    if (facts->hooks && facts->templates)
        add_templates(scan);
    if (facts->hooks)
        add_all(&scan->unseen->assembly, atomics);
    else if (matters && !is_trusted(function->symbol, facts))
        add_plain_name(&scan->unseen->not_instrumented, function_at(scan, function->start));
}

static void judge(struct module_scan *scan, const struct function_range *function)
{
    const struct unit_range *range = range_at(scan, function->start);
    struct text_list atomics = {0};
    if (is_made_visible(scan->board, function->start) ||
        (!range && is_implementations(function->symbol)))
        return;
    struct facts facts = look_through(scan, function, &atomics);
    if (range) {
        struct unit *unit = unit_of(scan, range);
        unit->instrumented |= facts.hooks;
        unit->templates |= facts.templates;
        unit->matters |= facts.calls || facts.globals || facts.memory || atomics.count;
        add_all(&unit->atomics, &atomics);
    } else {
        judge_alone(scan, function, &facts, &atomics);
    }
    list_release(&atomics);
}

static void judge_units(struct module_scan *scan)
{
    for (size_t i = 0; i < scan->nunits; i++) {
        struct unit *unit = &scan->unit[i];
        if (unit->instrumented && unit->templates)
            add_templates(scan);
        if (unit->instrumented)
            add_all(&scan->unseen->assembly, &unit->atomics);
        else if (unit->matters)
            add_once(&scan->unseen->not_instrumented, file_name(unit->name));
        list_release(&unit->atomics);
    }
}

/* --- Modules --- */

/* Without symbols the code is taken for one function. */
static void judge_functions(struct module_scan *scan, uint32_t module)
{
    size_t count = 0;
    GElf_Shdr text;
    struct function_range *functions = functions_of_module(scan->symboliser, module, &count);
    if (!image_section(&scan->image, ".text", &text) || text.sh_size > TEXT_MAX) {
        add_once(&scan->unseen->not_instrumented, file_name(scan->board->module[module].path));
        free(functions);
        return;
    }
    scan->text_start = scan->image.bias + text.sh_addr;
    scan->text_end = scan->text_start + text.sh_size;
    struct function_range whole = {scan->text_start, scan->text_end, ".text"};
    if (count == 0)
        judge(scan, &whole);
    for (size_t i = 0; i < count; i++)
        if (functions[i].start >= whole.start && functions[i].end <= whole.end &&
            (i == 0 || functions[i].start != functions[i - 1].start))
            judge(scan, &functions[i]);
    free(functions);
}

static void look_into(const struct board *board, struct symboliser *symboliser, uint32_t module,
                      struct unseen *unseen)
{
    struct module_scan scan = {.board = board, .symboliser = symboliser, .unseen = unseen};
    if (!image_open(&scan.image, &board->module[module]))
        return;
    read_slots(&scan);
    read_sections(&scan);
    scan.range = units_of_module(symboliser, module, &scan.nranges);
    judge_functions(&scan, module);
    judge_units(&scan);
    free(scan.slot);
    free(scan.variables);
    free(scan.range);
    free(scan.unit);
    image_close(&scan.image);
}

/* Libraries in which threads of the program meet only through calls that Mazur takes over. */
static bool is_system_library(const char *path)
{
    static const char *const known[] = {
        "libc.",     "libm.",      "libmvec.",  "libpthread.", "librt.",     "libdl.",
        "libutil.",  "libresolv.", "ld-linux",  "libgcc_s.",   "libstdc++.", "libc++.",
        "libc++abi", "libatomic.", "libmazur.", "linux-vdso",  "libasan.",   "libubsan.",
        "libtsan.",  "libnss_",    "liblsan.",  "libclang_rt."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(file_name(path), known[i]))
            return true;
    return false;
}

static void look_at_library(const struct board *board, const struct board_module *module,
                            struct unseen *unseen)
{
    struct image image;
    GElf_Shdr text;
    bool visible = false;
    if (module->path[0] == 0 || is_system_library(module->path))
        return;
    if (image_open(&image, module)) {
        visible = image_section(&image, ".text", &text) &&
                  is_made_visible(board, image.bias + text.sh_addr);
        image_close(&image);
    }
    if (!visible)
        add_once(&unseen->not_instrumented, file_name(module->path));
}

struct unseen unseen_find(const struct board *board)
{
    struct unseen unseen = {0};
    struct arena arena = {0};
    if (!board->instrumented)
        return unseen;
    struct symboliser *symboliser = symboliser_new(board, &arena);
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (board->module[i].instrumented)
            look_into(board, symboliser, i, &unseen);
        else
            look_at_library(board, &board->module[i], &unseen);
    symboliser_free(symboliser);
    arena_free(&arena);
    return unseen;
}

void unseen_release(struct unseen *unseen)
{
    list_release(&unseen->not_instrumented);
    list_release(&unseen->assembly);
}

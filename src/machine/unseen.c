/* See unseen.h.
 *
 * Instrumented code calls __tsan_func_entry in each function that accesses memory or calls
 * another one, and __tsan_atomic… instead of atomics. The compiler (gcc always, clang as `mazur
 * cc` calls it) leaves its flags in the debug information. So:
 *
 *  - A compilation unit is instrumented if its flags say so or one of its functions calls
 *    __tsan_…. Otherwise it is not instrumented, if it has anything that could matter to
 *    another thread: a call, or an access to memory that need not be the function's own. A unit
 *    that only computes does not matter.
 *  - Code without debug information is judged function by function. In a program that has debug
 *    information, such code came from elsewhere, like a library that was linked in, and the
 *    same rule applies. In a program that has none, a function may be instrumented and yet need
 *    no call of __tsan_…: it is reported only for what instrumentation always changes.
 *  - An atomic instruction in instrumented code is assembly, except for loads that clang leaves
 *    next to the hook that makes them.
 *  - Instrumented code that calls the C++ library for a member of std::string or of a stream
 *    was not compiled by `mazur c++`, which would have made it part of the program.
 *
 * A function in an instrumented unit that the source excludes from instrumentation
 * (no_sanitize) does not matter, because the programmer says so. Other functions that announce
 * nothing are analysed (announce.h).
 *
 * Invariant: when in doubt, report the code as unseen, except for functions that can't be
 * decoded. */
#include "machine/unseen.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/units.h"
#include "machine/unannounced.h"

#define TEXT_MAX (64u << 20) /* a larger module is not analysed, but named as a whole */

struct module_scan {
    const struct board *board;
    struct symboliser *symboliser;
    struct module_code module;
    struct unit_range *range;
    size_t nranges;
    struct unit *unit;
    size_t nunits;
    size_t units_capacity;
    struct unseen *unseen;
    const struct left_overs *left;
};

/* Addresses of FOUND_LEFT, in the order of the functions. */
struct left_overs {
    uint64_t *address;
    size_t count;
    size_t capacity;
};

struct unit {
    uint64_t unit;
    const char *name;
    bool instrumented;
    bool matters;
    bool templates;
    struct text_list atomics;
};

/* What a function contains. */
struct facts {
    bool hooks;     /* calls of __tsan_… */
    bool calls;     /* calls of anything else that instrumentation would have noticed */
    bool templates; /* among them, calls of templates compiled into the C++ library */
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

/* --- Functions --- */

/* The function in the source that contains the instruction. For an inlined function this is its
 * own name, unless it belongs to the compiler's headers. */
static const char *function_at(struct symboliser *symboliser, uint64_t address)
{
    struct source_stack places = symbolise_code(symboliser, address, false);
    for (size_t i = 0; i < places.count; i++)
        if (!places.place[i].library)
            return places.place[i].function;
    return places.count ? places.place[0].function : "?";
}

static void note_access(const struct module_scan *scan, const struct instruction *instruction,
                        const struct board_site *site, uint64_t address, struct facts *facts)
{
    if (site->kind == SITE_NONE || instruction->outside)
        return;
    if (site->base == SITE_RIP)
        facts->globals |= module_has_variable(
            &scan->module, address + site->length + (uint64_t)(int64_t)site->displacement);
    else if (site->base != SITE_FRAME_POINTER && site->base != SITE_NO_REGISTER)
        facts->memory = true;
}

static bool is_left_over(const struct left_overs *left, uint64_t address)
{
    for (size_t i = 0; i < left->count; i++)
        if (left->address[i] == address)
            return true;
    return false;
}

/* Adds atomic instructions to `atomics`, by the functions that they were written in. */
static struct facts look_through(const struct module_scan *scan,
                                 const struct function_range *function,
                                 struct text_list *atomics)
{
    struct facts facts = {0};
    size_t size = (size_t)(function->end - function->start);
    const uint8_t *code = image_bytes(&scan->module.image, function->start, size);
    for (size_t at = 0; code && at < size;) {
        struct instruction instruction;
        struct call call;
        uint64_t address = function->start + at;
        if (!decode_instruction(code + at, size - at, &instruction)) {
            at++; /* data between instructions */
            continue;
        }
        struct board_site site = instruction_site(&instruction);
        if (module_call(&scan->module, function->start, function->end, &instruction, address,
                        &call)) {
            facts.hooks |= is_hook(call.callee);
            facts.calls |= !is_hook(call.callee) && call.callee != CALLEE_HARMLESS;
            facts.templates |= call.callee == CALLEE_TEMPLATE;
        }
        note_access(scan, &instruction, &site, address, &facts);
        if (site.locked && site.kind != SITE_NONE && !is_left_over(scan->left, address))
            add_once(atomics, function_at(scan->symboliser, address));
        at += site.length;
    }
    return facts;
}

/* Is it a name of the compiler or the C library? Their start files and small helpers are linked
 * into every program. */
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

/* The functions of a unit are next to each other, so the last unit is tried first. */
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
                      .instrumented = strstr(range->producer, "-fsanitize=thread")};
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

/* "rdtsc in wait" */
static void add_outside(struct unseen *unseen, const char *instruction, const char *function)
{
    char *text = format_text("%s in %.*s", instruction, (int)strcspn(function, "(["), function);
    add_once(&unseen->outside, text);
    free(text);
}

/* GoogleTest's threads meet only in its pthread mutexes, the C++ library's templates in it are
 * its own, and its main only makes calls. Other code that contains such templates has functions
 * of its own, too. Symbols are mangled: scopes begin with their length. */
static bool is_trusted(const char *symbol, const struct facts *facts)
{
    static const char *const scopes[] = {"N7testing", "NK7testing", "_ZSt", "_ZNSt",
                                         "_ZNKSt",    "_ZTv",       "_ZTh", "N9__gnu_cxx"};
    if (strcmp(symbol, "main") == 0)
        return !facts->globals && !facts->memory;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (strstr(symbol, scopes[i]))
            return true;
    return strcmp(symbol, "DeleteThreadLocalValue") == 0; /* part of GoogleTest, too */
}

/* Reports instrumented code that calls into the C++ library where it need not. */
static void add_templates(struct module_scan *scan)
{
    add_once(&scan->unseen->not_instrumented, "std::string or streams inside the C++ library");
}

/* Judges a function that belongs to no known unit. */
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
        add_plain_name(&scan->unseen->not_instrumented,
                       function_at(scan->symboliser, function->start));
}

static void judge_function(struct module_scan *scan, const struct function_range *function)
{
    const struct unit_range *range = unit_range_at(scan->range, scan->nranges, function->start);
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

/* Without symbols the code is treated as one function. */
static void judge_functions(struct module_scan *scan, uint32_t module)
{
    size_t count = 0;
    struct function_range whole = {scan->module.text_start, scan->module.text_end, ".text"};
    if (whole.end - whole.start > TEXT_MAX) {
        add_once(&scan->unseen->not_instrumented, file_name(scan->board->module[module].path));
        return;
    }
    struct function_range *functions = functions_of_module(scan->symboliser, module, &count);
    if (count == 0)
        judge_function(scan, &whole);
    for (size_t i = 0; i < count; i++)
        if (functions[i].start >= whole.start && functions[i].end <= whole.end &&
            (i == 0 || functions[i].start != functions[i - 1].start))
            judge_function(scan, &functions[i]);
    free(functions);
}

/* --- Accesses that are not announced --- */

struct late_search {
    const struct board *board;
    struct symboliser *symboliser;
    struct unseen *unseen;
    struct left_overs *left;
};

static bool is_interrupted(const struct board *board, uint64_t address)
{
    size_t low = 0, high = board->nsites;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (board->site[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < board->nsites && board->site[low].address == address;
}

static void note_finding(void *context, const struct finding *finding)
{
    struct late_search *search = context;
    struct left_overs *left = search->left;
    const char *function = function_at(search->symboliser, finding->site.address);
    switch (finding->kind) {
    case FOUND_LEFT:
        left->address =
            grow_array(left->address, &left->capacity, left->count, sizeof *left->address);
        left->address[left->count++] = finding->site.address;
        break;
    case FOUND_ASSEMBLY:
        add_plain_name(&search->unseen->moves, function);
        break;
    case FOUND_UNTOLD:
        add_plain_name(&search->unseen->untold, function);
        break;
    case FOUND_OUTSIDE:
        add_outside(search->unseen, finding->name, function);
        break;
    default:
        if (!is_interrupted(search->board, finding->site.address))
            add_plain_name(&search->unseen->unannounced, function);
    }
}

/* Accesses found at the start of the program are interrupted. Those in a library that is loaded
 * later, or beyond the available room, are not. */
static void look_for_late(const struct board *board, struct symboliser *symboliser,
                          uint32_t module, struct unseen *unseen, struct left_overs *left)
{
    struct late_search search = {board, symboliser, unseen, left};
    if (!unannounced_of_module(board, symboliser, module, note_finding, &search))
        add_once(&unseen->unannounced, file_name(board->module[module].path));
}

static void look_into(const struct board *board, struct symboliser *symboliser, uint32_t module,
                      struct unseen *unseen, const struct left_overs *left)
{
    struct module_scan scan = {
        .board = board, .symboliser = symboliser, .unseen = unseen, .left = left};
    if (!module_code_open(&scan.module, &board->module[module]))
        return;
    scan.range = units_of_module(symboliser, module, &scan.nranges);
    judge_functions(&scan, module);
    judge_units(&scan);
    free(scan.range);
    free(scan.unit);
    module_code_close(&scan.module);
}

/* --- What --visible can't help with --- */

/* System calls of visible functions are treated like those of libc. */
static void note_visible(const struct instruction *instruction, struct symboliser *symboliser,
                         uint64_t address, struct unseen *unseen)
{
    uint8_t kind = instruction_site(instruction).kind;
    if (instruction->outside && kind != SITE_SYSCALL)
        add_outside(unseen, instruction->outside, function_at(symboliser, address));
    else if (kind == SITE_UNTOLD)
        add_plain_name(&unseen->untold, function_at(symboliser, address));
}

static void look_at_place(const struct board *board, const struct board_place *place,
                          struct symboliser *symboliser, struct unseen *unseen)
{
    size_t size = (size_t)(place->end - place->start);
    struct image image;
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const struct board_module *module = &board->module[i];
        if (place->start < module->start || place->start >= module->end ||
            !image_open(&image, module))
            continue;
        const uint8_t *code = image_bytes(&image, place->start, size);
        for (size_t at = 0; code && at < size;) {
            struct instruction instruction;
            bool good = decode_instruction(code + at, size - at, &instruction);
            if (good)
                note_visible(&instruction, symboliser, place->start + at, unseen);
            at += good ? instruction.site.length : 1;
        }
        image_close(&image);
    }
}

/* Is it a library in which the program's threads meet only through calls that Mazur hooks? */
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
    struct symboliser *symboliser = symboliser_new(board, &arena);
    for (uint32_t i = 0; i < board->nplaces; i++)
        if (board->place[i].list == LIST_VISIBLE)
            look_at_place(board, &board->place[i], symboliser, &unseen);
    for (uint32_t i = 0; board->instrumented && i < board->nmodules; i++)
        if (board->module[i].instrumented) {
            struct left_overs left = {0};
            look_for_late(board, symboliser, i, &unseen, &left);
            look_into(board, symboliser, i, &unseen, &left);
            free(left.address);
        } else {
            look_at_library(board, &board->module[i], &unseen);
        }
    symboliser_free(symboliser);
    arena_free(&arena);
    return unseen;
}

void unseen_release(struct unseen *unseen)
{
    list_release(&unseen->not_instrumented);
    list_release(&unseen->assembly);
    list_release(&unseen->moves);
    list_release(&unseen->untold);
    list_release(&unseen->outside);
    list_release(&unseen->unannounced);
}

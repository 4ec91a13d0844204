/* See module_code.h. */
#include "machine/module_code.h"

#include <stdlib.h>
#include <string.h>

#include "host/buffer.h"

/* A slot of the global offset table; calls of other modules go through it. */
struct slot {
    uint64_t address;
    struct call call;
};

struct address_span {
    uint64_t start;
    uint64_t end;
};

static bool starts_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* --- Calls --- */

/* Is this mangled name a member of a template that the C++ library contains in compiled form?
 * Members of basic_ostream and similar classes don't count: without a constructor call they are
 * for std::cout, and other streams have a constructor. */
static bool is_compiled_template(const char *symbol)
{
    static const char *const scopes[] = {"St7__cxx11", "St3__1", "St"};
    static const char *const names[] = {"basic_string", "basic_ostringstream",
                                        "basic_istringstream", "basic_filebuf",
                                        "basic_ofstream", "basic_ifstream", "basic_fstream",
                                        /* These are not templates: there is no other code for
                                         * them. */
                                        "strstream", "istrstream", "ostrstream"};
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

/* __tsan_read4, __tsan_unaligned_write8, __tsan_volatile_read1, __tsan_read_write8,
 * __tsan_write_range, …: the bytes that it announces, or 0. */
static uint8_t announced_by(const char *symbol)
{
    static const char *const before[] = {"unaligned_", "volatile_"};
    static const char *const accesses[] = {"read_write", "read", "write"};
    symbol += strlen("__tsan_");
    if (strcmp(symbol, "vptr_update") == 0 || strcmp(symbol, "vptr_read") == 0)
        return sizeof(void *);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (starts_with(symbol, before[i]))
            symbol += strlen(before[i]);
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        if (!starts_with(symbol, accesses[i]))
            continue;
        symbol += strlen(accesses[i]);
        return strcmp(symbol, "_range") == 0 ? ANNOUNCED_RANGE : (uint8_t)atoi(symbol);
    }
    return 0;
}

static bool is_forgetful(const char *symbol)
{
    static const char *const names[] = {
#define FORGETS(name, type, parameters) #name,
#include "runtime/hooks/def/hooks.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(symbol, names[i]) == 0)
            return true;
    return false;
}

static bool never_returns(const char *symbol)
{
    static const char *const names[] = {"abort",
                                        "exit",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "pthread_exit",
                                        "longjmp",
                                        "siglongjmp",
                                        "__longjmp_chk",
                                        "__assert_fail",
                                        "__cxa_throw",
                                        "__cxa_rethrow",
                                        "_Unwind_Resume",
                                        "_ZSt9terminatev",
                                        "__stack_chk_fail",
                                        "__cxa_bad_cast",
                                        "__cxa_throw_bad_array_new_length",
                                        "__chk_fail"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(symbol, names[i]) == 0)
            return true;
    return starts_with(symbol, "_ZSt") && strstr(symbol, "__throw_");
}

static struct call call_of(const char *symbol)
{
    static const char *const harmless[] = {"memcpy", "memmove",          "memset",
                                           "memcmp", "__stack_chk_fail", "__tls_get_addr"};
    bool leaves = never_returns(symbol);
    if (starts_with(symbol, "__tsan_atomic") && symbol[13] >= '1' && symbol[13] <= '9')
        return (struct call){CALLEE_ATOMIC, (uint8_t)(atoi(symbol + 13) / 8), false};
    if (starts_with(symbol, "__tsan_")) {
        uint8_t announced = announced_by(symbol);
        return (struct call){announced ? CALLEE_ANNOUNCE : CALLEE_HOOK, announced, false};
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(symbol, harmless[i]) == 0)
            return (struct call){CALLEE_HARMLESS, 0, leaves};
    if (is_forgetful(symbol))
        return (struct call){CALLEE_FORGETFUL, 0, false};
    return (struct call){is_compiled_template(symbol) ? CALLEE_TEMPLATE : CALLEE_OTHER, 0,
                         leaves};
}

static int by_address(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void read_relocations(struct module_code *module, Elf_Scn *section,
                             const GElf_Shdr *header, size_t *capacity)
{
    Elf *elf = module->image.elf;
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
        struct call call = name ? call_of(name) : (struct call){0};
        if ((call.callee == CALLEE_TEMPLATE || call.callee == CALLEE_FORGETFUL) &&
            symbol.st_shndx != SHN_UNDEF)
            continue; /* the module's own */
        if (call.callee == CALLEE_OTHER && !call.leaves)
            continue;
        module->slot = grow_array(module->slot, capacity, module->nslots, sizeof *module->slot);
        module->slot[module->nslots++] =
            (struct slot){.address = module->image.bias + entry.r_offset, .call = call};
    }
}

static void read_slots(struct module_code *module)
{
    size_t capacity = 0;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(module->image.elf, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
            read_relocations(module, section, &header, &capacity);
    if (module->slot)
        qsort(module->slot, module->nslots, sizeof *module->slot, by_address);
}

static int32_t read_displacement(const uint8_t *at) /* of a stub */
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static struct call through_slot(const struct module_code *module, uint64_t address)
{
    const struct slot *slot = module->slot ? bsearch(&address, module->slot, module->nslots,
                                                     sizeof *module->slot, by_address)
                                           : NULL;
    return slot ? slot->call : (struct call){0};
}

/* A stub of the procedure linkage table: (endbr64) (bnd) jmp *slot(%rip). */
static struct call through_stub(const struct module_code *module, uint64_t address)
{
    enum { LONGEST_STUB = 11 };
    if (address >= module->text_start && address < module->text_end)
        return (struct call){0};
    const uint8_t *stub = image_bytes(&module->image, address, LONGEST_STUB);
    for (size_t i = 0; stub && i + 6 <= LONGEST_STUB; i++)
        if (stub[i] == 0xff && stub[i + 1] == 0x25)
            return through_slot(module,
                                address + i + 6 + (uint64_t)read_displacement(stub + i + 2));
    return (struct call){0};
}

bool module_call(const struct module_code *module, uint64_t start, uint64_t end,
                 const struct instruction *instruction, uint64_t address, struct call *call)
{
    uint64_t next = address + instruction->site.length;
    uint64_t target = next + (uint64_t)instruction->immediate;
    *call = (struct call){0};
    switch (instruction->transfer) {
    case TRANSFER_JUMP:
        if (target >= start && target < end)
            return false;
        /* fall through */
    case TRANSFER_CALL:
        *call = through_stub(module, target);
        return true;
    case TRANSFER_JUMP_INDIRECT:
    case TRANSFER_CALL_INDIRECT:
        if (instruction->memory && instruction->site.base == SITE_RIP) {
            *call =
                through_slot(module, next + (uint64_t)(int64_t)instruction->site.displacement);
            return true;
        }
        /* Through a register or a table. A jump of this kind is usually a switch. */
        return instruction->transfer == TRANSFER_CALL_INDIRECT;
    default:
        return false;
    }
}

/* --- Variables --- */

/* Finds the sections with writable variables; slots that the linker fills in are not
 * variables. */
static void read_sections(struct module_code *module)
{
    size_t names = 0, capacity = 0;
    GElf_Shdr header;
    elf_getshdrstrndx(module->image.elf, &names);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(module->image.elf, section));) {
        const char *name = gelf_getshdr(section, &header)
                               ? elf_strptr(module->image.elf, names, header.sh_name)
                               : NULL;
        uint64_t wanted = SHF_ALLOC | SHF_WRITE;
        if (!name || (header.sh_flags & (wanted | SHF_TLS)) != wanted ||
            starts_with(name, ".got") || starts_with(name, ".data.rel.ro"))
            continue;
        uint64_t start = module->image.bias + header.sh_addr;
        module->variables = grow_array(module->variables, &capacity, module->nvariables,
                                       sizeof *module->variables);
        module->variables[module->nvariables++] =
            (struct address_span){start, start + header.sh_size};
    }
}

bool module_has_variable(const struct module_code *module, uint64_t address)
{
    for (size_t i = 0; i < module->nvariables; i++)
        if (address >= module->variables[i].start && address < module->variables[i].end)
            return true;
    return false;
}

/* --- A module --- */

bool module_holds(const struct module_code *module, uint64_t address)
{
    return address >= module->start && address < module->end;
}

bool module_code_open(struct module_code *module, const struct board_module *from)
{
    GElf_Shdr text;
    *module = (struct module_code){0};
    if (!image_open(&module->image, from))
        return false;
    if (!image_section(&module->image, ".text", &text)) {
        image_close(&module->image);
        return false;
    }
    module->start = from->start;
    module->end = from->end;
    module->text_start = module->image.bias + text.sh_addr;
    module->text_end = module->text_start + text.sh_size;
    read_slots(module);
    read_sections(module);
    return true;
}

void module_code_close(struct module_code *module)
{
    free(module->slot);
    free(module->variables);
    image_close(&module->image);
}

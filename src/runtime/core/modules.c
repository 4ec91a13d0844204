/* The modules of the program: where they are, and which of them have instrumented code.
 *
 * Invariant: a module keeps its entry on the board; one that is loaded later is appended. */
#define _GNU_SOURCE
#include "runtime/core/modules.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

bool module_instrumented(uint64_t pc)
{
    for (uint32_t i = 0; i < rt.ninstrumented; i++)
        if (pc >= rt.instrumented[i].start && pc < rt.instrumented[i].end)
            return true;
    return false;
}

static void note_language_support(const struct board_module *module)
{
    static const char *const names[] = {"libgcc_s.so", "libstdc++.so"};
    const char *name = module->path;
    for (const char *at = module->path; *at; at++)
        if (*at == '/')
            name = at + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t j = 0;
        while (names[i][j] && name[j] == names[i][j])
            j++;
        if (names[i][j] == 0)
            rt.language[i] = (struct address_range){module->start, module->end};
    }
}

bool is_language_support(uint64_t pc)
{
    return (pc >= rt.language[0].start && pc < rt.language[0].end) ||
           (pc >= rt.language[1].start && pc < rt.language[1].end);
}

/* An address in a dynamic section. The loader has already added the bias, except for the
 * kernel's vDSO. */
static const void *dynamic_address(const struct dl_phdr_info *info, uint64_t value)
{
    return (const void *)(uintptr_t)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static bool same_text(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        ;
    return *a == *b;
}

/* Does one of the relocations refer to the function? */
static bool wants_function(const ElfW(Rela) * entry, uint64_t size, const ElfW(Sym) * symbols,
                           const char *names, const char *function)
{
    for (uint64_t i = 0; entry && i < size / sizeof *entry; i++)
        if (same_text(names + symbols[ELF64_R_SYM(entry[i].r_info)].st_name, function))
            return true;
    return false;
}

/* Does the module import the function from another module? Its own tables tell. */
static bool imports_function(const struct dl_phdr_info *info, const char *function)
{
    const ElfW(Dyn) *entry = NULL;
    const ElfW(Rela) *slots = NULL, *others = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    uint64_t slots_size = 0, others_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_JMPREL)
            slots = dynamic_address(info, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_PLTRELSZ)
            slots_size = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            others = dynamic_address(info, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_RELASZ)
            others_size = entry->d_un.d_val;
        else if (entry->d_tag == DT_SYMTAB)
            symbols = dynamic_address(info, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            names = dynamic_address(info, entry->d_un.d_ptr);
    }
    return symbols && names &&
           (wants_function(slots, slots_size, symbols, names, function) ||
            wants_function(others, others_size, symbols, names, function));
}

static bool is_known(const struct dl_phdr_info *info)
{
    for (uint32_t i = 0; i < rt.board->nmodules; i++)
        if (rt.board->module[i].bias == info->dlpi_addr)
            return true;
    return false;
}

/* Stores the full path: a library may be loaded as "./plugin.so", and the command runs in
 * another directory. */
static void note_path(struct board_module *module, const char *name)
{
    size_t length = 0;
    if (name[0] && name[0] != '/') {
        long got = raw_syscall2(SYS_getcwd, (long)module->path, BOARD_PATH - 1);
        length = got > 0 ? (size_t)got - 1 : 0;
        module->path[length++] = '/';
    }
    for (size_t i = 0; name[i] && length < BOARD_PATH - 1; i++)
        module->path[length++] = name[i];
    module->path[length] = 0;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    struct board *board = rt.board;
    if (is_known(info))
        return 0;
    if (board->nmodules == BOARD_MODULES) {
        limit_reached(LIMIT_AT_MODULES);
        return 0;
    }
    struct board_module *module = &board->module[board->nmodules];
    module->bias = info->dlpi_addr;
    module->start = UINT64_MAX;
    module->end = 0;
    module->tls_below = module->tls_size = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_TLS && info->dlpi_tls_data) {
            module->tls_below =
                fiber_thread_pointer() - (uint64_t)(uintptr_t)info->dlpi_tls_data;
            module->tls_size = segment->p_memsz;
        }
        if (segment->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (start < module->start)
            module->start = start;
        if (start + segment->p_memsz > module->end)
            module->end = start + segment->p_memsz;
    }
    if (board->nmodules == 0) {
        long length = raw_syscall4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
                                   (long)module->path, BOARD_PATH - 1);
        module->path[length > 0 ? length : 0] = 0;
        rt.image_start = module->start;
        rt.image_end = module->end + 4096;
    } else {
        note_path(module, info->dlpi_name);
    }
    /* Every instrumented file calls it. The caller's address would not tell which module this
     * is, since an optimising compiler turns that call into a jump. */
    module->instrumented = imports_function(info, "__tsan_init");
    rt.opens_streams |= module->instrumented && imports_function(info, "__overflow");
    if (module->instrumented) {
        must(rt.ninstrumented < INSTRUMENTED_MAX);
        rt.instrumented[rt.ninstrumented++] =
            (struct address_range){module->start, module->end};
    }
    note_language_support(module);
    uint64_t own = (uint64_t)(uintptr_t)note_module;
    if (own >= module->start && own < module->end)
        rt.own = (struct address_range){module->start, module->end};
    board->nmodules++;
    return 0;
}

void modules_note(void)
{
    dl_iterate_phdr(note_module, NULL);
}

/* Addresses serve as names, so a resumed search needs the same layout. */
uint64_t modules_layout(void)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < rt.board->nmodules; i++) {
        const struct board_module *module = &rt.board->module[i];
        hash = hash_join(hash_join(hash, module->start), module->end);
    }
    return hash;
}

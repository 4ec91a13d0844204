/* See elfcheck.h. Reads the file with libelf, which can handle damaged files. */
#define _GNU_SOURCE
#include "cli/build/elfcheck.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "host/buffer.h"

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#define OWN_NAME    "x86-64"
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#define OWN_NAME    "AArch64"
#else
#error "Mazur runs on x86-64 and AArch64"
#endif

/* What matters of the dynamic section. */
struct dynamic {
    bool present;
    bool needs_libtsan;
    bool needs_libasan;
    bool pie;
};

static void read_dynamic(Elf *elf, struct dynamic *dynamic)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Dyn entry;
        dynamic->present = true;
        for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
            if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE))
                dynamic->pie = true;
            if (entry.d_tag != DT_NEEDED)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (!name)
                continue;
            dynamic->needs_libtsan |= begins_with(name, "libtsan.");
            dynamic->needs_libasan |=
                begins_with(name, "libasan.") || begins_with(name, "libclang_rt.asan");
        }
    }
}

/* Does the program itself define the function? */
static bool defines_function(Elf *elf, const char *function)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Sym symbol;
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && symbol.st_shndx != SHN_UNDEF && strcmp(name, function) == 0)
                return true;
        }
    }
    return false;
}

static bool has_interpreter(Elf *elf)
{
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP)
            return true;
    }
    return false;
}

/* Why this ELF file can't be controlled, or NULL. */
static char *elf_reason(Elf *elf)
{
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return copy_text("is not an ELF program");
    if (header.e_machine != OWN_MACHINE || gelf_getclass(elf) != ELFCLASS64)
        return copy_text("is built for another processor; this Mazur runs 64-bit " OWN_NAME
                         " programs");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return copy_text(header.e_type == ET_REL
                             ? "is an object file; link it into a program first"
                             : "is an ELF file, but not a program");
    struct dynamic dynamic = {0};
    read_dynamic(elf, &dynamic);
    if (!has_interpreter(elf)) {
        if (header.e_type == ET_EXEC)
            return copy_text("is statically linked; Mazur's runtime is a shared library: link "
                             "the program dynamically (without -static)");
        if (dynamic.pie || !dynamic.present)
            return copy_text("is a static-pie program; Mazur's runtime is a shared library: "
                             "link the program dynamically (without -static-pie)");
        return copy_text("is a shared library, not a program");
    }
    if (dynamic.needs_libtsan)
        return copy_text("is linked with ThreadSanitizer's own runtime (libtsan); link without "
                         "-fsanitize=thread, as `mazur cc` does");
    if (!dynamic.needs_libasan && defines_function(elf, "__asan_init"))
        return copy_text(
            "has AddressSanitizer's runtime linked in, which takes the place of "
            "Mazur's: link with -shared-libasan (clang), without -static-libasan (gcc)");
    return NULL;
}

static char *content_reason(int descriptor)
{
    char begin[4] = {0};
    if (pread(descriptor, begin, sizeof begin, 0) < 0)
        return format_text("cannot be read: %s", strerror(errno));
    if (begin[0] == '#' && begin[1] == '!')
        return copy_text("is a script; run the program that it starts");
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    if (!elf)
        return copy_text("is not an ELF program");
    char *reason = elf_reason(elf);
    elf_end(elf);
    return reason;
}

static char *privilege_reason(const struct stat *status, int descriptor)
{
    if (status->st_mode & (S_ISUID | S_ISGID))
        return copy_text("is setuid or setgid; the kernel does not let Mazur control it");
    if (fgetxattr(descriptor, "security.capability", NULL, 0) > 0)
        return copy_text("has file capabilities; the kernel does not let Mazur control it");
    return NULL;
}

enum program_check program_check(const char *path, char **reason)
{
    struct stat status;
    *reason = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        *reason = copy_text(strerror(errno));
    } else if (S_ISDIR(status.st_mode)) {
        *reason = copy_text("is a directory");
    } else if (!S_ISREG(status.st_mode)) {
        *reason = copy_text("is not a regular file");
    } else if (access(path, X_OK) != 0) {
        *reason = copy_text("is not executable");
    }
    if (*reason) {
        if (descriptor >= 0)
            close(descriptor);
        return PROGRAM_MISSING;
    }
    *reason = privilege_reason(&status, descriptor);
    if (!*reason)
        *reason = content_reason(descriptor);
    close(descriptor);
    return *reason ? PROGRAM_INVALID : PROGRAM_GOOD;
}

bool program_uses_asan(const char *path)
{
    struct dynamic dynamic = {0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    if (elf)
        read_dynamic(elf, &dynamic);
    elf_end(elf);
    close(descriptor);
    return dynamic.needs_libasan;
}

/* The build-id note inside `data`, or NULL. */
static char *build_id_note(Elf_Data *data)
{
    GElf_Nhdr note;
    size_t name, description;
    for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &description)) > 0;) {
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
            memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
            continue;
        struct buffer text = {0};
        for (size_t i = 0; i < note.n_descsz; i++)
            buffer_printf(&text, "%02x", ((unsigned char *)data->d_buf)[description + i]);
        return buffer_take(&text);
    }
    return NULL;
}

char *program_build_id(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    char *found = NULL;
    for (Elf_Scn *section = NULL; elf && !found && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        Elf_Data *data;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE &&
            (data = elf_getdata(section, NULL)))
            found = build_id_note(data);
    }
    elf_end(elf);
    close(descriptor);
    return found;
}

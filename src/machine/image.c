/* See image.h. Read with libelf, which handles damaged files. */
#define _GNU_SOURCE
#include "machine/image.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool image_open(struct image *image, const struct board_module *module)
{
    elf_version(EV_CURRENT);
    *image = (struct image){.file = open(module->path, O_RDONLY | O_CLOEXEC)};
    image->bias = module->bias;
    image->elf = image->file >= 0 ? elf_begin(image->file, ELF_C_READ_MMAP, NULL) : NULL;
    image->bytes = image->elf ? (uint8_t *)elf_rawfile(image->elf, &image->size) : NULL;
    if (image->bytes && elf_kind(image->elf) == ELF_K_ELF)
        return true;
    image_close(image);
    return false;
}

void image_close(struct image *image)
{
    elf_end(image->elf);
    if (image->file >= 0)
        close(image->file);
    *image = (struct image){.file = -1};
}

const uint8_t *image_bytes(const struct image *image, uint64_t address, size_t size)
{
    size_t count = 0;
    uint64_t at = address - image->bias;
    if (elf_getphdrnum(image->elf, &count) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(image->elf, (int)i, &header) || header.p_type != PT_LOAD ||
            at < header.p_vaddr || at - header.p_vaddr >= header.p_filesz ||
            size > header.p_filesz - (at - header.p_vaddr))
            continue;
        uint64_t offset = header.p_offset + (at - header.p_vaddr);
        if (offset <= image->size && size <= image->size - offset)
            return image->bytes + offset;
    }
    return NULL;
}

bool image_section(const struct image *image, const char *name, GElf_Shdr *header)
{
    size_t names = 0;
    if (elf_getshdrstrndx(image->elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(image->elf, section));) {
        if (!gelf_getshdr(section, header))
            continue;
        const char *found = elf_strptr(image->elf, names, header->sh_name);
        if (found && strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* See c_image.h. */
#define _GNU_SOURCE
#include "promela/code/c_image.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PARTS_MOST 4 /* writable segments: linkers make one */

struct image_part {
    char *at, *copy;
    size_t size;
};

struct c_image {
    uintptr_t base;
    struct image_part parts[PARTS_MOST];
    int count;
};

/* The loader makes whole pages of this one read-only when it has relocated them. */
static uintptr_t fixed_until(const struct dl_phdr_info *info)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_GNU_RELRO)
            return (info->dlpi_addr + h->p_vaddr + h->p_memsz) & ~(page - 1);
    }
    return 0;
}

static int find_parts(struct dl_phdr_info *info, size_t size, void *context)
{
    struct c_image *image = context;
    (void)size;
    if (info->dlpi_addr != image->base)
        return 0;
    uintptr_t fixed = fixed_until(info);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_W))
            continue;
        if (from < fixed && fixed <= to)
            from = fixed;
        if (from < to && image->count < PARTS_MOST)
            image->parts[image->count++] =
                (struct image_part){.at = (char *)from, .size = (size_t)(to - from)};
    }
    return 1;
}

struct c_image *c_image_take(void *handle)
{
    struct link_map *map = NULL;
    struct c_image *image = calloc(1, sizeof *image);
    if (!image || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        free(image);
        return NULL;
    }
    image->base = (uintptr_t)map->l_addr;
    dl_iterate_phdr(find_parts, image);
    for (int i = 0; i < image->count; i++) {
        struct image_part *p = &image->parts[i];
        p->copy = malloc(p->size);
        if (!p->copy) {
            c_image_free(image);
            return NULL;
        }
        memcpy(p->copy, p->at, p->size);
    }
    return image;
}

void c_image_restore(const struct c_image *image)
{
    for (int i = 0; i < image->count; i++)
        memcpy(image->parts[i].at, image->parts[i].copy, image->parts[i].size);
}

void c_image_free(struct c_image *image)
{
    for (int i = 0; image && i < image->count; i++)
        free(image->parts[i].copy);
    free(image);
}

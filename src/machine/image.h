/* The file of a module that the child has mapped, read as code. Addresses are those of the
 * child. A file that has changed or is damaged gives no bytes, and never a read out of
 * bounds. */
#ifndef MAZUR_MACHINE_IMAGE_H
#define MAZUR_MACHINE_IMAGE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

struct image {
    int file;
    Elf *elf;
    const uint8_t *bytes; /* the whole file */
    size_t size;
    uint64_t bias;
};

/* False if there is no such file, or it is not an ELF file; then nothing needs closing. */
bool image_open(struct image *image, const struct board_module *module);
void image_close(struct image *image);
/* The bytes [address, address + size) from the file, or NULL if they are not all there. */
const uint8_t *image_bytes(const struct image *image, uint64_t address, size_t size);
/* The section with that name; its addresses are still the file's own (without bias). */
bool image_section(const struct image *image, const char *name, GElf_Shdr *header);

#endif

/* Included before everything else in the runtime (see the Makefile): redirects the compiler's
 * own calls of the memory functions to private versions, because libmazur.so exports hooks
 * under the public names and must not call its own hooks. */
#ifndef MAZUR_RUNTIME_RAWMEM_H
#define MAZUR_RUNTIME_RAWMEM_H

#include <stddef.h>
#include <stdint.h>

void *rawmem_copy(void *to, const void *from, size_t size);
void *rawmem_move(void *to, const void *from, size_t size);
void *rawmem_set(void *to, int byte, size_t size);
int rawmem_compare(const void *a, const void *b, size_t size);
size_t rawmem_length(const char *text);
size_t rawmem_wide_length(const wchar_t *text, size_t limit);
int rawmem_compare_strings(const char *a, const char *b);

/* Only the file that defines the hooks keeps the names. */
#ifndef RAWMEM_KEEP_NAMES
__asm__(".set memcpy, rawmem_copy");
__asm__(".set memmove, rawmem_move");
__asm__(".set memset, rawmem_set");
__asm__(".set memcmp, rawmem_compare");
__asm__(".set strlen, rawmem_length");
__asm__(".set strcmp, rawmem_compare_strings");
#endif

#endif

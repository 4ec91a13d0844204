/* Included before everything else in the runtime (see the Makefile): the compiler's own calls
 * to the memory functions go to private versions, because libmazur.so exports hooks under the
 * public names and must not call itself. */
#ifndef MAZUR_RUNTIME_RAWMEM_H
#define MAZUR_RUNTIME_RAWMEM_H

#ifndef RAWMEM_KEEP_NAMES
__asm__(".set memcpy, rawmem_copy");
__asm__(".set memmove, rawmem_move");
__asm__(".set memset, rawmem_set");
__asm__(".set memcmp, rawmem_compare");
__asm__(".set strlen, rawmem_length");
__asm__(".set strcmp, rawmem_compare_strings");
#endif

#endif

/* The mappings of the process, as the kernel tells them. */
#ifndef MAZUR_RUNTIME_MAPS_H
#define MAZUR_RUNTIME_MAPS_H

#include <stddef.h>
#include <stdint.h>

struct maps_line {
    uint64_t start, end;
    char permissions[5];
    const char *path; /* into the buffer, terminated; "" when anonymous */
};

/* In the order of their addresses. `visit` may change mappings; what it changes may or may not
 * be told. */
void maps_each(void (*visit)(const struct maps_line *, void *), void *context);

#endif

/* The mappings of the process, as the kernel lists them. */
#ifndef MAZUR_RUNTIME_MAPS_H
#define MAZUR_RUNTIME_MAPS_H

#include <stdint.h>

struct maps_line {
    uint64_t start, end;
    char permissions[5];
    const char *path; /* points into the buffer, terminated; "" if anonymous */
};

/* Visits the mappings in the order of their addresses. `visit` may change mappings; it may or
 * may not see its changes. */
void maps_each(void (*visit)(const struct maps_line *, void *), void *context);

#endif

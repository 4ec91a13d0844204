/* One byte per stored state: what a depth-first search notes about it (on the stack, left, …).
 */
#ifndef MAZUR_PROMELA_MARKS_H
#define MAZUR_PROMELA_MARKS_H

#include "promela/verifier.h"

#include <stdlib.h>
#include <string.h>

struct marks {
    u8 *bytes[STORE_CLASSES];
    u32 room[STORE_CLASSES];
};

/* Zero at first. The pointer is good until the next call. */
static inline u8 *marks_at(struct marks *marks, u32 height, u32 index)
{
    if (__builtin_expect(index >= marks->room[height], 0)) {
        u32 room = marks->room[height] == 0 ? 4096 : marks->room[height];
        while (room <= index)
            room *= 2;
        u8 *bytes = realloc(marks->bytes[height], room);
        if (bytes == NULL)
            abort();
        memset(bytes + marks->room[height], 0, room - marks->room[height]);
        marks->bytes[height] = bytes;
        marks->room[height] = room;
    }
    return &marks->bytes[height][index];
}

static inline void marks_free(struct marks *marks)
{
    for (int h = 0; h < STORE_CLASSES; h++)
        free(marks->bytes[h]);
    memset(marks, 0, sizeof *marks);
}

#endif

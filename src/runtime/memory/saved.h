/* The state of an execution at a checkpoint (driver/path.c), as a sequence of pieces: whoever
 * saves some adds them one after the other, and takes them in the same order to put them back.
 */
#ifndef MAZUR_RUNTIME_SAVED_H
#define MAZUR_RUNTIME_SAVED_H

#include <stdbool.h>
#include <stddef.h>

struct saved {
    char *at;
    char *end;
    bool full; /* there was no room for something */
};

/* Room for the next piece; NULL: there is none. */
static inline void *saved_room(struct saved *saved, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (saved->full || size > (size_t)(saved->end - saved->at)) {
        saved->full = true;
        return NULL;
    }
    char *room = saved->at;
    saved->at += size;
    return room;
}

static inline void saved_add(struct saved *saved, const void *from, size_t size)
{
    void *room = saved_room(saved, size);
    if (room)
        __builtin_memcpy(room, from, size);
}

static inline const void *saved_next(struct saved *saved, size_t size)
{
    const void *piece = saved->at;
    saved->at += (size + 15) & ~(size_t)15;
    return piece;
}

static inline void saved_take(struct saved *saved, void *to, size_t size)
{
    __builtin_memcpy(to, saved_next(saved, size), size);
}

#endif

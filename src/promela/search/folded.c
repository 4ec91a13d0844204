/* Choices in seven bits per byte, lowest first. See folded.h. */
#include "promela/search/folded.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"

#define MORE         0x80u
#define CHOICE_BYTES 5u /* at most */

bool folded_reserve(struct folded *f, size_t size, uint32_t choices)
{
    size_t needed =
        f->used + sizeof(struct folded_head) + size + (size_t)choices * CHOICE_BYTES;
    if (needed <= f->room)
        return true;
    size_t room = needed + f->room / 8;
    uint8_t *bytes = realloc(f->bytes, room);
    if (!bytes)
        return false;
    f->bytes = bytes;
    f->room = room;
    return true;
}

void folded_begin(struct folded *f, struct folded_head head, const uint8_t *vector)
{
    head.before = f->last;
    f->last = f->used;
    memcpy(f->bytes + f->used, &head, sizeof head);
    memcpy(f->bytes + f->used + sizeof head, vector, head.size);
    f->used += sizeof head + head.size;
}

void folded_choice(struct folded *f, uint32_t choice)
{
    for (; choice >= MORE; choice >>= 7)
        f->bytes[f->used++] = (uint8_t)(choice | MORE);
    f->bytes[f->used++] = (uint8_t)choice;
}

struct folded_head folded_read_head(const struct folded *f, size_t *at, uint8_t *vector)
{
    struct folded_head head;
    memcpy(&head, f->bytes + *at, sizeof head);
    if (vector)
        memcpy(vector, f->bytes + *at + sizeof head, head.size);
    *at += sizeof head + head.size;
    return head;
}

uint32_t folded_read_choice(const struct folded *f, size_t *at)
{
    uint32_t choice = 0, shift = 0, byte;
    do {
        byte = f->bytes[(*at)++];
        choice |= (byte & (MORE - 1)) << shift;
        shift += 7;
    } while (byte & MORE);
    return choice;
}

void folded_put(struct folded *f, size_t at, size_t before, const uint8_t *segment, size_t size)
{
    memmove(f->bytes + at, segment, size);
    memcpy(f->bytes + at + offsetof(struct folded_head, before), &before, sizeof before);
}

void folded_drop(struct folded *f)
{
    size_t at = f->last;
    must(f->used > f->last);
    f->used = f->last;
    f->last = folded_read_head(f, &at, NULL).before;
}

void folded_free(struct folded *f)
{
    free(f->bytes);
    *f = (struct folded){0};
}

/* The work queue (workqueue.h). Numbers are stored seven bits to a byte, low bits first. */
#include "explore/exhaustive/workqueue.h"

#include <string.h>

#include "base/must.h"

void workqueue_init(struct workqueue *queue, struct pool *pool, size_t memory_limit)
{
    memset(queue, 0, sizeof *queue);
    queue->pool = pool;
    spill_init(&queue->spill, pool, memory_limit);
}

/* `bytes` is either of the two byte vectors: they have the same anonymous layout. */
#define number_put(queue, bytes, number)                                                       \
    do {                                                                                       \
        uint32_t rest_ = (number);                                                             \
        for (; rest_ >= 128; rest_ >>= 7)                                                      \
            *vector_add((queue)->pool, (bytes)) = (uint8_t)(rest_ | 128);                      \
        *vector_add((queue)->pool, (bytes)) = (uint8_t)rest_;                                  \
    } while (0)

static uint32_t number_get(const uint8_t *bytes, uint32_t *cursor)
{
    uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = bytes[(*cursor)++];
        number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

void workqueue_offer(struct workqueue *queue, uint32_t position, uint32_t situation,
                     const threadset *others)
{
    uint32_t base = queue->offers.count ? queue->last_offered : 0;
    uint32_t count = (uint32_t)threadset_count(others);
    number_put(queue, &queue->offers, position - base);
    for (int i = 0; i < 4; i++)
        *vector_add(queue->pool, &queue->offers) = (uint8_t)(situation >> (8 * i));
    number_put(queue, &queue->offers, count);
    for (int tid = threadset_next(others, 0); tid >= 0; tid = threadset_next(others, tid + 1))
        number_put(queue, &queue->offers, (uint32_t)tid);
    queue->last_offered = position;
    queue->offered += count;
}

/* Frames [0, last_offered) as runs. */
static void encode_path(struct workqueue *queue, const struct tree *tree)
{
    const struct tree_frame *frame = tree->frames.item;
    queue->path.count = 0;
    for (uint32_t i = 0; i < queue->last_offered;) {
        uint32_t chosen = frame[i].chosen;
        if (chosen & SCHEDULE_CHOICE) {
            number_put(queue, &queue->path, (chosen & ~SCHEDULE_CHOICE) << 1 | 1);
            i++;
            continue;
        }
        uint32_t run = 1;
        while (i + run < queue->last_offered && frame[i + run].chosen == chosen)
            run++;
        number_put(queue, &queue->path, chosen << 1);
        number_put(queue, &queue->path, run);
        i += run;
    }
}

void workqueue_push(struct workqueue *queue, uint32_t phase, const struct tree *tree)
{
    if (queue->offers.count == 0)
        return;
    encode_path(queue, tree);
    struct workqueue_header header = {phase, queue->path.count, queue->offers.count};
    spill_push(&queue->spill, &header, sizeof header);
    spill_push(&queue->spill, queue->path.item, queue->path.count);
    spill_push(&queue->spill, queue->offers.item, queue->offers.count);
    queue->offers.count = 0;
}

static void decode_path(struct workqueue *queue)
{
    queue->prefix.count = 0;
    for (uint32_t cursor = 0; cursor < queue->path.count;) {
        uint32_t token = number_get(queue->path.item, &cursor);
        uint32_t run = token & 1 ? 1 : number_get(queue->path.item, &cursor);
        uint32_t chosen = token & 1 ? SCHEDULE_CHOICE | token >> 1 : token >> 1;
        while (run-- > 0)
            *vector_add(queue->pool, &queue->prefix) = chosen;
    }
}

bool workqueue_load(struct workqueue *queue)
{
    struct workqueue_header header;
    if (!spill_pop(&queue->spill, &header, sizeof header))
        return false;
    vector_reserve(queue->pool, &queue->path, header.path_size);
    vector_reserve(queue->pool, &queue->record, header.offers_size);
    if (!spill_pop(&queue->spill, queue->path.item, header.path_size) ||
        !spill_pop(&queue->spill, queue->record.item, header.offers_size))
        return false;
    queue->current = header;
    queue->path.count = header.path_size;
    queue->record.count = header.offers_size;
    queue->read = queue->position = queue->remaining = 0;
    decode_path(queue);
    return true;
}

bool workqueue_next(struct workqueue *queue, struct workqueue_item *item)
{
    const uint8_t *bytes = queue->record.item;
    if (queue->remaining == 0) {
        if (queue->read == queue->record.count)
            return false;
        queue->position += number_get(bytes, &queue->read);
        queue->situation = 0;
        for (int i = 0; i < 4; i++)
            queue->situation |= (uint32_t)bytes[queue->read++] << (8 * i);
        queue->remaining = number_get(bytes, &queue->read);
    }
    queue->remaining--;
    item->position = queue->position;
    item->situation = queue->situation;
    item->tid = number_get(bytes, &queue->read);
    must(queue->read <= queue->record.count);
    return true;
}

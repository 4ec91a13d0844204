/* Rows of labels, one array per height of the store, indexed as the store's roots are. */
#include "promela/labels.h"

#include <stdlib.h>
#include <string.h>

static size_t row_size(const struct labels *labels)
{
    return sizeof(struct label_row) + 2 * labels->words * sizeof(u64);
}

static struct label_row *row_at(struct labels *labels, u32 height, u32 index)
{
    return (struct label_row *)(labels->rows[height] + (size_t)index * row_size(labels));
}

static u64 *met(struct label_row *row)
{
    return (u64 *)(row + 1);
}

/* All rows to four words per set. */
static void widen(struct labels *labels)
{
    struct labels wide = {.words = 4};
    for (u32 h = 0; h < STORE_CLASSES; h++) {
        if (labels->rows[h] == NULL)
            continue;
        wide.room[h] = labels->room[h];
        wide.rows[h] = calloc(wide.room[h], row_size(&wide));
        if (wide.rows[h] == NULL) {
            labels->failed = true;
            labels_free_all(&wide);
            return;
        }
        for (u32 i = 0; i < wide.room[h]; i++) {
            struct label_row *from = row_at(labels, h, i), *to = row_at(&wide, h, i);
            *to = *from;
            met(to)[0] = met(from)[0];
            met(to)[4] = met(from)[1];
        }
    }
    bool failed = labels->failed;
    labels_free_all(labels);
    *labels = wide;
    labels->failed = failed;
}

void labels_room(struct labels *labels, u32 height, u32 index)
{
    if (labels->words == 0)
        labels->words = 1;
    u32 room = labels->room[height];
    if (index < room)
        return;
    u32 larger = room == 0 ? 1024 : room;
    while (larger <= index)
        larger *= 2;
    u8 *rows = realloc(labels->rows[height], (size_t)larger * row_size(labels));
    if (rows == NULL) {
        labels->failed = true;
        abort(); /* the caller's limits keep this from happening before memory is gone */
    }
    memset(rows + (size_t)room * row_size(labels), 0,
           (size_t)(larger - room) * row_size(labels));
    labels->rows[height] = rows;
    labels->room[height] = larger;
}

static bool test_and_set(struct labels *labels, u64 *set, u32 pid)
{
    (void)labels;
    u64 bit = (u64)1 << (pid & 63);
    bool was = (set[pid >> 6] & bit) != 0;
    set[pid >> 6] |= bit;
    return was;
}

enum label_result labels_visit(struct labels *labels, u32 height, u32 index, u32 pid, u32 count)
{
    if (pid >= 64 && labels->words == 1)
        widen(labels);
    struct label_row *row = row_at(labels, height, index);
    if (row->count == 0) {
        row->count = count + 1;
        test_and_set(labels, met(row), pid);
        return LABEL_NEW_STATE;
    }
    if (row->count - 1 < count)
        return LABEL_DOMINATED;
    return test_and_set(labels, met(row), pid) ? LABEL_DOMINATED : LABEL_NEW_PROCESS;
}

bool labels_seed(struct labels *labels, u32 height, u32 index, u32 pid, u32 count)
{
    if (pid >= 64 && labels->words == 1)
        widen(labels);
    struct label_row *row = row_at(labels, height, index);
    if (row->count != 0 && row->count - 1 < count)
        return false;
    u64 *seeds = met(row) + labels->words;
    if (row->seed != count + 1) {
        row->seed = count + 1;
        memset(seeds, 0, labels->words * sizeof *seeds);
    }
    return !test_and_set(labels, seeds, pid);
}

bool labels_first(struct labels *labels, u32 height, u32 index)
{
    struct label_row *row = row_at(labels, height, index);
    bool first = !row->expanded;
    row->expanded = 1;
    return first;
}

bool labels_free(struct labels *labels, u32 height, u32 index)
{
    struct label_row *row = row_at(labels, height, index);
    bool first = !row->expanded_free;
    row->expanded_free = 1;
    return first;
}

size_t labels_bytes(const struct labels *labels)
{
    size_t rows = 0;
    for (int h = 0; h < STORE_CLASSES; h++)
        rows += labels->room[h];
    return rows * row_size(labels);
}

void labels_free_all(struct labels *labels)
{
    for (int h = 0; h < STORE_CLASSES; h++)
        free(labels->rows[h]);
    memset(labels->rows, 0, sizeof labels->rows);
    memset(labels->room, 0, sizeof labels->room);
}

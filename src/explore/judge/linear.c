/* See linear.h. The table is only added to, lives in shared memory, and holds no pointers.
 *
 * Invariant: two histories with the same calls and results in each thread have the same
 * projection, so the candidates for an explanation are in one chain; they are compared in full,
 * no hash decides. */
#include "explore/judge/linear.h"

#include "base/hash.h"

/* --- Names --- */

static uint32_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; text[i] && i < LINEAR_TEXT - 1; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(hash >> 32);
}

static bool same_text(const char *known, const char *text)
{
    uint32_t i = 0;
    while (i < LINEAR_TEXT - 1 && text[i] && known[i] == text[i])
        i++;
    return known[i] == (i < LINEAR_TEXT - 1 ? text[i] : 0);
}

/* The empty text has number 0; any other one is where its hash leads. */
uint32_t linear_name(struct linear_table *table, const char *text)
{
    if (text[0] == 0)
        return 0;
    uint32_t at = text_hash(text) % LINEAR_NAMES;
    for (uint32_t tried = 0; tried < LINEAR_NAMES; tried++, at = (at + 1) % LINEAR_NAMES) {
        char *known = table->name[at];
        if (at == 0)
            continue;
        if (known[0] == 0)
            for (uint32_t i = 0; text[i] && i < LINEAR_TEXT - 1; i++)
                known[i] = text[i];
        if (same_text(known, text))
            return at;
    }
    table->full = true;
    return 0;
}

/* --- Serial histories --- */

static uint64_t hash_operation(uint64_t seed, const struct linear_operation *item)
{
    seed = hash_join(seed, ((uint64_t)item->tid << 32) | item->operation);
    return hash_join(seed, ((uint64_t)item->arguments << 32) | item->result);
}

/* The sum over threads of what each did, in its own order. */
static uint64_t projection_of(const struct linear_history *history)
{
    uint64_t sum = history->count;
    for (uint32_t i = 0; i < history->count; i++) {
        uint32_t earlier = 0;
        for (uint32_t j = 0; j < i; j++)
            earlier += history->item[j].tid == history->item[i].tid;
        sum += hash_mix(hash_operation(earlier + 1, &history->item[i]));
    }
    return sum;
}

static bool same_operation(const struct linear_operation *a, const struct linear_operation *b)
{
    return a->tid == b->tid && a->operation == b->operation && a->arguments == b->arguments &&
           a->result == b->result;
}

/* The histories that may have this projection: a chain that only leads to earlier ones, so
 * following it ends even in a damaged table. */
static uint32_t chain_first(const struct linear_table *table, uint64_t projection)
{
    uint32_t at = table->bucket[projection % LINEAR_HISTORIES];
    return at <= table->nhistories && at <= LINEAR_HISTORIES ? at : 0;
}

static uint32_t chain_next(const struct linear_table *table, uint32_t at)
{
    uint32_t next = table->history[at - 1].next;
    return next < at ? next : 0;
}

static bool is_whole(const struct linear_serial *serial)
{
    return serial->count <= LINEAR_OPERATIONS && serial->first <= LINEAR_ENTRIES &&
           serial->count <= LINEAR_ENTRIES - serial->first;
}

static bool is_known(const struct linear_table *table, const struct linear_history *history,
                     uint64_t projection, uint64_t sequence)
{
    for (uint32_t at = chain_first(table, projection); at; at = chain_next(table, at)) {
        const struct linear_serial *serial = &table->history[at - 1];
        if (serial->projection != projection || serial->sequence != sequence ||
            serial->count != history->count)
            continue;
        uint32_t i = 0;
        while (i < history->count &&
               same_operation(&table->entry[serial->first + i], &history->item[i]))
            i++;
        if (i == history->count)
            return true;
    }
    return false;
}

void linear_add(struct linear_table *table, const struct linear_history *history)
{
    uint64_t projection = projection_of(history);
    uint64_t sequence = 0;
    for (uint32_t i = 0; i < history->count; i++)
        sequence = hash_operation(sequence, &history->item[i]);
    if (is_known(table, history, projection, sequence))
        return;
    if (table->nhistories == LINEAR_HISTORIES ||
        LINEAR_ENTRIES - table->nentries < history->count) {
        table->full = true;
        return;
    }
    uint32_t *bucket = &table->bucket[projection % LINEAR_HISTORIES];
    struct linear_serial *serial = &table->history[table->nhistories++];
    *serial = (struct linear_serial){.projection = projection,
                                     .sequence = sequence,
                                     .first = table->nentries,
                                     .count = history->count,
                                     .next = *bucket};
    *bucket = table->nhistories;
    for (uint32_t i = 0; i < history->count; i++)
        table->entry[table->nentries++] = history->item[i];
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
    return value < limit ? value : limit;
}

void linear_copy(struct linear_table *to, const struct linear_table *from)
{
    to->nhistories = at_most(from->nhistories, LINEAR_HISTORIES);
    to->nentries = at_most(from->nentries, LINEAR_ENTRIES);
    to->full = from->full;
    for (uint32_t i = 0; i < LINEAR_NAMES; i++)
        for (uint32_t j = 0; j < LINEAR_TEXT && from->name[i][j]; j++)
            to->name[i][j] = from->name[i][j];
    for (uint32_t i = 0; i < to->nhistories; i++) {
        uint32_t bucket = (uint32_t)(from->history[i].projection % LINEAR_HISTORIES);
        to->history[i] = from->history[i];
        to->history[i].next = to->bucket[bucket];
        to->bucket[bucket] = i + 1;
    }
    for (uint32_t i = 0; i < to->nentries; i++)
        to->entry[i] = from->entry[i];
}

/* --- Explanations --- */

/* Matches the k-th operation of each thread with the k-th of the same thread: fills place[] by
 * index of the concurrent history. False: the calls differ (or, with `results`, the
 * results). */
static bool match_calls(const struct linear_history *history,
                        const struct linear_operation *serial, uint32_t count, bool results,
                        uint32_t *place)
{
    uint64_t taken = 0;
    if (count != history->count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct linear_operation *item = &history->item[i];
        uint32_t at = 0;
        while (at < count && (serial[at].tid != item->tid || (taken >> at & 1)))
            at++;
        if (at == count || serial[at].operation != item->operation ||
            serial[at].arguments != item->arguments ||
            (results && serial[at].result != item->result))
            return false;
        taken |= UINT64_C(1) << at;
        place[i] = at;
    }
    return true;
}

/* Does the serial order keep the order of operations that did not overlap? An operation must
 * not come after one that began when the first had already ended. */
static bool keeps_order(const struct linear_history *history, const uint32_t *place)
{
    uint32_t at[LINEAR_OPERATIONS];
    uint32_t latest_begin = 0;
    for (uint32_t i = 0; i < history->count; i++)
        at[place[i]] = i;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct linear_operation *item = &history->item[at[i]];
        if (i > 0 && item->end < latest_begin)
            return false;
        if (item->begin > latest_begin)
            latest_begin = item->begin;
    }
    return true;
}

bool linear_same_calls(const struct linear_history *history,
                       const struct linear_operation *serial, uint32_t count, uint32_t *place)
{
    return match_calls(history, serial, count, false, place) && keeps_order(history, place);
}

bool linear_explains(const struct linear_table *table, const struct linear_history *history)
{
    uint32_t place[LINEAR_OPERATIONS];
    uint64_t projection = projection_of(history);
    for (uint32_t at = chain_first(table, projection); at; at = chain_next(table, at)) {
        const struct linear_serial *serial = &table->history[at - 1];
        if (serial->projection == projection && is_whole(serial) &&
            match_calls(history, &table->entry[serial->first], serial->count, true, place) &&
            keeps_order(history, place))
            return true;
    }
    return false;
}

/* The history with one pending operation (by index) and without the others. */
static void linear_with_pending(const struct linear_history *history, uint32_t pending,
                                struct linear_history *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < history->count; i++)
        if (history->item[i].end != LINEAR_PENDING || i == pending)
            out->item[out->count++] = history->item[i];
}

int linear_unexplained(const struct linear_table *table, const struct linear_history *history)
{
    struct linear_history one;
    for (uint32_t i = 0; i < history->count; i++) {
        if (history->item[i].end != LINEAR_PENDING)
            continue;
        linear_with_pending(history, i, &one);
        if (!linear_explains(table, &one))
            return (int)i;
    }
    return -1;
}

/* Incremental hashing of happens-before graphs (the idea of paper 000, section 3.3: a
 * state is its happens-before graph, and a graph can be hashed action by action).
 *
 * The hash of an event covers what it is (thread, index in its thread, operation, data
 * choices) and the hashes of the events that it directly follows:
 *
 *        thread's previous event
 *        the last global event
 *        per object:  last write ─┐            a write follows both and becomes the last
 *                     Σ reads  ───┴─▶ event    write; a read follows the write and is added
 *        (a global event: Σ of all threads' last events)
 *
 * Reads between two writes commute, so they enter as a sum. The class of an execution is the
 * sum over the threads' last events: every event is in the past of one of them.
 *
 * Invariant: dependence here is op_dependent(): an operation without OP_WRITES behaves as a
 * read of its objects, one with OP_GLOBAL as a write of everything. */
#include "explore/world/hb.h"

#include <string.h>

#include "base/must.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The flags that belong to the event. The others describe the pending form or, like OP_SPINS,
 * how the world recognised the event: they may differ between equal events. */
#define EVENT_FLAGS (OP_READS | OP_WRITES | OP_GLOBAL | OP_TIMED_OUT | OP_FAILED)

struct hb_object {
    struct hash128 write;
    struct hash128 reads;
};

static const struct hash128 zero;

static inline bool is_zero(struct hash128 hash)
{
    return (hash.low | hash.high) == 0;
}

void hb_init(struct hb *hb, struct pool *pool)
{
    memset(hb, 0, sizeof *hb);
    hb->pool = pool;
    table_init_stamped(&hb->objects, pool, sizeof(struct hb_object));
}

void hb_begin(struct hb *hb)
{
    table_clear(&hb->objects);
    if (hb->threads.count)
        memset(hb->threads.item, 0, hb->threads.count * sizeof *hb->threads.item);
    hb->sum = hb->global = hb->choices = zero;
    hb->past.count = hb->changes.count = 0;
}

/* --- Going back --- */

static void note_past(struct hb *hb, int tid)
{
    *vector_add(hb->pool, &hb->past) = (struct hb_past){
        .last = hb->threads.item[tid].last, .tid = (uint32_t)tid, .changes = hb->changes.count};
}

static void note_change(struct hb *hb, uint64_t object, const struct hb_object *before)
{
    *vector_add(hb->pool, &hb->changes) =
        (struct hb_change){object, before->write, before->reads};
}

struct hb_mark hb_mark(const struct hb *hb)
{
    return (struct hb_mark){hb->sum, hb->global, hb->choices, hb->past.count};
}

static void undo_step(struct hb *hb)
{
    const struct hb_past *past = &hb->past.item[--hb->past.count];
    struct hb_thread *thread = &hb->threads.item[past->tid];
    thread->last = past->last;
    thread->events--;
    while (hb->changes.count > past->changes) {
        const struct hb_change *change = &hb->changes.item[--hb->changes.count];
        struct hb_object *object = table_get(&hb->objects, change->object, 0);
        *object = (struct hb_object){change->write, change->reads};
    }
}

void hb_go_back(struct hb *hb, const struct hb_mark *mark)
{
    must(hb->keeps && hb->past.count >= mark->steps);
    while (hb->past.count > mark->steps)
        undo_step(hb);
    hb->sum = mark->sum;
    hb->global = mark->global;
    hb->choices = mark->choices;
}

void hb_choice(struct hb *hb, int n, int value)
{
    hash128_join(&hb->choices, (uint64_t)n << 32 | (uint32_t)value);
}

static struct hb_thread *thread_of(struct hb *hb, int tid)
{
    while (hb->threads.count <= (uint32_t)tid)
        memset(vector_add(hb->pool, &hb->threads), 0, sizeof(struct hb_thread));
    return &hb->threads.item[tid];
}

/* What an event's hash covers, as words in a fixed order: its own identity, then the hashes of
 * what it follows. */
struct event_words {
    uint32_t count;
    uint64_t word[10 + OP_OBJECTS * 5];
};

static inline void cover_word(struct event_words *words, uint64_t word)
{
    words->word[words->count++] = word;
}

static inline void cover_hash(struct event_words *words, struct hash128 hash)
{
    cover_word(words, hash.low);
    cover_word(words, hash.high);
}

/* The entries of an operation's objects. Adding one may move the others, so they are all added
 * first. */
static void find_objects(struct hb *hb, const struct op *op, struct hb_object **entry)
{
    for (int i = 0; i < op->nobjects; i++)
        entry[i] = table_put(&hb->objects, op->object[i], 0, NULL);
    for (int i = 0; i + 1 < op->nobjects; i++)
        entry[i] = table_get(&hb->objects, op->object[i], 0);
    for (int i = 0; hb->keeps && i < op->nobjects; i++)
        note_change(hb, op->object[i], entry[i]);
}

/* Objects of one operation enter in the order in which it names them. */
static void follow_objects(const struct op *op, struct hb_object **entry,
                           struct event_words *words)
{
    for (int i = 0; i < op->nobjects; i++) {
        cover_word(words, op->object[i]);
        cover_hash(words, entry[i]->write);
        if (op_writes(op, i))
            cover_hash(words, entry[i]->reads);
    }
}

static struct hash128 hash_words(const struct event_words *words)
{
    must(words->count <= sizeof words->word / sizeof words->word[0]);
    XXH128_hash_t hash = XXH3_128bits(words->word, words->count * sizeof words->word[0]);
    uint64_t low = hash.low64, high = hash.high64;
    /* Stays in registers: gcc would store two words and load them as one vector, for which the
     * processor waits. It was 4 % of a search of small executions. */
    __asm__("" : "+r"(low), "+r"(high));
    return (struct hash128){low, high};
}

static void touch_objects(const struct op *op, struct hb_object **entry, struct hash128 event)
{
    for (int i = 0; i < op->nobjects; i++) {
        if (op_writes(op, i)) {
            entry[i]->write = event;
            entry[i]->reads = zero;
        } else {
            hash128_add(&entry[i]->reads, event);
        }
    }
}

struct hash128 hb_step(struct hb *hb, int tid, const struct op *op)
{
    struct hb_thread *thread = thread_of(hb, tid);
    struct hb_object *entry[OP_OBJECTS];
    struct event_words words;
    words.count = 0;
    cover_word(&words, (uint64_t)tid << 32 | thread->events++);
    /* Most steps have no choice and follow no global operation: a bit says which of the two is
     * included. */
    bool chose = !is_zero(hb->choices), follows_global = !is_zero(hb->global);
    cover_word(&words, (uint64_t)op->kind << 32 | (uint32_t)op->only_read << 24 |
                           (op->flags & EVENT_FLAGS) << 8 | op->nobjects |
                           (uint64_t)chose << 62 | (uint64_t)follows_global << 63);
    cover_hash(&words, thread->last);
    if (chose)
        cover_hash(&words, hb->choices);
    if (follows_global)
        cover_hash(&words, hb->global);
    if (op->flags & OP_GLOBAL)
        cover_hash(&words, hb->sum);
    if (hb->keeps)
        note_past(hb, tid);
    find_objects(hb, op, entry);
    follow_objects(op, entry, &words);
    struct hash128 event = hash_words(&words);
    touch_objects(op, entry, event);
    if (op->flags & OP_GLOBAL)
        hb->global = event;
    hash128_subtract(&hb->sum, thread->last);
    hash128_add(&hb->sum, event);
    thread->last = event;
    hb->choices = zero;
    return event;
}

struct hash128 hb_class(const struct hb *hb)
{
    struct event_words words;
    words.count = 0;
    cover_hash(&words, hb->sum);
    cover_hash(&words, hb->choices);
    return hash_words(&words);
}

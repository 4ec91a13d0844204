/* Chunks of records, and the hash table over them. See store.h and store_inside.h. */
#include <stdlib.h>
#include <sys/mman.h>

#include "promela/store/store_inside.h"

#define CHUNKS      (STORE_LIMIT / STORE_CHUNK)
#define ARENA_SLACK ((size_t)4 << 20) /* beyond the limit: chunks are counted when opened */
#define ARENA_LEAST ((size_t)16 << 20)
#define FIRST_SLOTS 4096u
#define FIRST_BITS  18         /* of a number in a slot */
#define LINE        16u        /* slots of a cache line; a table is a multiple of it */
#define HUGE_PAGE   (2u << 20) /* tables larger than this ask for huge pages */
#define SMALL_TABLE (1u << 18)
#define LARGE_TABLE (1u << 20)
#define FLUSH       32u /* states that a worker adds before it tells the others */

static void *reserve(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void store_set_full(struct store *store)
{
    atomic_store(&store->full, true);
}

/* Whole huge pages, else the system does not put the table where one can begin. */
static size_t slots_size(u64 count)
{
    size_t size = count * sizeof(u32);
    return size < HUGE_PAGE ? size : (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

static _Atomic u32 *new_slots(u64 count)
{
    size_t size = slots_size(count);
    void *slots = reserve(size);
    if (slots != NULL && size >= HUGE_PAGE)
        madvise(slots, size, MADV_HUGEPAGE);
    return slots;
}

/* As much as the limit allows, or as the system lets us have address space for. */
static void reserve_arena(struct store *store)
{
    store->arena_size = (store->memory + ARENA_SLACK) & ~(size_t)(HUGE_PAGE - 1);
    while ((store->arena = reserve(store->arena_size)) == NULL &&
           store->arena_size > ARENA_LEAST)
        store->arena_size = (store->arena_size / 2) & ~(size_t)(HUGE_PAGE - 1);
}

struct store *store_create(size_t memory_limit, struct crew *crew, u32 extra)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return NULL;
    store->crew = crew;
    store->extra = extra;
    store->memory = memory_limit;
    atomic_init(&store->limit, memory_limit);
    store->writer_count = atomic_load(&crew->size);
    store->writers = calloc((size_t)store->writer_count, sizeof(struct store_writer *));
    store->chunks = reserve(CHUNKS * sizeof *store->chunks);
    reserve_arena(store);
    store->slot_count = FIRST_SLOTS;
    store->number_bits = FIRST_BITS;
    store->slots = new_slots(FIRST_SLOTS);
    atomic_store(&store->bytes, FIRST_SLOTS * sizeof(u32));
    pthread_mutex_init(&store->change, NULL);
    if (store->writers == NULL || store->chunks == NULL || store->arena == NULL ||
        store->slots == NULL) {
        store_free(store);
        return NULL;
    }
    madvise(store->arena + HUGE_PAGE, store->arena_size - HUGE_PAGE, MADV_HUGEPAGE);
    return store;
}

static void free_writer(struct store_writer *w)
{
    if (w == NULL)
        return;
    for (u32 c = 0; c < STORE_CLASSES; c++)
        free(w->open[c].lineage.bytes);
    free(w->numbers);
    free(w);
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    for (u32 c = 0; c < STORE_CLASSES; c++) {
        struct class *class = atomic_load(&store->class[c]);
        for (u32 i = 0; class != NULL && i < class->length; i++)
            pieces_free(&class->pieces[i]);
        free(class);
    }
    for (struct format *f = store->formats, *next; f != NULL; f = next) {
        next = f->next;
        free(f);
    }
    for (int i = 0; store->writers != NULL && i < store->writer_count; i++)
        free_writer(store->writers[i]);
    free(store->writers);
    if (store->chunks != NULL)
        munmap(store->chunks, CHUNKS * sizeof *store->chunks);
    if (store->arena != NULL)
        munmap(store->arena, store->arena_size);
    if (store->slots != NULL)
        munmap(store->slots, slots_size(store->slot_count));
    pthread_mutex_destroy(&store->change);
    free(store);
}

struct store_writer *store_writer(struct store *store, int worker)
{
    struct store_writer *w = store->writers[worker];
    if (w != NULL)
        return w;
    w = calloc(1, sizeof *w);
    u32 *numbers = malloc(STORE_LONGEST * sizeof *numbers);
    if (w == NULL || numbers == NULL) {
        free(w);
        free(numbers);
        return NULL;
    }
    w->store = store;
    w->numbers = numbers;
    return store->writers[worker] = w;
}

/* ---- chunks, records ---- */

static bool rebuild_slots(struct store *store, u64 slot_count, u32 number_bits);

/* The chunk that is full, or that a state did not fit, gets no more: `at` is where its lineage
 * moves to, so that the buffer can be used again. */
static void close_chunk(struct store *store, struct open_chunk *open, u8 *at)
{
    struct chunk *chunk = &store->chunks[open->first / STORE_CHUNK];
    chunk->used = open->used;
    if (store->parents) {
        memcpy(at, open->lineage.bytes, open->lineage.length);
        chunk->lineage = at;
    }
}

/* The buffer for the predecessors of an open chunk's states. */
static bool start_lineage(struct store *store, struct lineage *lineage)
{
    size_t size = LINEAGE_MOST(STORE_CHUNK);
    if (!store->parents || lineage->bytes != NULL)
        return true;
    if (atomic_load(&store->bytes) + size > store->limit)
        return false;
    lineage->bytes = malloc(size);
    if (lineage->bytes != NULL)
        atomic_fetch_add(&store->bytes, size);
    return lineage->bytes != NULL;
}

/* A new chunk of that format for this worker. */
static bool open_chunk(struct store_writer *w, const struct format *f)
{
    struct store *store = w->store;
    struct open_chunk *open = &w->open[f->class];
    size_t extra = (size_t)STORE_CHUNK * store->extra;
    size_t size = extra + (size_t)STORE_CHUNK / 8 * f->stride + SLACK + open->lineage.length;
    size = (size + 63) & ~(size_t)63;
    if (!start_lineage(store, &open->lineage) ||
        atomic_load(&store->bytes) + size > store->limit)
        return false;
    u32 number = atomic_fetch_add(&store->chunk_count, 1);
    size_t at = atomic_fetch_add(&store->arena_used, size);
    if (number >= CHUNKS - 1 || at + size > store->arena_size)
        return false;
    atomic_fetch_add(&store->bytes, size);
    u8 *records = store->arena + at + extra;
    if (open->format != NULL)
        close_chunk(store, open, store->arena + at + size - open->lineage.length);
    store->chunks[number] = (struct chunk){f, records, open->lineage.bytes, 0};
    open->format = f;
    open->records = records;
    open->first = number * STORE_CHUNK;
    open->used = 0;
    lineage_begin(&open->lineage, open->first);
    bool room = true;
    if ((u64)(number + 1) * STORE_CHUNK >= (u64)1 << store->number_bits) {
        crew_stop_others(store->crew);
        if ((u64)(number + 1) * STORE_CHUNK >= (u64)1 << store->number_bits)
            room = rebuild_slots(store, store->slot_count, store->number_bits + 1);
        crew_resume(store->crew);
    }
    return room;
}

/* A key of another format than the open chunk's: it may have become wider, or the key is of a
 * state that was taken from the store before it did. */
static bool fit_chunk(struct store_writer *w, const struct key *key)
{
    const struct format *f = key->format;
    const struct open_chunk *open = &w->open[f->class];
    store_unpack(key, w->numbers);
    if (open->format != NULL && open->used < STORE_CHUNK &&
        store_fits(open->format, w->numbers))
        return true;
    f = store_format(w->store, f->owner, f->class, w->numbers);
    return f != NULL && open_chunk(w, f);
}

/* The bits of a record; those of the one before in the first byte stay. */
static void write_record(u8 *records, u64 record, const struct key *key)
{
    u8 *at = records + record / 8;
    u32 shift = record % 8;
    u64 before = *at & ((1u << shift) - 1);
    for (u32 i = 0; 64 * i < shift + key->format->bits; i++, at += 8) {
        u64 word = before | key->bits[i] << shift;
        memcpy(at, &word, sizeof word);
        before = key->bits[i] >> 1 >> (63 - shift);
    }
}

/* Where the next record of this class goes; written, not yet to be found. */
static bool prepare_record(struct store_writer *w, const struct key *key, u32 *number)
{
    struct open_chunk *open = &w->open[key->format->class];
    bool ready = open->format == key->format && open->used < STORE_CHUNK;
    if (!ready && !fit_chunk(w, key)) {
        store_set_full(w->store);
        return false;
    }
    const struct format *f = open->format;
    u64 record = record_of(f, open->used);
    if (f == key->format)
        write_record(open->records, record, key);
    else
        store_pack(f, w->numbers, open->records, record);
    *number = open->first + open->used;
    return true;
}

static bool matches_other(const struct chunk *chunk, u64 record, const struct key *key)
{
    const struct format *f = chunk->format;
    if (f->class != key->format->class)
        return false;
    for (u32 i = 0; i < f->length; i++)
        if (read_number(chunk->records, record, f->at[i]) !=
            key_number(key->bits, key->format->at[i]))
            return false;
    return true;
}

static inline bool matches(const struct store *store, u32 number, const struct key *key)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    u64 record = record_of(f, number);
    if (__builtin_expect(f != key->format, 0))
        return matches_other(chunk, record, key);
    u64 differ = 0;
    u32 left = f->bits, i = 0;
    for (; left > 64; left -= 64, i++)
        differ |= read_bits(chunk->records, record + (u64)64 * i) ^ key->bits[i];
    differ |= (read_bits(chunk->records, record + (u64)64 * i) ^ key->bits[i]) << (64 - left);
    return differ == 0;
}

/* ---- the hash table ---- */

/* Order in the table is order of the hash: a larger table is filled from front to back. */
static inline u64 scale(u64 hash, u64 slot_count)
{
    return (u64)(((unsigned __int128)hash * slot_count) >> 64);
}

static inline u64 slot_of(const struct store *store, u64 hash)
{
    return scale(hash, store->slot_count);
}

static inline u32 tag_of(const struct store *store, u64 hash)
{
    return (u32)hash << store->number_bits;
}

/* Round the line first, then on to the next one. */
static inline u64 next_slot(u64 at, u64 first, u64 slot_count)
{
    u64 line = at & ~(u64)(LINE - 1), in_line = (at + 1) & (LINE - 1);
    if (__builtin_expect(in_line != (first & (LINE - 1)), 1))
        return line | in_line;
    line += LINE;
    return (line == slot_count ? 0 : line) | in_line;
}

static u64 hash_record(const struct chunk *chunk, u32 place)
{
    const struct format *f = chunk->format;
    u64 record = record_of(f, place);
    u64 sum = 0;
    for (u32 i = 0; i < f->length; i++)
        sum += read_number(chunk->records, record, f->at[i]) * f->at[i].factor;
    return hash_sum(f, sum);
}

#define TOGETHER 16u /* records whose slots are fetched at once */

/* A table that is being filled, by all workers together. */
struct filling {
    const struct store *store;
    _Atomic u32 *slots;
    u64 slot_count;
    u32 number_bits, chunks;
    atomic_uint next; /* chunk */
    bool shared;
};

static void enter_slot(const struct filling *f, u64 hash, u32 number)
{
    u64 first = scale(hash, f->slot_count), at = first;
    u32 slot = (u32)hash << f->number_bits | (number + 1);
    for (;; at = next_slot(at, first, f->slot_count)) {
        u32 none = 0;
        if (atomic_load_explicit(&f->slots[at], memory_order_relaxed) != 0)
            continue;
        if (!f->shared) {
            atomic_store_explicit(&f->slots[at], slot, memory_order_relaxed);
            return;
        }
        if (atomic_compare_exchange_strong_explicit(&f->slots[at], &none, slot,
                                                    memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

/* A chunk's records into the new table. */
static void enter_chunk(const struct filling *f, u32 number)
{
    const struct chunk *chunk = &f->store->chunks[number];
    for (u32 from = 0; from < chunk->used; from += TOGETHER) {
        u64 hashes[TOGETHER];
        u32 count = chunk->used - from < TOGETHER ? chunk->used - from : TOGETHER;
        for (u32 i = 0; i < count; i++) {
            hashes[i] = hash_record(chunk, from + i);
            __builtin_prefetch((const void *)&f->slots[scale(hashes[i], f->slot_count)], 1);
        }
        for (u32 i = 0; i < count; i++)
            enter_slot(f, hashes[i], number * STORE_CHUNK + from + i);
    }
}

static void fill(void *context)
{
    struct filling *f = context;
    for (u32 i; (i = atomic_fetch_add(&f->next, 1)) < f->chunks;)
        enter_chunk(f, i);
}

static void note_used(struct store *store)
{
    for (int i = 0; i < store->writer_count; i++)
        for (u32 c = 0; store->writers[i] != NULL && c < STORE_CLASSES; c++) {
            const struct open_chunk *open = &store->writers[i]->open[c];
            if (open->format != NULL)
                store->chunks[open->first / STORE_CHUNK].used = open->used;
        }
}

static bool has_room(const struct store *store, u64 slot_count)
{
    return store_bytes(store) - slots_size(store->slot_count) + slots_size(slot_count) <=
           atomic_load(&store->limit);
}

/* All records into a new table; the other workers stand still, or help. The records are enough
 * to make it: the old one goes before the pages of the new one come. */
static bool rebuild_slots(struct store *store, u64 slot_count, u32 number_bits)
{
    size_t size = slots_size(slot_count), old = slots_size(store->slot_count);
    bool fits_in = number_bits < 32 && has_room(store, slot_count);
    _Atomic u32 *slots = fits_in ? new_slots(slot_count) : NULL;
    if (slots == NULL) {
        store_set_full(store);
        return false;
    }
    note_used(store);
    munmap(store->slots, old);
    struct filling filling = {.store = store,
                              .slots = slots,
                              .slot_count = slot_count,
                              .number_bits = number_bits,
                              .chunks = atomic_load(&store->chunk_count),
                              .shared = atomic_load(&store->crew->size) > 1};
    crew_together(store->crew, fill, &filling);
    atomic_fetch_add(&store->bytes, size);
    atomic_fetch_sub(&store->bytes, old);
    store->slots = slots;
    store->slot_count = slot_count;
    store->number_bits = number_bits;
    store->generation++;
    return true;
}

static bool crowded(const struct store *store)
{
    return atomic_load(&store->count) * 8 > store->slot_count * 7;
}

/* Tell the others how many there are, and make room in time. */
static void count_added(struct store_writer *w)
{
    struct store *store = w->store;
    atomic_fetch_add(&store->count, atomic_load_explicit(&w->unsaid, memory_order_relaxed));
    atomic_store_explicit(&w->unsaid, 0, memory_order_relaxed);
    if (!crowded(store))
        return;
    crew_stop_others(store->crew);
    if (crowded(store)) { /* entering all anew is dear; memory is no matter while small */
        u64 now = store->slot_count;
        u64 larger = now < SMALL_TABLE ? 4 * now : now < LARGE_TABLE ? 2 * now : now + now / 2;
        while (larger > now + now / 16 && !has_room(store, larger)) /* what is left, then */
            larger = now + (larger - now) / 2;
        larger = (larger + LINE - 1) & ~(u64)(LINE - 1);
        u32 bits = 65 - (u32)__builtin_clzll(larger); /* numbers have gaps: twice the slots */
        rebuild_slots(store, larger, bits > store->number_bits ? bits : store->number_bits);
    }
    crew_resume(store->crew);
}

void store_prefetch(const struct store *store, struct store_root root)
{
    __builtin_prefetch((const void *)&store->slots[slot_of(store, root.hash)]);
}

void store_prefetch_state(const struct store *store, u32 number)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    __builtin_prefetch(chunk->records + record_of(chunk->format, number) / 8);
}

void store_prefetch_record(const struct store *store, struct store_root root)
{
    u32 mask = (u32)(((u64)1 << store->number_bits) - 1), tag = tag_of(store, root.hash);
    u64 first = slot_of(store, root.hash), at = first;
    for (u32 i = 0; i < LINE; i++, at = next_slot(at, first, store->slot_count)) {
        u32 slot = atomic_load_explicit(&store->slots[at], memory_order_acquire);
        if (slot == 0)
            return;
        if ((slot & ~mask) == tag) {
            store_prefetch_state(store, (slot & mask) - 1);
            return;
        }
    }
}

/* Once the memory is used up nothing is added, so that the table keeps empty slots. */
bool store_add(struct store_writer *w, struct store_root root, u32 *number)
{
    struct store *store = w->store;
    const struct key *key = key_in(root.key);
    bool prepared = false;
    u32 mine = 0;
    *number = 0;
    if (__builtin_expect(atomic_load_explicit(&store->full, memory_order_relaxed), 0))
        return false;
again:;
    u32 generation = store->generation;
    u32 mask = (u32)(((u64)1 << store->number_bits) - 1), tag = tag_of(store, root.hash);
    u64 first = slot_of(store, root.hash);
    for (u64 at = first;; at = next_slot(at, first, store->slot_count)) {
        u32 slot = atomic_load_explicit(&store->slots[at], memory_order_acquire);
        if (slot == 0) {
            if (!prepared) {
                if (!prepare_record(w, key, &mine))
                    return false;
                prepared = true;
                if (generation != store->generation)
                    goto again; /* the table was replaced meanwhile */
            }
            if (atomic_compare_exchange_strong_explicit(&store->slots[at], &slot,
                                                        tag | (mine + 1), memory_order_acq_rel,
                                                        memory_order_acquire))
                break;
        }
        if ((slot & ~mask) == tag && matches(store, (slot & mask) - 1, key)) {
            *number = (slot & mask) - 1;
            return false;
        }
    }
    *number = mine;
    w->open[key->format->class].used++;
    u32 unsaid = atomic_load_explicit(&w->unsaid, memory_order_relaxed) + 1;
    atomic_store_explicit(&w->unsaid, unsaid, memory_order_relaxed);
    if (unsaid == FLUSH)
        count_added(w);
    return true;
}

void *store_extra(const struct store *store, u32 number)
{
    return store->chunks[number / STORE_CHUNK].records -
           (size_t)(STORE_CHUNK - number % STORE_CHUNK) * store->extra;
}

void store_keep_bits(struct store *store, u32 bits)
{
    store->own_bits = bits;
}

/* Where a bit of a state lies, and what there is from its byte on. */
static u8 *own_word(const struct store *store, u32 number, u32 at, u32 *shift, u64 *word)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    u64 bit = record_of(chunk->format, number) + chunk->format->bits + at;
    u8 *from = chunk->records + bit / 8;
    *shift = bit % 8;
    *word = read_word(from);
    return from;
}

u32 store_bits(const struct store *store, u32 number, u32 at)
{
    u32 shift;
    u64 word;
    own_word(store, number, at, &shift, &word);
    return (u32)(word >> shift);
}

void store_change_bits(const struct store *store, u32 number, u32 at, u32 clear, u32 set)
{
    u32 shift;
    u64 word;
    u8 *to = own_word(store, number, at, &shift, &word);
    word = (word & ~((u64)clear << shift)) | (u64)set << shift;
    memcpy(to, &word, sizeof word);
}

void store_keep_parents(struct store *store)
{
    store->parents = true;
}

void store_set_parent(struct store_writer *w, u32 number, u32 parent)
{
    const struct chunk *chunk = &w->store->chunks[number / STORE_CHUNK];
    lineage_add(&w->open[chunk->format->class].lineage, parent);
}

u32 store_parent(const struct store *store, u32 number)
{
    u32 place = number % STORE_CHUNK;
    return lineage_parent(store->chunks[number / STORE_CHUNK].lineage, number - place, place);
}

u32 store_end(const struct store *store)
{
    return atomic_load(&store->chunk_count) * STORE_CHUNK;
}

u64 store_count(const struct store *store)
{
    u64 total = atomic_load(&store->count);
    for (int i = 0; i < store->writer_count; i++)
        if (store->writers[i] != NULL)
            total += atomic_load_explicit(&store->writers[i]->unsaid, memory_order_relaxed);
    return total;
}

size_t store_bytes(const struct store *store)
{
    return atomic_load(&store->bytes);
}

size_t store_bytes_with(struct store *store, size_t beside)
{
    size_t memory = store->memory;
    atomic_store(&store->limit, beside < memory ? memory - beside : 0);
    return store_bytes(store) + beside;
}

bool store_full(const struct store *store)
{
    return atomic_load_explicit(&store->full, memory_order_relaxed);
}

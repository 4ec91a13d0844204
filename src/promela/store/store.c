/* Chunks of records, and the hash table over them. See store.h and store_inside.h. */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/must.h"
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

static void *reserve_pages(size_t size)
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
static size_t slots_size(uint64_t count)
{
    size_t size = count * sizeof(uint32_t);
    return size < HUGE_PAGE ? size : (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

static _Atomic uint32_t *new_slots(uint64_t count)
{
    size_t size = slots_size(count);
    void *slots = reserve_pages(size);
    if (slots && size >= HUGE_PAGE)
        madvise(slots, size, MADV_HUGEPAGE);
    return slots;
}

/* As much as the limit allows, or as much address space as the system gives. */
static void reserve_arena(struct store *store)
{
    store->arena_size = (store->memory + ARENA_SLACK) & ~(size_t)(HUGE_PAGE - 1);
    while (!(store->arena = reserve_pages(store->arena_size)) &&
           store->arena_size > ARENA_LEAST)
        store->arena_size = (store->arena_size / 2) & ~(size_t)(HUGE_PAGE - 1);
}

struct store *store_create(size_t memory_limit, struct crew *crew, uint32_t extra)
{
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->crew = crew;
    store->extra = extra;
    store->memory = memory_limit;
    atomic_init(&store->limit, memory_limit);
    store->writer_count = atomic_load(&crew->size);
    store->writers = calloc((size_t)store->writer_count, sizeof(struct store_writer *));
    store->chunks = reserve_pages(CHUNKS * sizeof *store->chunks);
    reserve_arena(store);
    store->slot_count = FIRST_SLOTS;
    store->number_bits = FIRST_BITS;
    store->slots = new_slots(FIRST_SLOTS);
    atomic_store(&store->bytes, FIRST_SLOTS * sizeof(uint32_t));
    pthread_mutex_init(&store->change, NULL);
    if (!store->writers || !store->chunks || !store->arena || !store->slots) {
        store_free(store);
        return NULL;
    }
    madvise(store->arena + HUGE_PAGE, store->arena_size - HUGE_PAGE, MADV_HUGEPAGE);
    return store;
}

static void free_writer(struct store_writer *w)
{
    if (!w)
        return;
    for (uint32_t c = 0; c < STORE_CLASSES; c++)
        free(w->open[c].lineage.bytes);
    free(w->numbers);
    free(w);
}

void store_free(struct store *store)
{
    if (!store)
        return;
    for (uint32_t c = 0; c < STORE_CLASSES; c++) {
        struct class *class = atomic_load(&store->class[c]);
        for (uint32_t i = 0; class && i < class->length; i++)
            pieces_free(&class->pieces[i]);
        free(class);
    }
    for (struct format *f = store->formats, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    for (int i = 0; store->writers && i < store->writer_count; i++)
        free_writer(store->writers[i]);
    free(store->writers);
    if (store->chunks)
        munmap(store->chunks, CHUNKS * sizeof *store->chunks);
    if (store->arena)
        munmap(store->arena, store->arena_size);
    if (store->slots)
        munmap(store->slots, slots_size(store->slot_count));
    pthread_mutex_destroy(&store->change);
    free(store);
}

struct store_writer *store_writer(struct store *store, int worker)
{
    struct store_writer *w = store->writers[worker];
    if (w)
        return w;
    w = calloc(1, sizeof *w);
    uint32_t *numbers = malloc(STORE_LONGEST * sizeof *numbers);
    if (!w || !numbers) {
        free(w);
        free(numbers);
        return NULL;
    }
    w->store = store;
    w->numbers = numbers;
    return store->writers[worker] = w;
}

/* --- chunks, records --- */

static bool rebuild_slots(struct store *store, uint64_t slot_count, uint32_t number_bits);

/* Closes a chunk that is full or that a state did not fit into: its lineage moves to `at`, so
 * that the buffer can be reused. */
static void close_chunk(struct store *store, struct open_chunk *open, uint8_t *at)
{
    struct store_chunk *chunk = &store->chunks[open->first / STORE_CHUNK];
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
    if (!store->parents || lineage->bytes)
        return true;
    if (atomic_load(&store->bytes) + size > store->limit)
        return false;
    lineage->bytes = malloc(size);
    if (lineage->bytes)
        atomic_fetch_add(&store->bytes, size);
    return lineage->bytes;
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
    uint32_t number = atomic_fetch_add(&store->chunk_count, 1);
    size_t at = atomic_fetch_add(&store->arena_used, size);
    if (number >= CHUNKS - 1 || at + size > store->arena_size)
        return false;
    atomic_fetch_add(&store->bytes, size);
    uint8_t *records = store->arena + at + extra;
    if (open->format)
        close_chunk(store, open, store->arena + at + size - open->lineage.length);
    store->chunks[number] = (struct store_chunk){f, records, open->lineage.bytes, 0};
    open->format = f;
    open->records = records;
    open->first = number * STORE_CHUNK;
    open->used = 0;
    lineage_begin(&open->lineage, open->first);
    bool room = true;
    if ((uint64_t)(number + 1) * STORE_CHUNK >= (uint64_t)1 << store->number_bits) {
        crew_stop_others(store->crew);
        if ((uint64_t)(number + 1) * STORE_CHUNK >= (uint64_t)1 << store->number_bits)
            room = rebuild_slots(store, store->slot_count, store->number_bits + 1);
        crew_resume(store->crew);
    }
    return room;
}

/* The key has a different format than the open chunk: the format has become wider, or the state
 * was read from the store before it did. */
static bool fit_chunk(struct store_writer *w, const struct key *key)
{
    const struct format *f = key->format;
    const struct open_chunk *open = &w->open[f->class];
    store_unpack(key, w->numbers);
    if (open->format && open->used < STORE_CHUNK && store_fits(open->format, w->numbers))
        return true;
    f = store_format(w->store, f->owner, f->class, w->numbers);
    return f && open_chunk(w, f);
}

/* Writes the bits of a record; those of the previous record in the first byte stay. */
static void write_record(uint8_t *records, uint64_t record, const struct key *key)
{
    uint8_t *at = records + record / 8;
    uint32_t shift = record % 8;
    uint64_t before = *at & ((1u << shift) - 1);
    for (uint32_t i = 0; 64 * i < shift + key->format->bits; i++, at += 8) {
        uint64_t word = before | key->bits[i] << shift;
        memcpy(at, &word, sizeof word);
        before = key->bits[i] >> 1 >> (63 - shift);
    }
}

/* Writes the next record of this class; it can't be found yet. */
static bool prepare_record(struct store_writer *w, const struct key *key, uint32_t *number)
{
    struct open_chunk *open = &w->open[key->format->class];
    bool ready = open->format == key->format && open->used < STORE_CHUNK;
    if (!ready && !fit_chunk(w, key)) {
        store_set_full(w->store);
        return false;
    }
    const struct format *f = open->format;
    uint64_t record = record_of(f, open->used);
    if (f == key->format)
        write_record(open->records, record, key);
    else
        store_pack(f, w->numbers, open->records, record);
    *number = open->first + open->used;
    return true;
}

static bool matches_other(const struct store_chunk *chunk, uint64_t record,
                          const struct key *key)
{
    const struct format *f = chunk->format;
    if (f->class != key->format->class)
        return false;
    for (uint32_t i = 0; i < f->length; i++)
        if (read_number(chunk->records, record, f->at[i]) !=
            key_number(key->bits, key->format->at[i]))
            return false;
    return true;
}

static inline bool record_matches(const struct store *store, uint32_t number,
                                  const struct key *key)
{
    const struct store_chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    uint64_t record = record_of(f, number);
    if (__builtin_expect(f != key->format, 0))
        return matches_other(chunk, record, key);
    uint64_t differ = 0;
    uint32_t left = f->bits, i = 0;
    for (; left > 64; left -= 64, i++)
        differ |= read_bits(chunk->records, record + (uint64_t)64 * i) ^ key->bits[i];
    differ |= (read_bits(chunk->records, record + (uint64_t)64 * i) ^ key->bits[i])
              << (64 - left);
    return differ == 0;
}

/* --- the hash table --- */

/* Order in the table is order of the hash: a larger table is filled from front to back. */
static inline uint64_t scale_hash(uint64_t hash, uint64_t slot_count)
{
    return (uint64_t)(((unsigned __int128)hash * slot_count) >> 64);
}

static inline uint64_t slot_of(const struct store *store, uint64_t hash)
{
    return scale_hash(hash, store->slot_count);
}

static inline uint32_t tag_of(const struct store *store, uint64_t hash)
{
    return (uint32_t)hash << store->number_bits;
}

/* The other slots of the line first, then the next line. */
static inline uint64_t next_slot(uint64_t at, uint64_t first, uint64_t slot_count)
{
    uint64_t line = at & ~(uint64_t)(LINE - 1), in_line = (at + 1) & (LINE - 1);
    if (__builtin_expect(in_line != (first & (LINE - 1)), 1))
        return line | in_line;
    line += LINE;
    return (line == slot_count ? 0 : line) | in_line;
}

static uint64_t hash_record(const struct store_chunk *chunk, uint32_t place)
{
    const struct format *f = chunk->format;
    uint64_t record = record_of(f, place);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->length; i++)
        sum += read_number(chunk->records, record, f->at[i]) * f->at[i].factor;
    return hash_sum(f, sum);
}

#define TOGETHER 16u /* records whose slots are fetched at once */

/* A table that is being filled, by all workers together. */
struct table_filling {
    const struct store *store;
    _Atomic uint32_t *slots;
    uint64_t slot_count;
    uint32_t number_bits, chunks;
    atomic_uint next; /* chunk */
    bool shared;
};

static void enter_slot(const struct table_filling *f, uint64_t hash, uint32_t number)
{
    uint64_t first = scale_hash(hash, f->slot_count), at = first;
    uint32_t slot = (uint32_t)hash << f->number_bits | (number + 1);
    for (;; at = next_slot(at, first, f->slot_count)) {
        uint32_t none = 0;
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
static void enter_chunk(const struct table_filling *f, uint32_t number)
{
    const struct store_chunk *chunk = &f->store->chunks[number];
    for (uint32_t from = 0; from < chunk->used; from += TOGETHER) {
        uint64_t hashes[TOGETHER];
        uint32_t count = chunk->used - from < TOGETHER ? chunk->used - from : TOGETHER;
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = hash_record(chunk, from + i);
            __builtin_prefetch((const void *)&f->slots[scale_hash(hashes[i], f->slot_count)],
                               1);
        }
        for (uint32_t i = 0; i < count; i++)
            enter_slot(f, hashes[i], number * STORE_CHUNK + from + i);
    }
}

static void fill_table(void *context)
{
    struct table_filling *f = context;
    for (uint32_t i; (i = atomic_fetch_add(&f->next, 1)) < f->chunks;)
        enter_chunk(f, i);
}

static void note_used(struct store *store)
{
    for (int i = 0; i < store->writer_count; i++)
        for (uint32_t c = 0; store->writers[i] && c < STORE_CLASSES; c++) {
            const struct open_chunk *open = &store->writers[i]->open[c];
            if (open->format)
                store->chunks[open->first / STORE_CHUNK].used = open->used;
        }
}

static bool has_room(const struct store *store, uint64_t slot_count)
{
    return store_bytes(store) - slots_size(store->slot_count) + slots_size(slot_count) <=
           atomic_load(&store->limit);
}

/* Puts all records into a new table while the other workers are paused, or help. Only the
 * records are needed, so the old table is freed before the new one takes memory. */
static bool rebuild_slots(struct store *store, uint64_t slot_count, uint32_t number_bits)
{
    size_t size = slots_size(slot_count), old = slots_size(store->slot_count);
    bool fits_in = number_bits < 32 && has_room(store, slot_count);
    _Atomic uint32_t *slots = fits_in ? new_slots(slot_count) : NULL;
    if (!slots) {
        store_set_full(store);
        return false;
    }
    note_used(store);
    munmap(store->slots, old);
    struct table_filling filling = {.store = store,
                                    .slots = slots,
                                    .slot_count = slot_count,
                                    .number_bits = number_bits,
                                    .chunks = atomic_load(&store->chunk_count),
                                    .shared = atomic_load(&store->crew->size) > 1};
    crew_together(store->crew, fill_table, &filling);
    atomic_fetch_add(&store->bytes, size);
    atomic_fetch_sub(&store->bytes, old);
    store->slots = slots;
    store->slot_count = slot_count;
    store->number_bits = number_bits;
    store->generation++;
    return true;
}

static bool is_crowded(const struct store *store)
{
    return atomic_load(&store->count) * 8 > store->slot_count * 7;
}

/* Tells the others how many states there are, and makes room in time. */
static void count_added(struct store_writer *w)
{
    struct store *store = w->store;
    atomic_fetch_add(&store->count, atomic_load_explicit(&w->unsaid, memory_order_relaxed));
    atomic_store_explicit(&w->unsaid, 0, memory_order_relaxed);
    if (!is_crowded(store))
        return;
    crew_stop_others(store->crew);
    if (is_crowded(store)) { /* rehashing is expensive; memory does not matter while the table
                                is small */
        uint64_t now = store->slot_count;
        uint64_t larger = now < SMALL_TABLE   ? 4 * now
                          : now < LARGE_TABLE ? 2 * now
                                              : now + now / 2;
        while (larger > now + now / 16 && !has_room(store, larger)) /* then all that is left */
            larger = now + (larger - now) / 2;
        larger = (larger + LINE - 1) & ~(uint64_t)(LINE - 1);
        uint32_t bits =
            65 - (uint32_t)__builtin_clzll(larger); /* numbers have gaps: twice the slots */
        rebuild_slots(store, larger, bits > store->number_bits ? bits : store->number_bits);
    }
    crew_resume(store->crew);
}

void store_prefetch(const struct store *store, struct store_root root)
{
    __builtin_prefetch((const void *)&store->slots[slot_of(store, root.hash)]);
}

void store_prefetch_state(const struct store *store, uint32_t number)
{
    const struct store_chunk *chunk = &store->chunks[number / STORE_CHUNK];
    __builtin_prefetch(chunk->records + record_of(chunk->format, number) / 8);
}

void store_prefetch_record(const struct store *store, struct store_root root)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << store->number_bits) - 1),
             tag = tag_of(store, root.hash);
    uint64_t first = slot_of(store, root.hash), at = first;
    for (uint32_t i = 0; i < LINE; i++, at = next_slot(at, first, store->slot_count)) {
        uint32_t slot = atomic_load_explicit(&store->slots[at], memory_order_acquire);
        if (slot == 0)
            return;
        if ((slot & ~mask) == tag) {
            store_prefetch_state(store, (slot & mask) - 1);
            return;
        }
    }
}

/* Once the memory is used up nothing is added, so that the table keeps empty slots. */
bool store_add(struct store_writer *w, struct store_root root, uint32_t *number)
{
    struct store *store = w->store;
    const struct key *key = key_in(root.key);
    bool prepared = false;
    uint32_t mine = 0;
    *number = 0;
    if (__builtin_expect(atomic_load_explicit(&store->full, memory_order_relaxed), 0))
        return false;
again:;
    uint32_t generation = store->generation;
    uint32_t mask = (uint32_t)(((uint64_t)1 << store->number_bits) - 1),
             tag = tag_of(store, root.hash);
    uint64_t first = slot_of(store, root.hash);
    for (uint64_t at = first;; at = next_slot(at, first, store->slot_count)) {
        uint32_t slot = atomic_load_explicit(&store->slots[at], memory_order_acquire);
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
        if ((slot & ~mask) == tag && record_matches(store, (slot & mask) - 1, key)) {
            *number = (slot & mask) - 1;
            return false;
        }
    }
    *number = mine;
    w->open[key->format->class].used++;
    uint32_t unsaid = atomic_load_explicit(&w->unsaid, memory_order_relaxed) + 1;
    atomic_store_explicit(&w->unsaid, unsaid, memory_order_relaxed);
    if (unsaid == FLUSH)
        count_added(w);
    return true;
}

void *store_extra(const struct store *store, uint32_t number)
{
    return store->chunks[number / STORE_CHUNK].records -
           (size_t)(STORE_CHUNK - number % STORE_CHUNK) * store->extra;
}

void store_keep_bits(struct store *store, uint32_t bits)
{
    must(atomic_load(&store->chunk_count) ==
         0); /* records have room for them from the first on */
    store->own_bits = bits;
}

/* Where a bit of a state is, and the 64 bits from its byte on. */
static uint8_t *own_word(const struct store *store, uint32_t number, uint32_t at,
                         uint32_t *shift, uint64_t *word)
{
    const struct store_chunk *chunk = &store->chunks[number / STORE_CHUNK];
    uint64_t bit = record_of(chunk->format, number) + chunk->format->bits + at;
    uint8_t *from = chunk->records + bit / 8;
    *shift = bit % 8;
    *word = read_word(from);
    return from;
}

uint32_t store_bits(const struct store *store, uint32_t number, uint32_t at)
{
    uint32_t shift;
    uint64_t word;
    own_word(store, number, at, &shift, &word);
    return (uint32_t)(word >> shift);
}

void store_change_bits(const struct store *store, uint32_t number, uint32_t at, uint32_t clear,
                       uint32_t set)
{
    uint32_t shift;
    uint64_t word;
    uint8_t *to = own_word(store, number, at, &shift, &word);
    word = (word & ~((uint64_t)clear << shift)) | (uint64_t)set << shift;
    memcpy(to, &word, sizeof word);
}

void store_keep_parents(struct store *store)
{
    must(atomic_load(&store->chunk_count) == 0);
    store->parents = true;
}

void store_set_parent(struct store_writer *w, uint32_t number, uint32_t parent)
{
    const struct store_chunk *chunk = &w->store->chunks[number / STORE_CHUNK];
    lineage_add(&w->open[chunk->format->class].lineage, parent);
}

uint32_t store_parent(const struct store *store, uint32_t number)
{
    uint32_t place = number % STORE_CHUNK;
    must(store->parents);
    return lineage_parent(store->chunks[number / STORE_CHUNK].lineage, number - place, place);
}

uint32_t store_end(const struct store *store)
{
    return atomic_load(&store->chunk_count) * STORE_CHUNK;
}

uint64_t store_count(const struct store *store)
{
    uint64_t total = atomic_load(&store->count);
    for (int i = 0; i < store->writer_count; i++)
        if (store->writers[i])
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

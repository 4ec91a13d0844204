/* Classes, formats, chunks of records, and the hash table over records. See store.h. */
#include "promela/store.h"
#include "promela/pieces.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNKS      (STORE_LIMIT / STORE_CHUNK)
#define ARENA_SLACK ((size_t)4 << 20) /* beyond the limit: chunks are counted when opened */
#define ARENA_LEAST ((size_t)16 << 20)
#define FIRST_SLOTS 4096u
#define FIRST_BITS  18         /* of a number in a slot */
#define HUGE_PAGE   (2u << 20) /* tables larger than this ask for huge pages */
#define SMALL_TABLE (1u << 18)
#define LARGE_TABLE (1u << 20)
#define FLUSH       32u /* states that a worker adds before it tells the others */

/* How the numbers of a state are packed. */
struct format {
    struct format *next; /* list of all, to be freed */
    u32 length;          /* positions */
    u32 size;            /* bytes of a record */
    u32 *mask;           /* of each position: (1 << bits) - 1 */
    u32 *bit;            /* where it starts */
    u32 class;
    const struct pieces *pieces;
};

/* Vectors of one length. */
struct class
{
    u32 length;            /* positions */
    struct format *format; /* the newest; `change` guards it */
    struct pieces pieces[];
};

struct chunk {
    const struct format *format;
    u8 *records, *extra;
    u32 used;
};

struct open_chunk {
    const struct format *format; /* NULL: none yet */
    u32 first, used;             /* number of its first state, how many it has */
};

struct store_writer {
    struct store *store;
    struct open_chunk open[STORE_CLASSES];
    u32 unsaid; /* states added since the others were told */
};

struct store {
    struct crew *crew;
    u32 extra;
    _Atomic(struct class *) class[STORE_CLASSES];
    struct chunk *chunks;
    atomic_uint chunk_count;
    u8 *arena; /* reserved: pages come as they are touched */
    size_t arena_size;
    atomic_size_t arena_used;
    _Atomic u32 *slots;
    u64 slot_count;
    u32 number_bits; /* low bits of a slot: number + 1 */
    u32 generation;  /* how often the table was replaced */
    atomic_ullong count;
    size_t limit;
    atomic_size_t bytes;
    atomic_bool full;
    pthread_mutex_t change;
    struct format *formats;
    struct store_writer **writers;
    int writer_count;
};

static u32 piece_count(u32 size)
{
    return (size + 7) / 8;
}

/* Exact up to 32 pieces, then eight classes per doubling: short vectors are the usual case,
 * and long ones of many lengths must not need many tables. */
static u32 class_of(u32 pieces)
{
    if (pieces <= 32)
        return pieces;
    u32 shift = 29u - (u32)__builtin_clz(pieces - 1) - 1;
    return 32 + (shift - 2) * 8 + ((pieces - 1) >> shift) - 7;
}

static u32 class_length(u32 pieces)
{
    if (pieces <= 32)
        return pieces;
    u32 shift = 29u - (u32)__builtin_clz(pieces - 1) - 1;
    return (((pieces - 1) >> shift) + 1) << shift;
}

static void *reserve(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void set_full(struct store *store)
{
    atomic_store(&store->full, true);
}

static _Atomic u32 *new_slots(u64 count)
{
    size_t size = count * sizeof(u32);
    void *slots = reserve(size);
    if (slots != NULL && size >= HUGE_PAGE)
        madvise(slots, size, MADV_HUGEPAGE);
    return slots;
}

/* As much as the limit allows, or as the system lets us have address space for. */
static void reserve_arena(struct store *store)
{
    store->arena_size = (store->limit + ARENA_SLACK) & ~(size_t)(HUGE_PAGE - 1);
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
    store->limit = memory_limit;
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
        free(store->writers[i]);
    free(store->writers);
    if (store->chunks != NULL)
        munmap(store->chunks, CHUNKS * sizeof *store->chunks);
    if (store->arena != NULL)
        munmap(store->arena, store->arena_size);
    if (store->slots != NULL)
        munmap(store->slots, store->slot_count * sizeof(u32));
    pthread_mutex_destroy(&store->change);
    free(store);
}

struct store_writer *store_writer(struct store *store, int worker)
{
    if (store->writers[worker] == NULL)
        store->writers[worker] = calloc(1, sizeof(struct store_writer));
    if (store->writers[worker] != NULL)
        store->writers[worker]->store = store;
    return store->writers[worker];
}

/* ---- classes and pieces ---- */

static struct class *start_class(struct store *store, u32 number, u32 length)
{
    pthread_mutex_lock(&store->change);
    struct class *class = atomic_load(&store->class[number]);
    size_t size = sizeof *class + length * sizeof class->pieces[0];
    if (class == NULL && atomic_load(&store->bytes) + size <= store->limit)
        class = calloc(1, size);
    if (class != NULL && class->length == 0) {
        class->length = length;
        bool grown = true;
        for (u32 i = 0; i < length && grown; i++)
            grown = pieces_grow(&class->pieces[i], &store->bytes, store->limit);
        if (grown) {
            atomic_fetch_add(&store->bytes, size);
            atomic_store_explicit(&store->class[number], class, memory_order_release);
        } else {
            for (u32 i = 0; i < length; i++)
                pieces_free(&class->pieces[i]);
            free(class);
            class = NULL;
        }
    }
    pthread_mutex_unlock(&store->change);
    return class;
}

/* The slow way: the table is full. Another worker may have seen to that meanwhile. */
static u32 grow_and_number(struct store *store, struct pieces *p, u64 key)
{
    u32 number;
    crew_stop_others(store->crew);
    while ((number = pieces_number(p, key)) == PIECES_FULL)
        if (!pieces_grow(p, &store->bytes, store->limit)) {
            set_full(store);
            number = 0;
            break;
        }
    crew_resume(store->crew);
    return number;
}

static inline u32 intern(struct store *store, struct pieces *p, u64 key)
{
    u32 number = pieces_number(p, key);
    return __builtin_expect(number == PIECES_FULL, 0) ? grow_and_number(store, p, key) : number;
}

static inline u64 hash_pair(u64 hash, u64 pair)
{
    hash = (hash ^ pair) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static inline u64 hash_refs(const u32 *refs, u32 length)
{
    u64 hash = 0x2545f4914f6cdd1du;
    u32 i = 0;
    for (; i + 1 < length; i += 2)
        hash = hash_pair(hash, (u64)refs[i] << 32 | refs[i + 1]);
    if (i < length)
        hash = hash_pair(hash, refs[i]);
    return pieces_mix(hash);
}

u32 store_ref_count(u32 size)
{
    return class_length(piece_count(size));
}

struct store_root store_refs(struct store_writer *writer, const u8 *vector, u32 size,
                             const u8 *parent, u32 parent_size, const u32 *parent_refs,
                             u32 *refs)
{
    struct store *store = writer->store;
    const u64 *now = (const u64 *)vector, *old = (const u64 *)parent;
    u32 n = piece_count(size), length = class_length(n);
    struct store_root root = {.class = class_of(n), .refs = refs};
    struct class *class = atomic_load_explicit(&store->class[root.class], memory_order_acquire);
    if (class == NULL)
        class = start_class(store, root.class, length);
    if (class == NULL) {
        set_full(store);
        memset(refs, 0, length * sizeof *refs);
        return root;
    }
    /* numbers are per class: a predecessor of another length is no help */
    u32 m = parent != NULL ? piece_count(parent_size) : 0;
    if (m != n)
        m = 0;
    for (u32 i = 0; i < n; i++)
        refs[i] = i < m && now[i] == old[i] ? parent_refs[i]
                                            : intern(store, &class->pieces[i], now[i]);
    for (u32 i = n; i < length; i++)
        refs[i] = intern(store, &class->pieces[i], 0);
    root.hash = hash_refs(refs, length);
    return root;
}

/* ---- formats, chunks, records ---- */

/* The eight bytes may reach into the next record, which its worker may be writing: those bits
 * are masked off. No race detector can know that. */
__attribute__((no_sanitize("thread"))) static inline u32
read_number(const u8 *record, const struct format *f, u32 i)
{
    u64 word;
    memcpy(&word, record + f->bit[i] / 8, sizeof word); /* little endian; see SLACK */
    return (u32)(word >> f->bit[i] % 8) & f->mask[i];
}

#define SLACK 8 /* bytes behind a chunk's records that reading may touch */

static bool fits(const struct format *f, const u32 *refs)
{
    for (u32 i = 0; i < f->length; i++)
        if (refs[i] > f->mask[i])
            return false;
    return true;
}

/* As many bits as the numbers known so far need. */
static struct format *new_format(struct store *store, u32 number)
{
    const struct class *class = atomic_load(&store->class[number]);
    size_t size = sizeof(struct format) + 2 * class->length * sizeof(u32);
    struct format *f = calloc(1, size);
    if (f == NULL)
        return NULL;
    u32 at = 0;
    f->length = class->length;
    f->class = number;
    f->pieces = class->pieces;
    f->mask = (u32 *)(f + 1);
    f->bit = f->mask + class->length;
    for (u32 i = 0; i < class->length; i++) {
        u32 count = atomic_load(&class->pieces[i].count);
        count = count < class->pieces[i].room ? count : class->pieces[i].room;
        u32 bits = count <= 1 ? 0 : 32 - (u32)__builtin_clz(count - 1);
        f->mask[i] = (u32)(((u64)1 << bits) - 1);
        f->bit[i] = at;
        at += bits;
    }
    f->size = at > 0 ? (at + 7) / 8 : 1;
    f->next = store->formats;
    store->formats = f;
    atomic_fetch_add(&store->bytes, size);
    return f;
}

static const struct format *format_for(struct store *store, u32 number, const u32 *refs)
{
    struct class *class = atomic_load(&store->class[number]);
    pthread_mutex_lock(&store->change);
    struct format *f = class->format;
    if (f == NULL || !fits(f, refs))
        f = new_format(store, number);
    if (f != NULL)
        class->format = f;
    pthread_mutex_unlock(&store->change);
    return f;
}

static bool rebuild_slots(struct store *store, u64 slot_count, u32 number_bits);

/* A new chunk for this worker that takes such a record. */
static bool open_chunk(struct store_writer *w, u32 class, const u32 *refs)
{
    struct store *store = w->store;
    struct open_chunk *open = &w->open[class];
    const struct format *f = format_for(store, class, refs);
    if (f == NULL)
        return false;
    size_t extra = (size_t)STORE_CHUNK * store->extra;
    size_t size = (extra + (size_t)STORE_CHUNK * f->size + SLACK + 63) & ~(size_t)63;
    if (atomic_load(&store->bytes) + size > store->limit)
        return false;
    u32 number = atomic_fetch_add(&store->chunk_count, 1);
    size_t at = atomic_fetch_add(&store->arena_used, size);
    if (number >= CHUNKS - 1 || at + size > store->arena_size)
        return false;
    atomic_fetch_add(&store->bytes, size);
    store->chunks[number] = (struct chunk){f, store->arena + at + extra, store->arena + at, 0};
    *open = (struct open_chunk){f, number * STORE_CHUNK, 0};
    bool room = true;
    if ((u64)(number + 1) * STORE_CHUNK >= (u64)1 << store->number_bits) {
        crew_stop_others(store->crew);
        if ((u64)(number + 1) * STORE_CHUNK >= (u64)1 << store->number_bits)
            room = rebuild_slots(store, store->slot_count, store->number_bits + 1);
        crew_resume(store->crew);
    }
    return room;
}

static void write_record(u8 *to, const struct format *f, const u32 *refs)
{
    u64 word = 0;
    u32 filled = 0;
    u8 *at = to;
    for (u32 i = 0; i < f->length; i++) {
        u32 bits = 32 - (f->mask[i] == 0 ? 32 : (u32)__builtin_clz(f->mask[i]));
        word |= (u64)refs[i] << filled;
        filled += bits;
        while (filled >= 8) {
            *at++ = (u8)word;
            word >>= 8;
            filled -= 8;
        }
    }
    if (filled > 0)
        *at = (u8)word;
}

/* Where the next record of this class goes; written, not yet to be found. */
static bool prepare_record(struct store_writer *w, struct store_root root, u32 *number)
{
    struct open_chunk *open = &w->open[root.class];
    if (open->format == NULL || open->used == STORE_CHUNK || !fits(open->format, root.refs))
        if (!open_chunk(w, root.class, root.refs)) {
            set_full(w->store);
            return false;
        }
    const struct chunk *chunk = &w->store->chunks[open->first / STORE_CHUNK];
    write_record(chunk->records + (size_t)open->used * open->format->size, open->format,
                 root.refs);
    *number = open->first + open->used;
    return true;
}

static inline bool matches(const struct store *store, u32 number, struct store_root root)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    const u8 *record = chunk->records + (size_t)(number % STORE_CHUNK) * f->size;
    if (f->class != root.class)
        return false;
    for (u32 i = 0; i < f->length; i++)
        if (read_number(record, f, i) != root.refs[i])
            return false;
    return true;
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

static u64 hash_record(const struct format *f, const u8 *record)
{
    u64 hash = 0x2545f4914f6cdd1du;
    u32 i = 0;
    for (; i + 1 < f->length; i += 2)
        hash = hash_pair(hash,
                         (u64)read_number(record, f, i) << 32 | read_number(record, f, i + 1));
    if (i < f->length)
        hash = hash_pair(hash, read_number(record, f, i));
    return pieces_mix(hash);
}

#define TOGETHER 16u /* records whose slots are fetched at once */

/* A chunk's records into the new table. */
static void enter_chunk(const struct chunk *chunk, u32 first, _Atomic u32 *slots,
                        u64 slot_count, u32 number_bits)
{
    for (u32 from = 0; from < chunk->used; from += TOGETHER) {
        u64 hashes[TOGETHER];
        u32 count = chunk->used - from < TOGETHER ? chunk->used - from : TOGETHER;
        for (u32 i = 0; i < count; i++) {
            hashes[i] = hash_record(chunk->format,
                                    chunk->records + (size_t)(from + i) * chunk->format->size);
            __builtin_prefetch((const void *)&slots[scale(hashes[i], slot_count)], 1);
        }
        for (u32 i = 0; i < count; i++) {
            u64 at = scale(hashes[i], slot_count);
            while (atomic_load_explicit(&slots[at], memory_order_relaxed) != 0)
                at = at + 1 == slot_count ? 0 : at + 1;
            atomic_store_explicit(&slots[at],
                                  (u32)hashes[i] << number_bits | (first + from + i + 1),
                                  memory_order_relaxed);
        }
    }
}

/* All records into a new table; the other workers stand still. */
static bool rebuild_slots(struct store *store, u64 slot_count, u32 number_bits)
{
    size_t size = slot_count * sizeof(u32);
    bool fits_in = number_bits < 32 && atomic_load(&store->bytes) + size <= store->limit;
    _Atomic u32 *slots = fits_in ? new_slots(slot_count) : NULL;
    if (slots == NULL) {
        set_full(store);
        return false;
    }
    u32 chunks = atomic_load(&store->chunk_count);
    for (u32 i = 0; i < chunks; i++)
        enter_chunk(&store->chunks[i], i * STORE_CHUNK, slots, slot_count, number_bits);
    munmap(store->slots, store->slot_count * sizeof(u32));
    atomic_fetch_add(&store->bytes, size);
    atomic_fetch_sub(&store->bytes, store->slot_count * sizeof(u32));
    store->slots = slots;
    store->slot_count = slot_count;
    store->number_bits = number_bits;
    store->generation++;
    return true;
}

static bool crowded(const struct store *store)
{
    return atomic_load(&store->count) * 5 > store->slot_count * 4;
}

/* Tell the others how many there are, and make room in time. */
static void count_added(struct store_writer *w)
{
    struct store *store = w->store;
    atomic_fetch_add(&store->count, w->unsaid);
    w->unsaid = 0;
    if (!crowded(store))
        return;
    crew_stop_others(store->crew);
    if (crowded(store)) { /* entering all anew is dear; memory is no matter while small */
        u64 now = store->slot_count;
        u64 larger = now < SMALL_TABLE ? 4 * now : now < LARGE_TABLE ? 2 * now : now + now / 2;
        u32 bits = 65 - (u32)__builtin_clzll(larger); /* numbers have gaps: twice the slots */
        rebuild_slots(store, larger, bits > store->number_bits ? bits : store->number_bits);
    }
    crew_resume(store->crew);
}

void store_prefetch(const struct store *store, struct store_root root)
{
    __builtin_prefetch((const void *)&store->slots[slot_of(store, root.hash)]);
}

void store_prefetch_record(const struct store *store, struct store_root root)
{
    u32 slot =
        atomic_load_explicit(&store->slots[slot_of(store, root.hash)], memory_order_acquire);
    u32 mask = (u32)(((u64)1 << store->number_bits) - 1);
    if (slot == 0 || (slot & ~mask) != tag_of(store, root.hash))
        return;
    store_prefetch_state(store, (slot & mask) - 1);
}

void store_prefetch_state(const struct store *store, u32 number)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    __builtin_prefetch(chunk->records + (size_t)(number % STORE_CHUNK) * chunk->format->size);
}

/* Once the memory is used up nothing is added, so that the table keeps empty slots. */
bool store_add(struct store_writer *w, struct store_root root, u32 *number)
{
    struct store *store = w->store;
    bool prepared = false;
    u32 mine = 0;
    *number = 0;
    if (__builtin_expect(atomic_load_explicit(&store->full, memory_order_relaxed), 0))
        return false;
again:;
    u32 generation = store->generation;
    u32 mask = (u32)(((u64)1 << store->number_bits) - 1), tag = tag_of(store, root.hash);
    u64 at = slot_of(store, root.hash);
    for (;; at = at + 1 == store->slot_count ? 0 : at + 1) {
        u32 slot = atomic_load_explicit(&store->slots[at], memory_order_acquire);
        if (slot == 0) {
            if (!prepared) {
                if (!prepare_record(w, root, &mine))
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
        if ((slot & ~mask) == tag && matches(store, (slot & mask) - 1, root)) {
            *number = (slot & mask) - 1;
            return false;
        }
    }
    *number = mine;
    store->chunks[mine / STORE_CHUNK].used = ++w->open[root.class].used;
    if (++w->unsaid == FLUSH)
        count_added(w);
    return true;
}

void store_get(const struct store *store, u32 number, u8 *vector, u32 *refs)
{
    const struct chunk *chunk = &store->chunks[number / STORE_CHUNK];
    const struct format *f = chunk->format;
    const u8 *record = chunk->records + (size_t)(number % STORE_CHUNK) * f->size;
    u64 *pieces = (u64 *)vector;
    for (u32 i = 0; i < f->length; i++) {
        refs[i] = read_number(record, f, i);
        pieces[i] = f->pieces[i].keys[refs[i]];
    }
}

void *store_extra(const struct store *store, u32 number)
{
    return store->chunks[number / STORE_CHUNK].extra +
           (size_t)(number % STORE_CHUNK) * store->extra;
}

u32 store_end(const struct store *store)
{
    return atomic_load(&store->chunk_count) * STORE_CHUNK;
}

u64 store_count(const struct store *store)
{
    u64 total = atomic_load(&store->count);
    for (int i = 0; i < store->writer_count; i++)
        total += store->writers[i] != NULL ? store->writers[i]->unsaid : 0;
    return total;
}

size_t store_bytes(const struct store *store)
{
    return atomic_load(&store->bytes);
}

bool store_full(const struct store *store)
{
    return atomic_load_explicit(&store->full, memory_order_relaxed);
}

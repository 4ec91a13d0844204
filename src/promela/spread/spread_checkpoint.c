/* Checkpoints of a spread search: what each rank needs to continue after it was killed.
 *
 * Most of this is the states. They never change, so each is written to a journal once, when it
 * is stored. A checkpoint is the length of the journal at a moment when no rank expands
 * anything and no message is under way, together with everything else that the rank knows then:
 *
 *      FOLDER/rank-3.states    states in the order in which they were stored
 *      FOLDER/rank-3.7         checkpoint 7: length, counts, shapes, origins, labels, queue
 *      FOLDER/current          which checkpoint is complete on all ranks, of which search
 *
 * The journal holds the difference between each state and the one before, eight bytes at a
 * time. To resume, the states are stored again in the same order, which gives them the same
 * numbers; a hash of all numbers is compared, because lineage and queue refer to them.
 * `current` is replaced only when every rank has its part on the disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/must.h"
#include "host/files.h"
#include "host/say.h"
#include "promela/spread/spread_inside.h"

#define MAGIC UINT64_C(0x31304b435a414d20)

struct journal {
    char *folder;
    FILE *states;
    uint64_t length; /* of `states`, in bytes */
    uint64_t count;  /* … in states */
    uint64_t generation;
    uint64_t identity;
    uint8_t *last; /* the state before, zero behind its end */
    bool failed;
};

/* A file with a checksum of everything that was read or written. */
struct checkpoint_part {
    FILE *file;
    uint64_t sum;
    bool good;
};

struct part_head {
    uint64_t magic, identity, generation;
    uint32_t rank, ranks, pids, level;
    uint64_t journal_length, journal_count;
    uint64_t states, transitions, errors, deepest, numbers_hash;
    uint32_t shapes, extra, store_end, transition_count;
    uint64_t visits, reached, before;
    /* what only the first rank knows */
    struct failure failure;
    uint32_t failed_at;
    int failed_rank, preemptions, bound_reached;
    uint64_t states_before;
};

struct shape_row {
    uint32_t without, process, type;
};

static char *part_path(const struct journal *j, int rank, uint64_t generation)
{
    return generation == 0 ? format_text("%s/rank-%d.states", j->folder, rank)
                           : format_text("%s/rank-%d.%llu", j->folder, rank,
                                         (unsigned long long)generation);
}

static bool complain_of_file(const char *path, const char *why)
{
    complain("%s: %s", path, why);
    return false;
}

/* --- a part --- */

static void add_to_sum(struct checkpoint_part *p, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        p->sum = hash_join(p->sum, word);
    }
    for (; size > 0; at++, size--)
        p->sum = hash_join(p->sum, *at);
}

static void put_bytes(struct checkpoint_part *p, const void *bytes, size_t size)
{
    p->good = p->good && (size == 0 || fwrite(bytes, size, 1, p->file) == 1);
    add_to_sum(p, bytes, size);
}

static bool get_bytes(struct checkpoint_part *p, void *bytes, size_t size)
{
    p->good = p->good && (size == 0 || fread(bytes, size, 1, p->file) == 1);
    if (p->good)
        add_to_sum(p, bytes, size);
    return p->good;
}

/* --- the journal --- */

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    return complain_of_file(path, strerror(errno));
}

static uint64_t current_generation(struct spread_rank *s, const struct journal *j)
{
    char *path = format_text("%s/current", j->folder);
    FILE *file = fopen(path, "re");
    unsigned long long identity = 0, generation = 0;
    int ranks = 0;
    unsigned pids = 0;
    bool found = file &&
                 fscanf(file, "mazur-mpi checkpoint %llu of %llx on %d ranks, %u processes",
                        &generation, &identity, &ranks, &pids) == 4 &&
                 (pids == LABEL_FEW || pids == LABEL_MANY);
    if (file)
        fclose(file);
    if (s->setup.resume && s->net.rank == 0) {
        if (!found)
            complain("%s: no checkpoint there: the search starts from the beginning",
                     j->folder);
        else if (identity != j->identity)
            complain("%s: the checkpoint belongs to a different model or bound", j->folder);
        else if (ranks != s->net.ranks)
            complain("%s: the checkpoint was made by %d ranks, not %d", j->folder, ranks,
                     s->net.ranks);
    }
    free(path);
    bool ours = found && identity == j->identity && ranks == s->net.ranks;
    if (ours)
        s->setup.pids = pids;
    return ours ? generation : found && s->setup.resume ? UINT64_MAX : 0;
}

/* The states that it refers to are about to be replaced. */
static void forget_current(const struct journal *j)
{
    char *path = format_text("%s/current", j->folder);
    unlink(path);
    free(path);
}

struct journal *journal_open(struct spread_rank *s)
{
    struct journal *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->folder = format_text("%s", s->setup.folder);
    j->identity = spread_identity(s->verifier);
    j->last = calloc(1, VECTOR_BYTES);
    char *path = part_path(j, s->net.rank, 0);
    bool good = j->last && make_folder(j->folder);
    if (good) {
        if (s->setup.resume)
            j->generation = current_generation(s, j);
        else if (s->net.rank == 0)
            forget_current(j);
        j->states = fopen(path, j->generation > 0 ? "r+be" : "w+be");
        good = j->generation != UINT64_MAX && j->states;
        if (!j->states)
            complain_of_file(path, strerror(errno));
    }
    free(path);
    if (good)
        return j;
    journal_close(j);
    return NULL;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->states)
        fclose(j->states);
    free(j->folder);
    free(j->last);
    free(j);
}

uint64_t journal_generation(const struct journal *j)
{
    return j->generation;
}

static void append_journal(struct journal *j, const void *bytes, size_t size)
{
    j->failed |= fwrite(bytes, size, 1, j->states) != 1;
    j->length += size;
}

void journal_add(struct journal *j, const uint8_t *vector, uint32_t size)
{
    uint32_t words = (size + 7) / 8, changes = 0;
    for (uint32_t i = 0; i < words; i++)
        changes += memcmp(vector + 8 * i, j->last + 8 * i, 8) != 0;
    append_journal(j, &(uint32_t[2]){size, changes}, 8);
    for (uint32_t i = 0; i < words; i++) {
        if (memcmp(vector + 8 * i, j->last + 8 * i, 8) == 0)
            continue;
        append_journal(j, &i, 4);
        append_journal(j, vector + 8 * i, 8);
        memcpy(j->last + 8 * i, vector + 8 * i, 8);
    }
    j->count++;
}

/* The next state of the journal, into `last`. */
static bool read_journal(struct journal *j, uint32_t *size)
{
    uint32_t head[2], at;
    if (fread(head, sizeof head, 1, j->states) != 1 || head[0] > VECTOR_BYTES - 64)
        return false;
    *size = head[0];
    j->length += sizeof head;
    for (uint32_t i = 0; i < head[1]; i++) {
        if (fread(&at, 4, 1, j->states) != 1 || at >= VECTOR_BYTES / 8 ||
            fread(j->last + 8 * at, 8, 1, j->states) != 1)
            return false;
        j->length += 12;
    }
    j->count++;
    return true;
}

/* --- saving --- */

static void put_shapes(struct checkpoint_part *p, const struct spread_rank *s, uint32_t count)
{
    for (uint32_t id = 1; id < count; id++) {
        const struct shape *shape = shapes_get(s->verifier->shapes, id);
        uint32_t type = shape->is_process ? shape->type[shape->processes - 1]
                                          : shape->channel_type[shape->channels - 1];
        struct shape_row row = {shape->without->id, shape->is_process, type};
        put_bytes(p, &row, sizeof row);
    }
}

static bool flush_file(FILE *file)
{
    return fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
}

static struct part_head head_of(const struct spread_rank *s, uint64_t generation)
{
    const struct journal *j = s->journal;
    const struct lead *l = &s->lead;
    return (struct part_head){.magic = MAGIC,
                              .identity = j->identity,
                              .generation = generation,
                              .rank = (uint32_t)s->net.rank,
                              .ranks = (uint32_t)s->net.ranks,
                              .pids = s->setup.pids,
                              .level = (uint32_t)s->level,
                              .journal_length = j->length,
                              .journal_count = j->count,
                              .states = s->states,
                              .transitions = s->transitions,
                              .errors = s->errors,
                              .deepest = s->deepest,
                              .numbers_hash = s->numbers_hash,
                              .shapes = shapes_count(s->verifier->shapes),
                              .extra = (uint32_t)sizeof(struct origin) + s->label_size,
                              .store_end = store_end(s->store),
                              .transition_count = s->verifier->transition_count,
                              .visits = s->visits.count,
                              .reached = s->reached_count,
                              .before = s->before_count,
                              .failure = l->failure,
                              .failed_at = l->failed_at,
                              .failed_rank = l->failed_rank,
                              .preemptions = s->verifier->trail.preemptions,
                              .bound_reached = s->verifier->bound_reached,
                              .states_before = l->before.states};
}

static void put_part(struct checkpoint_part *p, const struct spread_rank *s,
                     uint64_t generation)
{
    struct part_head head = head_of(s, generation);
    put_bytes(p, &head, sizeof head);
    put_shapes(p, s, head.shapes);
    for (uint32_t n = 0; n < head.store_end; n++)
        put_bytes(p, store_extra(s->store, n), head.extra);
    for (uint64_t i = 0; i < head.visits;
         i++) /* as they are read: the checksum goes by calls */
        put_bytes(p, &s->visits.data[s->visits.first + i], sizeof(struct rank_visit));
    put_bytes(p, s->reached, head.reached * sizeof *s->reached);
    put_bytes(p, s->before, head.before * sizeof *s->before);
    for (uint32_t i = 0; i < head.transition_count; i++) {
        uint8_t reached = s->verifier->reached ? atomic_load(&s->verifier->reached[i]) : 0;
        put_bytes(p, &reached, 1);
    }
    uint64_t sum = p->sum;
    put_bytes(p, &sum, sizeof sum);
}

bool journal_save(struct spread_rank *s, uint64_t generation)
{
    struct journal *j = s->journal;
    char *path = part_path(j, s->net.rank, generation);
    struct checkpoint_part part = {.file = fopen(path, "wbe"), .good = true};
    bool good = part.file && !j->failed && flush_file(j->states);
    if (good) {
        put_part(&part, s, generation);
        good = part.good && flush_file(part.file);
    }
    if (part.file && fclose(part.file) != 0)
        good = false;
    if (!good)
        complain_of_file(path, strerror(errno));
    free(path);
    if (good && generation > 2) { /* the last but one may still be the valid one */
        path = part_path(j, s->net.rank, generation - 2);
        unlink(path);
        free(path);
    }
    return good;
}

bool journal_commit(struct spread_rank *s, uint64_t generation)
{
    struct journal *j = s->journal;
    char *path = format_text("%s/current", j->folder);
    char *text = format_text("mazur-mpi checkpoint %llu of %016llx on %d ranks, %u processes\n",
                             (unsigned long long)generation, (unsigned long long)j->identity,
                             s->net.ranks, s->setup.pids);
    int error = replace_file(path, text);
    if (error != 0)
        complain_of_file(path, strerror(error));
    free(path);
    free(text);
    return error == 0;
}

/* --- going on --- */

static bool read_shapes(struct checkpoint_part *p, struct spread_rank *s, uint32_t count)
{
    struct shapes *shapes = s->verifier->shapes;
    struct shape_row row;
    for (uint32_t id = 1; id < count; id++) {
        if (!get_bytes(p, &row, sizeof row) || row.without >= id)
            return false;
        const struct shape *before = shapes_get(shapes, row.without);
        uint32_t types = row.process ? (uint32_t)s->verifier->model->proctype_count
                                     : (uint32_t)s->verifier->model->channel_type_count;
        const struct shape *made =
            row.type < types ? shapes_extend(shapes, before, row.process != 0, row.type) : NULL;
        if (!made || made->id != id)
            return false;
    }
    return true;
}

/* Every state again, in the order of the journal. */
static bool store_again(struct spread_rank *s, const struct part_head *head)
{
    struct journal *j = s->journal;
    s->journal = NULL; /* these are in it */
    bool good = true, fresh = true;
    uint32_t size, number;
    while (good && fresh && j->count < head->journal_count)
        good = read_journal(j, &size) &&
               spread_add(s, j->last, size, NULL, 0, NULL, &number, &fresh);
    s->journal = j;
    return good && fresh && j->length == head->journal_length &&
           s->numbers_hash == head->numbers_hash && store_end(s->store) == head->store_end &&
           s->states == head->states;
}

static bool read_list(struct checkpoint_part *p, struct spread_rank *s, uint32_t **list,
                      size_t *count, size_t *room, uint64_t length)
{
    if (length > s->states)
        return false;
    *list = malloc((length + 1) * sizeof **list);
    *count = *room = length;
    if (!*list || !get_bytes(p, *list, length * sizeof **list))
        return false;
    for (uint64_t i = 0; i < length; i++)
        if ((*list)[i] >= store_end(s->store))
            return false;
    return true;
}

static bool read_visits(struct checkpoint_part *p, struct spread_rank *s, uint64_t count)
{
    struct rank_visit visit;
    for (uint64_t i = 0; i < count; i++)
        if (!get_bytes(p, &visit, sizeof visit) || visit.number >= store_end(s->store) ||
            !spread_push(s, visit))
            return false;
    return true;
}

static bool read_part(struct checkpoint_part *p, struct spread_rank *s)
{
    struct journal *j = s->journal;
    struct part_head head;
    uint64_t sum, counted;
    if (!get_bytes(p, &head, sizeof head) || head.magic != MAGIC ||
        head.identity != j->identity || head.generation != j->generation ||
        head.rank != (uint32_t)s->net.rank || head.ranks != (uint32_t)s->net.ranks ||
        head.transition_count != s->verifier->transition_count ||
        head.extra != sizeof(struct origin) + s->label_size ||
        !read_shapes(p, s, head.shapes) || !store_again(s, &head))
        return false;
    for (uint32_t n = 0; n < head.store_end; n++)
        if (!get_bytes(p, store_extra(s->store, n), head.extra))
            return false;
    if (!read_visits(p, s, head.visits) ||
        !read_list(p, s, &s->reached, &s->reached_count, &s->reached_room, head.reached) ||
        !read_list(p, s, &s->before, &s->before_count, &s->before_room, head.before))
        return false;
    for (uint32_t i = 0; i < head.transition_count; i++) {
        uint8_t reached;
        if (get_bytes(p, &reached, 1) && reached && s->verifier->reached)
            atomic_store(&s->verifier->reached[i], 1);
    }
    counted = p->sum;
    if (!get_bytes(p, &sum, sizeof sum) || sum != counted)
        return false;
    s->lead.failure = head.failure;
    s->lead.failed_at = head.failed_at;
    s->lead.failed_rank = head.failed_rank;
    s->lead.before.states = head.states_before;
    s->verifier->trail.preemptions = head.preemptions;
    s->verifier->bound_reached = head.bound_reached;
    s->level = (int)head.level;
    s->transitions = head.transitions;
    s->errors = head.errors;
    s->deepest = head.deepest;
    return true;
}

bool journal_load(struct spread_rank *s, bool *found)
{
    struct journal *j = s->journal;
    *found = j->generation > 0;
    if (!*found)
        return true;
    char *path = part_path(j, s->net.rank, j->generation);
    struct checkpoint_part part = {.file = fopen(path, "rbe"), .good = true};
    bool good = part.file && read_part(&part, s);
    if (part.file)
        fclose(part.file);
    /* states after the checkpoint, which it does not know */
    good = good && fseek(j->states, (long)j->length, SEEK_SET) == 0 &&
           ftruncate(fileno(j->states), (off_t)j->length) == 0;
    if (!good)
        complain("%s: this part of the checkpoint is missing or damaged", path);
    free(path);
    return good;
}

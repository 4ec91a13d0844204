/* One rank of a spread search: its queue, what arrives, orders, turns. See spread.h. */
#include "promela/spread/spread.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/must.h"
#include "promela/code/codegen.h"
#include "promela/spread/spread_inside.h"

#define GROUP        16u   /* states that are expanded between two checks for messages */
#define FLUSH_EVERY  1024u /* … and so many before a batch is sent that is not full */
#define FIRST_VISITS 4096u

const char *spread_refusal(const struct verifier *v)
{
    if (v->model->uses_c)
        return "mazur-mpi can't search models with embedded C; use mazur model";
    if (v->options->store != STORE_EXACT)
        return "--store: mazur-mpi stores states exactly";
    if (v->options->search != SEARCH_DFS)
        return "--search: mazur-mpi can't choose the order of states; use mazur model";
    if (v->options->por && v->options->por_given)
        return "--por on: mazur-mpi searches without reduction";
    return NULL;
}

uint64_t spread_identity(const struct verifier *v)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return 0;
    code_generate(v->model, out);
    bool good = fclose(out) == 0;
    uint64_t hash = (uint64_t)(uint32_t)v->options->bound | 1;
    for (size_t i = 0; good && i < length; i++)
        hash = hash_join(hash, (uint8_t)text[i]);
    free(text);
    return good ? hash | 1 : 0;
}

/* --- states --- */

struct origin spread_origin(const struct spread_rank *s, uint32_t number)
{
    struct origin origin;
    memcpy(&origin, store_extra(s->store, number), sizeof origin);
    return origin;
}

struct state_label *spread_label(const struct spread_rank *s, uint32_t number)
{
    return (void *)((uint8_t *)store_extra(s->store, number) + sizeof(struct origin));
}

void spread_fetch(struct spread_rank *s, uint32_t number)
{
    s->current = number;
    s->shape = stored_state(s->verifier, s->store, number, s->vector, s->key);
}

bool spread_push(struct spread_rank *s, struct rank_visit visit)
{
    struct visits *q = &s->visits;
    if (q->first + q->count == q->room && q->first >= q->room / 2 && q->room > 0) {
        memmove(q->data, q->data + q->first, q->count * sizeof *q->data);
        q->first = 0;
    }
    if (q->first + q->count == q->room) {
        size_t room = q->room == 0 ? FIRST_VISITS : q->room + q->room / 2;
        struct rank_visit *data = realloc(q->data, room * sizeof *data);
        if (!data) {
            spread_halt(s, "memory");
            return false;
        }
        q->data = data;
        q->room = room;
    }
    q->data[q->first + q->count++] = visit;
    return true;
}

bool spread_add(struct spread_rank *s, const uint8_t *vector, uint32_t size,
                const uint8_t *parent, uint32_t parent_size, const uint64_t *parent_key,
                uint32_t *number, bool *fresh)
{
    *fresh = store_add(
        s->writer,
        store_key(s->writer, vector, size, parent, parent_size, parent_key, s->arriving_key),
        number);
    if (store_full(s->store)) { /* then "not new" means nothing */
        spread_halt(s, "memory limit");
        return false;
    }
    if (!*fresh)
        return true;
    s->states++;
    s->numbers_hash = hash_join(s->numbers_hash, *number);
    if (s->journal)
        journal_add(s->journal, vector, size);
    return true;
}

static void take_batch(struct spread_rank *s, int from, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes + WIRE_WHOLE, *end = bytes + size;
    const struct shape *shape;
    struct wire_state state;
    uint32_t word, number;
    bool fresh;
    memcpy(&word, bytes, sizeof word);
    s->received++;
    if ((int)(word >> MESSAGE_LEVEL_SHIFT) > s->level)
        begin_level(s, (int)(word >> MESSAGE_LEVEL_SHIFT));
    while ((shape = wire_take(&s->wire, from, &at, end, s->arriving, &state)) && !s->halted) {
        if (!spread_add(s, s->arriving, shape->size, NULL, 0, NULL, &number, &fresh))
            return;
        if (fresh)
            memcpy(store_extra(s->store, number),
                   &(struct origin){state.parent, (uint16_t)from}, sizeof(struct origin));
        if (!s->stopped)
            arrive_with(s, number, fresh, state);
    }
}

/* --- messages --- */

void spread_tell(struct spread_rank *s, int to, struct spread_message message)
{
    if (to == s->net.rank)
        lead_hear(s, to, &message, NULL, 0);
    else
        s->net.send(s->net.context, to, &message, sizeof message);
}

void spread_halt(struct spread_rank *s, const char *why)
{
    if (s->halted)
        return;
    struct spread_message message = {.kind = MESSAGE_HALT, .partner = s->more_pids};
    s->halted = why;
    s->stopped = true;
    snprintf(message.text, sizeof message.text, "%s", why);
    spread_tell(s, 0, message);
}

static size_t spread_bytes(struct spread_rank *s)
{
    size_t beside = s->visits.room * sizeof(struct rank_visit) + s->wire.room + s->pool_room +
                    (s->reached_room + s->before_room) * sizeof(uint32_t);
    return store_bytes_with(s->store, beside);
}

static bool has_to_send(const struct spread_rank *s)
{
    for (int i = 0; i < s->net.ranks; i++)
        if (s->wire.peer[i].size > 0)
            return true;
    return false;
}

struct spread_message spread_counts(const struct spread_rank *s)
{
    bool rests = s->stopped || s->paused || (s->visits.count == 0 && s->before_count == 0);
    return (struct spread_message){.kind = MESSAGE_COUNT,
                                   .sent = s->sent,
                                   .received = s->received,
                                   .states = s->states,
                                   .transitions = s->transitions,
                                   .reached = s->reached_count,
                                   .bytes = store_bytes(s->store),
                                   .errors = s->errors,
                                   .depth = s->deepest,
                                   .idle = rests && !has_to_send(s)};
}

static void say_farewell(struct spread_rank *s, bool look_beyond)
{
    const struct verifier *v = s->verifier;
    if (v->reached && s->net.rank != 0) {
        size_t size = sizeof(struct spread_message) + v->transition_count;
        uint8_t *bytes = calloc(1, size);
        must(bytes);
        ((struct spread_message *)bytes)->kind = MESSAGE_REACHED;
        for (uint32_t i = 0; i < v->transition_count; i++)
            bytes[sizeof(struct spread_message) + i] = atomic_load(&v->reached[i]);
        s->net.send(s->net.context, 0, bytes, size);
        free(bytes);
    }
    struct spread_message message = spread_counts(s);
    message.kind = MESSAGE_FAREWELL;
    message.bytes = spread_bytes(s);
    message.number = look_beyond && steps_beyond(s);
    message.partner = s->more_pids;
    if (s->macro.cut_by)
        snprintf(message.text, sizeof message.text, "%s", s->macro.cut_by);
    s->over = s->net.rank != 0;
    spread_tell(s, 0, message);
}

static void save_checkpoint(struct spread_rank *s, uint64_t generation)
{
    struct spread_message message = {.kind = MESSAGE_SAVED, .number = generation};
    if (!journal_save(s, generation))
        spread_halt(s, "checkpoint that can't be written");
    spread_tell(s, 0, message);
}

void spread_order(struct spread_rank *s, const struct spread_message *m)
{
    switch ((enum order)m->order) {
    case ORDER_LEVEL:
        if ((int)m->number > s->level)
            begin_level(s, (int)m->number);
        break;
    case ORDER_PAUSE:
        s->paused = true;
        break;
    case ORDER_SAVE:
        save_checkpoint(s, m->number);
        break;
    case ORDER_GO_ON:
        s->paused = false;
        break;
    case ORDER_STOP:
        s->stopped = true;
        s->more_pids |= m->partner != 0;
        break;
    case ORDER_END:
        say_farewell(s, m->number != 0);
        break;
    }
}

/* Answers which state this is, with a message and a batch of one record. */
void spread_answer(struct spread_rank *s, uint32_t number)
{
    struct outgoing *out = &s->wire.peer[0];
    struct origin origin = spread_origin(s, number);
    struct spread_message head = {
        .kind = MESSAGE_TOLD, .parent = origin.number, .partner = origin.rank};
    spread_fetch(s, number);
    must(out->size == 0);
    if (out->known_room > 0) /* its last record may have been in a batch that was dropped */
        memset(out->known, 0, out->known_room);
    must(wire_put_always(&s->wire, 0, s->vector, s->shape, (struct wire_state){0}));
    size_t size = sizeof head + out->size;
    uint8_t *bytes = malloc(size);
    must(bytes);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, out->bytes, out->size);
    out->size = 0;
    if (s->net.rank == 0)
        lead_hear(s, 0, &head, bytes + sizeof head, size - sizeof head);
    else
        s->net.send(s->net.context, 0, bytes, size);
    free(bytes);
}

static void take_message(struct spread_rank *s, int from, const uint8_t *bytes, size_t size)
{
    struct spread_message m;
    uint32_t word;
    must(size >= sizeof word);
    memcpy(&word, bytes, sizeof word);
    if ((word & MESSAGE_KIND_MASK) == MESSAGE_STATES) {
        take_batch(s, from, bytes, size);
        return;
    }
    must(size >= sizeof m);
    memcpy(&m, bytes, sizeof m);
    if (m.kind == MESSAGE_PROBE) {
        struct spread_message answer = spread_counts(s);
        answer.round = m.round;
        spread_tell(s, 0, answer);
    } else if (m.kind == MESSAGE_ORDER) {
        spread_order(s, &m);
    } else if (m.kind == MESSAGE_ASK) {
        must(m.number < store_end(s->store));
        spread_answer(s, (uint32_t)m.number);
    } else {
        lead_hear(s, from, &m, bytes + sizeof m, size - sizeof m);
    }
}

/* --- turns --- */

/* Sends full batches, or all of them. False: a full one has to wait. */
static bool send_batches(struct spread_rank *s, bool all)
{
    bool free_to_go = true;
    for (int i = 0; i < s->net.ranks; i++) {
        struct outgoing *out = &s->wire.peer[i];
        bool full = out->size >= WIRE_BATCH;
        if (out->size == 0 || (!full && !all))
            continue;
        if (s->net.busy(s->net.context, i)) {
            free_to_go &= !full;
            continue;
        }
        uint32_t word = MESSAGE_STATES | (uint32_t)s->level << MESSAGE_LEVEL_SHIFT;
        memcpy(out->bytes, &word, sizeof word);
        s->net.send(s->net.context, i, out->bytes, out->size);
        out->size = 0;
        s->sent++;
    }
    return free_to_go;
}

static void drop_batches(struct spread_rank *s)
{
    for (int i = 0; i < s->net.ranks; i++)
        s->wire.peer[i].size = 0;
    s->visits.first = s->visits.count = s->before_count = 0;
}

static void look_at_limits(struct spread_rank *s)
{
    struct verifier *v = s->verifier;
    size_t bytes = spread_bytes(s);
    if (bytes > v->bytes)
        v->bytes = bytes;
    if (bytes > v->options->memory)
        spread_halt(s, "memory limit");
    if (macro_ends_search(&s->macro, s->expanded))
        spread_halt(s, s->macro.cut_by);
    if (s->net.rank != 0) /* the first rank watches the clock for all */
        code_poll(v);
}

/* The next task: a state that was reached, or a state of the previous level. */
static bool next_visit(struct spread_rank *s, struct rank_visit *visit)
{
    struct visits *q = &s->visits;
    if (q->count > 0) {
        *visit = q->data[q->first++];
        if (--q->count == 0)
            q->first = 0;
        return true;
    }
    if (s->before_count == 0)
        return false;
    *visit =
        (struct rank_visit){s->before[--s->before_count], (uint32_t)s->deepest, VISIT_PREEMPTS};
    return true;
}

static bool expand_group(struct spread_rank *s)
{
    struct rank_visit visit;
    uint32_t done = 0;
    for (; done < GROUP && !s->stopped && next_visit(s, &visit); done++) {
        visit_state(s, visit);
        if (pace_is_due(&s->pace, ++s->expanded))
            look_at_limits(s);
    }
    return done > 0;
}

bool spread_turn(struct spread_rank *s)
{
    const uint8_t *bytes;
    size_t size;
    int from;
    bool did = false;
    while (!s->over && (bytes = s->net.receive(s->net.context, &from, &size))) {
        take_message(s, from, bytes, size);
        did = true;
    }
    if (s->over)
        return false;
    if (s->stopped)
        drop_batches(s);
    bool rests = s->paused || s->stopped;
    uint64_t before = s->expanded / FLUSH_EVERY;
    if (!rests && send_batches(s, false))
        did |= expand_group(s);
    bool idle = s->paused || (s->visits.count == 0 && s->before_count == 0);
    send_batches(s, idle || s->expanded / FLUSH_EVERY != before);
    if (s->net.rank == 0)
        did |= lead_turn(s);
    return did;
}

bool spread_is_over(const struct spread_rank *s)
{
    return s->over;
}

/* --- the whole --- */

static bool start_search(struct spread_rank *s)
{
    const struct shape *shape = expander_start(&s->macro.expander);
    const uint8_t *vector = s->macro.expander.step.next;
    if (wire_owner(&s->wire, wire_hash(&s->wire, vector, shape)) != s->net.rank)
        return true;
    uint32_t number;
    bool fresh;
    s->transitions++;
    if (!spread_add(s, vector, shape->size, NULL, 0, NULL, &number, &fresh))
        return true;
    memcpy(store_extra(s->store, number), &(struct origin){NOWHERE, 0}, sizeof(struct origin));
    arrive_with(s, number, true, (struct wire_state){NOWHERE, 0, VISIT_ANYBODY, VISIT_NOBODY});
    return true;
}

static bool make_parts(struct spread_rank *s)
{
    struct verifier *v = s->verifier;
    s->label_size = s->bounded ? LABEL_SIZE(s->setup.pids) : 0;
    s->store = store_create(v->options->memory, &s->crew,
                            (uint32_t)sizeof(struct origin) + s->label_size);
    s->writer = s->store ? store_writer(s->store, 0) : NULL;
    s->vector = malloc(VECTOR_BYTES);
    s->arriving = malloc(VECTOR_BYTES);
    s->key = malloc(STORE_ROOM * sizeof *s->key);
    s->arriving_key = malloc(2 * STORE_ROOM * sizeof *s->arriving_key);
    s->macro.emit = hold_or_send;
    s->macro.context = s;
    return s->writer && s->vector && s->arriving && s->key && s->arriving_key &&
           wire_init(&s->wire, v->shapes, s->net.rank, s->net.ranks) &&
           macro_init(&s->macro, v);
}

struct spread_rank *spread_create(struct verifier *v, const struct spread_net *net,
                                  const struct spread_setup *setup)
{
    struct spread_rank *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->verifier = v;
    s->net = *net;
    s->setup = *setup;
    s->bounded = v->options->bound != MODEL_BOUND_NONE;
    crew_init(&s->crew, 1);
    if (setup->folder)
        s->journal = journal_open(s); /* it knows how much room labels need */
    bool ready = (!setup->folder || s->journal) && make_parts(s);
    if (ready && s->journal && setup->resume)
        ready = journal_load(s, &s->resumed);
    if (!ready) {
        spread_free(s);
        return NULL;
    }
    return s;
}

void spread_start(struct spread_rank *s)
{
    if (s->net.rank == 0)
        lead_start(s);
    if (!s->resumed)
        start_search(s);
}

bool spread_finish(struct spread_rank *s)
{
    if (s->net.rank == 0)
        lead_finish(s);
    return !s->more_pids;
}

void spread_free(struct spread_rank *s)
{
    if (!s)
        return;
    journal_close(s->journal);
    lead_free(&s->lead);
    macro_free(&s->macro);
    wire_free(&s->wire);
    store_free(s->store);
    crew_free(&s->crew);
    free(s->vector);
    free(s->arriving);
    free(s->key);
    free(s->arriving_key);
    free(s->visits.data);
    free(s->reached);
    free(s->before);
    free(s->held);
    free(s->pool);
    free(s);
}

/* What the first rank does in addition to its share: it finds out when all work is done, begins
 * bounds, orders checkpoints, ends the search, and asks for the path to a failure.
 *
 * All work is done when no rank has any and no batch is under way. Counting one rank after the
 * other may miss a batch, so the counts are taken in rounds. If all ranks were idle in one
 * round, and as many batches had been received by then as had been sent by the end of the next
 * round, then no batch was under way between the two, and no rank can have started anything
 * (Mattern, "Algorithms for distributed termination detection", 1987: four counters). */
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "promela/spread/spread_inside.h"

#define ROUND_IDLE  0.001 /* seconds between two rounds when this rank has nothing to do */
#define ROUND_BUSY  0.5   /* … when it has work: for the live line */
#define CLOCK_EVERY 64u   /* turns between two looks at the clock */

void lead_start(struct spread_rank *s)
{
    s->lead.next_checkpoint = verifier_clock() + s->setup.every;
    s->lead.asked_rank = -1;
    if (s->journal)
        s->lead.generation = journal_generation(s->journal);
}

void lead_free(struct lead *lead)
{
    for (size_t i = 0; i < lead->told_count; i++)
        free(lead->told[i].vector);
    free(lead->told);
}

/* Sends an order to all ranks. Earlier counts say nothing about what follows. */
static void give_order(struct spread_rank *s, enum order order, uint64_t number)
{
    struct spread_message message = {
        .kind = MESSAGE_ORDER, .order = order, .number = number, .partner = s->lead.more_pids};
    s->lead.last.idle = 0;
    s->lead.asking = false;
    s->lead.answers = 0;
    for (int i = 1; i < s->net.ranks; i++)
        spread_tell(s, i, message);
    spread_order(s, &message);
}

static void stop_search(struct spread_rank *s)
{
    if (s->lead.phase >= LEAD_STOPS)
        return;
    s->lead.phase = LEAD_STOPS;
    give_order(s, ORDER_STOP, 0);
}

/* --- the way to the failure --- */

static void note_told(struct spread_rank *s, int from, const struct spread_message *m,
                      const uint8_t *rest, size_t size)
{
    struct lead *l = &s->lead;
    const uint8_t *at = rest + WIRE_WHOLE;
    struct wire_state state;
    const struct shape *shape =
        wire_take(&s->wire, from, &at, rest + size, s->arriving, &state);
    must(shape);
    l->told = grow_array(l->told, &l->told_room, l->told_count, sizeof *l->told);
    struct told_state *told = &l->told[l->told_count++];
    size_t bytes = (shape->size + 7) & ~7u;
    *told = (struct told_state){malloc(bytes), shape};
    must(told->vector);
    memcpy(told->vector, s->arriving, bytes);
    l->asked_rank = m->parent == NOWHERE ? s->net.ranks : (int)m->partner;
    l->asked = m->parent;
}

static void end_search(struct spread_rank *s)
{
    s->lead.phase = LEAD_GATHERS;
    give_order(s, ORDER_END, s->lead.look_beyond);
}

/* One question per turn, so that a long path does not fill the stack. */
static bool trace_back(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    int rank = l->asked_rank;
    if (rank < 0)
        return false;
    l->asked_rank = -1;
    if (rank == s->net.ranks)
        end_search(s);
    else if (rank == 0)
        spread_answer(s, l->asked);
    else
        spread_tell(s, rank, (struct spread_message){.kind = MESSAGE_ASK, .number = l->asked});
    return true;
}

static void conclude_search(struct spread_rank *s, bool look_beyond)
{
    struct lead *l = &s->lead;
    l->look_beyond = look_beyond;
    if (l->failure.violation == VIOLATION_NONE || l->more_pids) {
        end_search(s);
        return;
    }
    l->phase = LEAD_TRACES;
    l->asked_rank = l->failed_rank;
    l->asked = l->failed_at;
}

static const struct shape *told_state(void *context, uint32_t i, uint8_t *vector)
{
    const struct lead *l = context;
    const struct told_state *told = &l->told[l->told_count - 1 - i];
    memcpy(vector, told->vector, (told->shape->size + 7) & ~7u);
    return told->shape;
}

static uint32_t told_mover(void *context, uint32_t i)
{
    (void)context;
    (void)i;
    return NO_PARTNER;
}

/* --- levels --- */

/* All work of a level, or of the search, is done. */
static void finish_level(struct spread_rank *s, const struct spread_message *sum)
{
    struct lead *l = &s->lead;
    struct verifier *v = s->verifier;
    if (!s->bounded) {
        conclude_search(s, false);
        return;
    }
    if (sum->states > l->before.states) { /* else the level before was the last */
        v->bound_reached = s->level;
        if (s->setup.done)
            s->setup.done(s->setup.context, s->level,
                          (struct level_result){sum->states, sum->transitions});
    }
    l->before = *sum;
    if (s->level == v->options->bound || s->level == (int)LABEL_HIGHEST)
        conclude_search(s, true);
    else if (sum->reached == 0)
        conclude_search(s, false);
    else
        give_order(s, ORDER_LEVEL, (uint64_t)s->level + 1);
}

/* --- rounds --- */

static void all_is_quiet(struct spread_rank *s, const struct spread_message *sum)
{
    struct lead *l = &s->lead;
    if (l->phase == LEAD_SEARCHES) {
        finish_level(s, sum);
    } else if (l->phase == LEAD_PAUSES) {
        l->phase = LEAD_SAVES;
        give_order(s, ORDER_SAVE, l->generation + 1);
    } else if (l->phase == LEAD_STOPS) {
        conclude_search(s, false);
    }
}

static void add_counts(struct spread_message *sum, const struct spread_message *m)
{
    sum->sent += m->sent;
    sum->received += m->received;
    sum->states += m->states;
    sum->transitions += m->transitions;
    sum->reached += m->reached;
    sum->bytes += m->bytes;
    sum->errors += m->errors;
    sum->depth = m->depth > sum->depth ? m->depth : sum->depth;
    sum->idle &= m->idle;
}

static void end_round(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    struct spread_message sum = l->sum;
    bool quiet = l->last.idle && l->last.received == sum.sent;
    l->asking = false;
    l->last = sum;
    l->next_round = verifier_clock() + (sum.idle ? 0 : ROUND_IDLE);
    if (quiet)
        all_is_quiet(s, &sum);
}

static void hear_count(struct spread_rank *s, const struct spread_message *m)
{
    struct lead *l = &s->lead;
    if (!l->asking || m->round != l->round)
        return; /* an answer to a question that an order has made obsolete */
    add_counts(&l->sum, m);
    if (++l->answers == s->net.ranks)
        end_round(s);
}

static void begin_round(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    struct spread_message question = {.kind = MESSAGE_PROBE, .round = ++l->round};
    struct spread_message own = spread_counts(s);
    own.round = l->round;
    l->sum = (struct spread_message){.idle = 1};
    l->asking = true;
    l->answers = 0;
    for (int i = 1; i < s->net.ranks; i++)
        spread_tell(s, i, question);
    hear_count(s, &own);
}

/* --- what the others say --- */

static void hear_failure(struct spread_rank *s, int from, const struct spread_message *m)
{
    struct lead *l = &s->lead;
    if (l->failure.violation == VIOLATION_NONE) {
        l->failure = (struct failure){(enum violation)m->violation, m->fault,
                                      m->fault_transition, NO_PARTNER};
        l->failed_rank = from;
        l->failed_at = (uint32_t)m->number;
        s->verifier->trail.preemptions = s->bounded ? s->level : -1;
    }
    if (!s->verifier->options->keep_going)
        stop_search(s);
}

/* Its name outlives the message. */
static void note_limit(struct spread_rank *s, const char *text)
{
    if (text[0] != '\0')
        verifier_truncate(s->verifier, source_format(&s->verifier->model->source, "%s", text));
}

static void hear_halt(struct spread_rank *s, const struct spread_message *m)
{
    s->lead.more_pids |= m->partner != 0;
    if (!m->partner)
        note_limit(s, m->text);
    stop_search(s);
}

static void hear_saved(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    if (l->phase != LEAD_SAVES || ++l->answers < s->net.ranks)
        return;
    if (!journal_commit(s, ++l->generation)) {
        spread_halt(s, "checkpoint that can't be written");
        return;
    }
    double now = verifier_clock(), took = now - l->next_checkpoint;
    l->phase = LEAD_SEARCHES;
    l->next_checkpoint = now + (s->setup.every > took ? s->setup.every : took);
    give_order(s, ORDER_GO_ON, 0);
}

static void hear_reached(struct spread_rank *s, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < s->verifier->transition_count; i++)
        if (bytes[i])
            atomic_store(&s->verifier->reached[i], 1);
}

static void hear_farewell(struct spread_rank *s, const struct spread_message *m)
{
    struct lead *l = &s->lead;
    add_counts(&l->total, m);
    l->total.number |= m->number;
    note_limit(s, m->text);
    if (++l->answers == s->net.ranks) {
        l->phase = LEAD_IS_OVER;
        s->over = true;
    }
}

void lead_hear(struct spread_rank *s, int from, const struct spread_message *m,
               const uint8_t *rest, size_t size)
{
    must(s->net.rank == 0);
    switch ((enum message_kind)m->kind) {
    case MESSAGE_COUNT:
        hear_count(s, m);
        break;
    case MESSAGE_FAILED:
        hear_failure(s, from, m);
        break;
    case MESSAGE_HALT:
        hear_halt(s, m);
        break;
    case MESSAGE_SAVED:
        hear_saved(s);
        break;
    case MESSAGE_TOLD:
        note_told(s, from, m, rest, size);
        break;
    case MESSAGE_REACHED:
        hear_reached(s, rest, size);
        break;
    case MESSAGE_FAREWELL:
        hear_farewell(s, m);
        break;
    case MESSAGE_STATES:
    case MESSAGE_PROBE:
    case MESSAGE_ORDER:
    case MESSAGE_ASK:
        must(!"a message for the other ranks");
    }
}

/* --- turns --- */

static void look_at_clock(struct spread_rank *s, double now)
{
    struct lead *l = &s->lead;
    if (verifier_must_stop(s->verifier, l->last.states)) {
        stop_search(s);
    } else if (l->phase == LEAD_SEARCHES && s->journal && now > l->next_checkpoint) {
        l->phase = LEAD_PAUSES;
        l->next_checkpoint = now; /* at most half of the time is spent on checkpoints */
        give_order(s, ORDER_PAUSE, 0);
    }
}

bool lead_turn(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    if (l->phase == LEAD_TRACES)
        return trace_back(s);
    if (l->phase == LEAD_GATHERS || l->phase == LEAD_IS_OVER || l->phase == LEAD_SAVES)
        return false;
    bool idle = spread_counts(s).idle;
    if (!idle && ++l->turns % CLOCK_EVERY != 0)
        return false;
    double now = verifier_clock();
    if (l->phase < LEAD_STOPS)
        look_at_clock(s, now);
    if (l->asking || l->phase == LEAD_TRACES || now < l->next_round + (idle ? 0 : ROUND_BUSY))
        return false;
    begin_round(s);
    return true;
}

void lead_finish(struct spread_rank *s)
{
    struct lead *l = &s->lead;
    struct verifier *v = s->verifier;
    v->states = l->total.states;
    v->transitions_seen = l->total.transitions;
    v->errors = l->total.errors;
    v->depth = l->total.depth;
    v->bytes = l->total.bytes;
    v->bound_pruned = l->total.number != 0;
    if (l->failure.violation == VIOLATION_NONE || l->told_count == 0)
        return;
    struct path path = {(uint32_t)l->told_count, told_state, told_mover, l};
    if (!retrace(v, &s->macro, &path, &l->failure))
        verifier_truncate(v, "memory");
}

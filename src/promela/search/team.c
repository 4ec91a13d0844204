/* See team.h. */
#include "promela/search/team.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"

bool team_init(struct team *team, struct verifier *v, uint32_t extra)
{
    memset(team, 0, sizeof *team);
    team->verifier = v;
    crew_init(&team->crew, verifier_jobs(v));
    work_init(&team->pool, &team->crew);
    pthread_mutex_init(&team->lock, NULL);
    team->store = store_create(v->options->memory, &team->crew, extra);
    if (team->store)
        store_keep_parents(team->store);
    return team->store;
}

void team_free(struct team *team)
{
    store_free(team->store);
    work_free(&team->pool);
    crew_free(&team->crew);
    pthread_mutex_destroy(&team->lock);
}

bool member_init(struct member *m, struct team *team, int number, macro_emit *emit,
                 void *context)
{
    m->team = team;
    m->writer = store_writer(team->store, number);
    m->vector = malloc(VECTOR_BYTES);
    m->key = malloc(STORE_ROOM * sizeof *m->key);
    m->macro.emit = emit;
    m->macro.context = context;
    return m->writer && m->vector && m->key && macro_init(&m->macro, team->verifier);
}

void member_free(struct member *m)
{
    macro_free(&m->macro);
    free(m->vector);
    free(m->key);
}

void team_halt(struct team *team, const char *why)
{
    pthread_mutex_lock(&team->lock);
    verifier_truncate(team->verifier, why);
    pthread_mutex_unlock(&team->lock);
    atomic_store(&team->stop, true);
}

void team_note_bytes(struct team *team, size_t bytes)
{
    if (bytes > team->verifier->bytes)
        team->verifier->bytes = bytes;
}

void team_check_limits(struct team *team, size_t bytes)
{
    team_note_bytes(team, bytes);
    if (bytes > team->verifier->options->memory)
        team_halt(team, "memory limit");
    const char *by = verifier_why_stop(team->verifier, store_count(team->store));
    if (by)
        team_halt(team, by);
}

bool member_start(struct member *m, uint64_t *key, uint32_t *number)
{
    const struct shape *shape = expander_start(&m->macro.expander);
    const uint8_t *vector = m->macro.expander.step.next;
    store_add(m->writer, store_key(m->writer, vector, shape->size, NULL, 0, NULL, key), number);
    m->transitions++;
    if (store_full(m->team->store)) {
        team_halt(m->team, "memory limit");
        return false;
    }
    store_set_parent(m->writer, *number, NOWHERE);
    return true;
}

void member_fetch(struct member *m, uint32_t number)
{
    m->current = number;
    m->shape = stored_state(m->team->verifier, m->team->store, number, m->vector, m->key);
}

/* Is it unlike those before? */
static bool is_new_failure(const struct team *team, const struct failure *failure)
{
    for (uint32_t i = 0; i < team->failures; i++)
        if (team->failed[i].failure.violation == failure->violation &&
            team->failed[i].failure.fault_transition == failure->fault_transition)
            return false;
    return team->failures == 0 ||
           (team->verifier->options->keep_going && team->failures < FAILURES_KEPT);
}

void member_fail(struct member *m, struct failure failure, int preemptions)
{
    struct team *team = m->team;
    must(failure.violation != VIOLATION_NONE);
    m->errors++;
    pthread_mutex_lock(&team->lock);
    if (is_new_failure(team, &failure))
        team->failed[team->failures++] =
            (struct failed_state){failure, m->current, preemptions};
    pthread_mutex_unlock(&team->lock);
    if (!team->verifier->options->keep_going)
        atomic_store(&team->stop, true);
}

struct portion *member_take_work(struct member *m)
{
    struct team *team = m->team;
    if (atomic_load(&team->crew.size) == 1)
        return NULL;
    return work_take(&team->pool, &team->stop);
}

void member_finish(const struct member *m)
{
    struct verifier *v = m->team->verifier;
    v->errors += m->errors;
    if (m->deepest > v->depth)
        v->depth = m->deepest;
    if (m->macro.cut_by)
        verifier_truncate(v, m->macro.cut_by);
}

static void show_failure(struct team *team, struct member *m, const struct failed_state *failed)
{
    struct verifier *v = team->verifier;
    struct trail first = verifier_set_first_aside(v);
    struct chain chain = {.verifier = v, .store = team->store};
    for (uint32_t at = failed->at; at != NOWHERE; at = store_parent(team->store, at))
        if (!chain_add(&chain, at, NO_PARTNER))
            break;
    chain_reverse(&chain);
    struct path path = chain_path(&chain);
    retrace(v, &m->macro, &path, &failed->failure);
    v->trail.preemptions = failed->preemptions;
    verifier_keep_trail(v, first);
    chain_free(&chain);
}

void team_show_failures(struct team *team, struct member *m)
{
    for (uint32_t i = 0; i < team->failures; i++)
        show_failure(team, m, &team->failed[i]);
}

/* What each operation of a small program does (small_state.h), according to POSIX and C11. */
#include <string.h>

#include "small_state.h"

/* ---- clocks ---- */

static void join_clock(uint8_t *to, const uint8_t *from)
{
    for (int i = 0; i < THREADS; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

static void acquire(struct state *state, int t, const uint8_t *from)
{
    join_clock(state->thread[t].clock, from);
}

static void release(struct state *state, int t, uint8_t *to)
{
    join_clock(to, state->thread[t].clock);
}

/* ---- what ends an execution ---- */

void small_found(struct search *search, enum verdict verdict, int preemptions)
{
    uint8_t *least = &search->result->least[verdict];
    if (preemptions < *least)
        *least = (uint8_t)preemptions;
}

static void add_outcome(struct search *search, const struct state *state, int ending)
{
    uint32_t told[THREADS];
    uint8_t ended[THREADS];
    struct result *result = search->result;
    for (int t = 0; t < THREADS; t++) {
        told[t] = state->thread[t].told;
        ended[t] = state->thread[t].ended;
    }
    uint64_t outcome = small_outcome(ending, told, ended);
    for (int i = 0; i < result->outcomes; i++)
        if (result->outcome[i] == outcome)
            return;
    if (result->outcomes == OUTCOMES_MAX)
        result->too_large = true;
    else
        result->outcome[result->outcomes++] = outcome;
}

/* ---- the next operation of a thread ---- */

static void tell(struct thread *thread, int value)
{
    thread->value = (uint8_t)value;
    thread->told = small_mix(thread->told, (uint32_t)value);
}

/* The operation of its instruction, or the one that follows the last instruction. */
struct operation small_operation(const struct search *search, const struct state *state, int t)
{
    const struct thread *thread = &state->thread[t];
    if (thread->life == AT_START)
        return (struct operation){START, 0, 0};
    if (thread->pc < search->program->count[t]) {
        const struct instruction *one = &search->program->code[t][thread->pc];
        int kind = one->kind;
        if (thread->stage > 0)
            kind = kind == WAIT   ? WAKE
                   : kind == MEET ? LEAVE
                   : kind == EXIT ? PROCESS_EXIT
                                  : (thread->stage == 1 ? BODY : ONCE_END);
        else if (kind == EXIT)
            kind = MARK;
        return (struct operation){kind, one->a, one->b};
    }
    for (int m = 0; m < MUTEXES; m++)
        if (thread->held[m])
            return (struct operation){UNLOCK, m, 0};
    if (thread->rwlock)
        return (struct operation){RELEASE, 0, 0};
    if (thread->stage == 0)
        return (struct operation){MARK, 0, 0};
    if (t == 0)
        return (struct operation){PROCESS_EXIT, 0, 0};
    return (struct operation){thread->stage == 1 && thread->key[1] ? DESTRUCTOR : THREAD_EXIT,
                              0, 0};
}

static bool is_skipped(const struct thread *thread, const struct instruction *one)
{
    if (one->when != '.' && (one->when == '0') != (thread->value == 0))
        return true;
    switch (one->kind) {
    case UNLOCK:
        return thread->held[one->a] == 0;
    case WAIT:
        return thread->held[0] == 0;
    case READLOCK ... TRYWRITE:
        return thread->rwlock != 0;
    case RELEASE:
        return thread->rwlock == 0;
    case JOIN ... DETACH:
        return !(thread->created >> one->a & 1);
    default:
        return false;
    }
}

/* Is a plain access in a data race with an earlier one? */
static bool is_race(const struct state *state, int t, const struct instruction *one)
{
    const struct plain *plain = &state->plain[one->a];
    const uint8_t *clock = state->thread[t].clock;
    if (plain->writer && plain->writer != t + 1 && plain->written > clock[plain->writer - 1])
        return true;
    for (int other = 0; other < THREADS && one->kind == WRITE; other++)
        if (other != t && plain->read[other] > clock[other])
            return true;
    return false;
}

static void access_plain(struct state *state, int t, const struct instruction *one)
{
    struct plain *plain = &state->plain[one->a];
    struct thread *thread = &state->thread[t];
    if (one->kind == READ) {
        tell(thread, plain->value);
        plain->read[t] = thread->clock[t];
        return;
    }
    plain->value = one->b;
    plain->writer = (uint8_t)(t + 1);
    plain->written = thread->clock[t];
}

/* A plain access that is not a step. False: it is in a data race. */
static bool access_unseen(struct search *search, struct state *state, int t,
                          const struct instruction *one, int preemptions)
{
    if (is_race(state, t, one)) {
        search->racing |= (uint8_t)(1u << one->a);
        small_found(search, RACE, preemptions);
        return false;
    }
    access_plain(state, t, one);
    return true;
}

static void take(struct state *state, int t, int mutex)
{
    state->owner[mutex] = (uint8_t)(t + 1);
    state->depth[mutex]++;
    state->thread[t].held[mutex]++;
    acquire(state, t, state->mutex_clock[mutex]);
}

static void let_go(struct state *state, int t, int mutex)
{
    state->thread[t].held[mutex]--;
    release(state, t, state->mutex_clock[mutex]);
    if (--state->depth[mutex] == 0)
        state->owner[mutex] = 0;
}

/* ---- objects whose life has ended ---- */

static bool is_mutex_kind(int kind)
{
    return (kind >= LOCK && kind <= RAW_UNLOCK) || kind == DESTROY || kind == WAKE;
}

static bool is_semaphore_kind(int kind)
{
    return kind >= DOWN && kind <= VALUE;
}

/* Does the operation use an object that no longer exists? */
static bool is_dead(const struct state *state, int kind, int a)
{
    if (is_mutex_kind(kind))
        return state->destroyed >> (kind == WAKE ? 0 : a) & 1;
    return is_semaphore_kind(kind) && state->freed >> a & 1;
}

static void found_dead(struct search *search, int kind, int preemptions)
{
    small_found(search, is_mutex_kind(kind) ? MISUSE : MEMORY, preemptions);
}

/* free() is not a step. False: another thread still uses the block, or may use it. */
static bool free_semaphore(struct search *search, struct state *state, int t, int a,
                           int preemptions)
{
    bool fails = state->freed >> a & 1;
    for (int other = 0; other < THREADS; other++) {
        if (other == t || state->thread[other].life != RUNNING)
            continue;
        struct operation op = small_operation(search, state, other);
        fails |= op.kind == DOWN && op.a == a; /* it has begun to wait */
    }
    for (int other = 0; other < THREADS; other++)
        fails |= other != t && state->used[a][other] > state->thread[t].clock[other];
    if (fails)
        small_found(search, MEMORY, preemptions);
    state->freed |= (uint8_t)(1u << a);
    return !fails;
}

/* Calls on a mutex that the thread already holds, or does not hold, need not wait for another
 * thread: they are not steps. True: the instruction is one of them; *failed: a misuse. */
static bool call_at_once(struct state *state, int t, const struct instruction *one,
                         bool *failed)
{
    struct thread *thread = &state->thread[t];
    if (one->kind < LOCK || one->kind > RAW_UNLOCK)
        return false;
    bool mine = thread->held[one->a] > 0;
    bool nested = thread->held[one->a] > 1;
    if (mine && (one->kind == LOCK || (one->kind == TRYLOCK && one->a == 1))) {
        *failed = one->a == 0;
        if (one->a == 1)
            take(state, t, 1);
        tell(thread, one->kind == LOCK ? one->a == 2 : 1);
        return true;
    }
    if ((one->kind == UNLOCK || one->kind == RAW_UNLOCK) && nested) {
        let_go(state, t, one->a);
        if (one->kind == RAW_UNLOCK)
            tell(thread, 0);
        return true;
    }
    if (one->kind == RAW_UNLOCK && !mine) {
        *failed = one->a == 0;
        tell(thread, 1);
        return true;
    }
    return false;
}

/* Runs invisible code up to the next visible operation. False: the execution has failed. */
bool small_run_on(struct search *search, struct state *state, int t, int preemptions)
{
    struct thread *thread = &state->thread[t];
    while (thread->life == RUNNING && thread->stage == 0 &&
           thread->pc < search->program->count[t]) {
        const struct instruction *one = &search->program->code[t][thread->pc];
        if (is_skipped(thread, one)) {
            thread->pc++;
            continue;
        }
        bool failed = false;
        if (is_dead(state, one->kind, one->a)) {
            found_dead(search, one->kind, preemptions);
            return false;
        }
        if (call_at_once(state, t, one, &failed)) {
            thread->pc++;
            if (failed)
                small_found(search, MISUSE, preemptions);
            if (failed)
                return false;
            continue;
        }
        bool plain = one->kind == READ || one->kind == WRITE;
        bool step = plain && search->visible >> one->a & 1;
        if (plain && !step && !access_unseen(search, state, t, one, preemptions)) {
            return false;
        } else if (one->kind == CHECK && thread->value == one->b) {
            small_found(search, ASSERTION, preemptions);
            return false;
        } else if (one->kind == FREE) {
            if (!free_semaphore(search, state, t, one->a, preemptions))
                return false;
        } else if (one->kind == SET) {
            thread->key[one->a] = one->b;
        } else if (one->kind == GET) {
            tell(thread, thread->key[one->a]);
        } else if (one->kind != CHECK && (step || !plain)) {
            return true;
        }
        thread->pc++;
    }
    while (thread->pc >= search->program->count[t] && thread->held[1] > 1)
        let_go(state, t, 1);
    return true;
}

/* ---- enabled, and steps ---- */

bool small_is_enabled(const struct search *search, const struct state *state, int t)
{
    const struct thread *thread = &state->thread[t];
    if (thread->life == UNBORN || thread->life == ENDED)
        return false;
    struct operation op = small_operation(search, state, t);
    switch (op.kind) {
    case LOCK:
        return state->owner[op.a] == 0;
    case WAKE:
        return thread->stage == 2 && state->owner[0] == 0;
    case DOWN:
        return state->semaphore[op.a] > 0;
    case READLOCK:
        return state->writer == 0;
    case WRITELOCK:
        return state->writer == 0 && state->readers == 0;
    case LEAVE:
        return state->round != thread->round;
    case ONCE:
        return state->once != 1;
    case JOIN:
        return state->thread[op.a].life == ENDED;
    default:
        return true;
    }
}

/* The threads that this one has to wait for, one bit each. */
static unsigned waits_for(const struct search *search, const struct state *state, int t)
{
    if (state->thread[t].life != RUNNING || small_is_enabled(search, state, t))
        return 0;
    struct operation op = small_operation(search, state, t);
    switch (op.kind) {
    case LOCK:
        return 1u << state->owner[op.a] >> 1;
    case WAKE:
        return state->thread[t].stage == 2 ? 1u << state->owner[0] >> 1 : 0;
    case JOIN:
        return 1u << op.a;
    case READLOCK:
    case WRITELOCK:
        return state->writer ? 1u << state->writer >> 1 : state->readers;
    default:
        return 0;
    }
}

/* Do some threads wait for each other in a cycle of locks? That is a deadlock even if the
 * process ends. */
static bool has_lock_cycle(const struct search *search, const struct state *state)
{
    for (int t = 0; t < THREADS; t++) {
        unsigned reached = waits_for(search, state, t);
        for (int round = 0; round < THREADS; round++)
            for (int other = 0; other < THREADS; other++)
                if (reached >> other & 1)
                    reached |= waits_for(search, state, other);
        if (reached >> t & 1)
            return true;
    }
    return false;
}

static void step_atomic(struct state *state, int t, struct operation op)
{
    struct thread *thread = &state->thread[t];
    uint8_t *x = &state->atomic[op.a];
    uint8_t *clock = state->atomic_clock[op.a];
    uint8_t old = *x;
    bool writes = op.kind != LOAD && !(op.kind == CAS && old != op.b);
    if (op.kind != STORE)
        acquire(state, t, clock);
    else
        memset(clock, 0, THREADS);
    if (writes)
        release(state, t, clock);
    if (op.kind == ADD)
        *x = (uint8_t)(old + op.b);
    else if (writes)
        *x = (uint8_t)(op.b + (op.kind == CAS));
    if (op.kind != STORE)
        tell(thread, op.kind == CAS ? writes : old);
}

/* What the routine of pthread_once and the destructor do. */
static void add_untold(struct state *state, int t, int a, int value)
{
    struct thread before = state->thread[t];
    step_atomic(state, t, (struct operation){ADD, a, value});
    state->thread[t].told = before.told;
    state->thread[t].value = before.value;
}

static void step_mutex(struct state *state, int t, struct operation op)
{
    struct thread *thread = &state->thread[t];
    bool free = state->owner[op.a] == 0;
    if (op.kind == LOCK || op.kind == TRYLOCK) {
        if (free)
            take(state, t, op.a);
        tell(thread, op.kind == LOCK ? 0 : free);
        return;
    }
    let_go(state, t, op.a);
    if (op.kind == RAW_UNLOCK)
        tell(thread, 0);
}

static void step_rwlock(struct state *state, int t, struct operation op)
{
    struct thread *thread = &state->thread[t];
    uint8_t bit = (uint8_t)(1u << t);
    if (op.kind == RELEASE) {
        release(state, t, thread->rwlock == 2 ? state->write_clock : state->read_clock);
        if (thread->rwlock == 2)
            state->writer = 0;
        else
            state->readers &= (uint8_t)~bit;
        thread->rwlock = 0;
        return;
    }
    bool write = op.kind == WRITELOCK || op.kind == TRYWRITE;
    bool works = state->writer == 0 && (!write || state->readers == 0);
    if (works) {
        acquire(state, t, state->write_clock);
        if (write) {
            acquire(state, t, state->read_clock);
            state->writer = (uint8_t)(t + 1);
        } else {
            state->readers |= bit;
        }
        thread->rwlock = write ? 2 : 1;
    }
    if (op.kind == TRYREAD || op.kind == TRYWRITE)
        tell(thread, works);
}

static void step_semaphore(struct state *state, int t, struct operation op)
{
    struct thread *thread = &state->thread[t];
    uint8_t *value = &state->semaphore[op.a];
    bool works = *value > 0;
    switch (op.kind) {
    case UP:
        release(state, t, state->semaphore_clock[op.a]);
        ++*value;
        return;
    case VALUE:
        tell(thread, *value);
        return;
    default:
        if (works) {
            acquire(state, t, state->semaphore_clock[op.a]);
            --*value;
        }
        if (op.kind == TRYDOWN)
            tell(thread, works);
    }
}

/* True: the instruction is done. */
static bool step_barrier(struct state *state, int t, bool leaves)
{
    struct thread *thread = &state->thread[t];
    uint8_t *clock = state->round_clock[(leaves ? thread->round : state->round) & 1];
    if (leaves) {
        acquire(state, t, clock);
        tell(thread, 0);
        return true;
    }
    if (state->arrived == 0)
        memset(clock, 0, THREADS);
    release(state, t, clock);
    thread->round = state->round;
    if (++state->arrived < 2)
        return false;
    state->arrived = 0;
    state->round++;
    acquire(state, t, clock);
    tell(thread, 1);
    return true;
}

static void step_once(struct state *state, int t, int kind)
{
    struct thread *thread = &state->thread[t];
    if (kind == ONCE) {
        acquire(state, t, state->once_clock);
        if (state->once == 2) {
            thread->pc++;
            return;
        }
        state->once = 1;
        thread->stage = 1;
    } else if (kind == BODY) {
        add_untold(state, t, 1, 1);
        thread->stage = 2;
    } else {
        state->once = 2;
        release(state, t, state->once_clock);
        thread->stage = 0;
        thread->pc++;
    }
}

static void step_create(struct state *state, int t, int child)
{
    state->thread[child].life = AT_START;
    state->thread[t].created |= (uint8_t)(1u << child);
    join_clock(state->thread[child].clock, state->thread[t].clock);
    state->thread[child].clock[child] = 1;
}

static void step_join(struct state *state, int t, struct operation op)
{
    state->thread[t].created &= (uint8_t) ~(1u << op.a);
    if (op.kind == DETACH)
        return;
    acquire(state, t, state->thread[op.a].clock);
    tell(&state->thread[t], (int)(state->thread[op.a].told & 1));
}

/* Sets the mark before the process or the thread ends. */
static void step_mark(struct search *search, struct state *state, int t)
{
    struct thread *thread = &state->thread[t];
    bool exits = t == 0 || thread->pc < search->program->count[t];
    if (exits)
        add_outcome(search, state, t);
    acquire(state, t, state->mark_clock); /* it is a read-modify-write */
    release(state, t, state->mark_clock);
    thread->ended = 1;
    thread->stage = 1;
}

static bool end_process(struct search *search, const struct state *state, int t,
                        struct operation op, int preemptions)
{
    bool returns = state->thread[t].pc >= search->program->count[t];
    if (has_lock_cycle(search, state))
        small_found(search, DEADLOCK, preemptions);
    else if (!returns && op.b != 0)
        small_found(search, BAD_EXIT, preemptions);
    return false;
}

/* Wake waiter number `choice` of the condition, or all. */
static void wake(const struct search *search, struct state *state, int condition, int choice,
                 bool all)
{
    for (int t = 0; t < THREADS; t++) {
        struct thread *thread = &state->thread[t];
        if (thread->life != RUNNING || thread->stage != 1)
            continue;
        struct operation op = small_operation(search, state, t);
        if (op.kind == WAKE && op.a == condition && (all || choice-- == 0))
            thread->stage = 2;
    }
}

int small_waiters(const struct search *search, const struct state *state, int condition)
{
    int waiters = 0;
    for (int t = 0; t < THREADS; t++) {
        const struct thread *thread = &state->thread[t];
        if (thread->life != RUNNING || thread->stage != 1)
            continue;
        struct operation op = small_operation(search, state, t);
        waiters += op.kind == WAKE && op.a == condition;
    }
    return waiters;
}

/* The step itself. True: the thread continues; *next: with its next instruction. */
bool small_execute(struct search *search, struct state *state, int t, struct operation op,
                   int choice, int preemptions, bool *next)
{
    struct thread *thread = &state->thread[t];
    *next = thread->pc < search->program->count[t];
    if (is_dead(state, op.kind, op.a)) {
        found_dead(search, op.kind, preemptions);
        return false;
    }
    if (is_semaphore_kind(op.kind))
        state->used[op.a][t] = thread->clock[t];
    switch (op.kind) {
    case START:
        thread->life = RUNNING;
        *next = false;
        return true;
    case LOAD ... CAS:
        step_atomic(state, t, op);
        return true;
    case READ:
    case WRITE:
        access_plain(state, t, &search->program->code[t][thread->pc]);
        return true;
    case LOCK ... RAW_UNLOCK:
        step_mutex(state, t, op);
        return true;
    case WAIT:
        let_go(state, t, 0);
        thread->stage = 1;
        *next = false;
        return true;
    case WAKE:
        take(state, t, 0);
        thread->stage = 0;
        return true;
    case SIGNAL:
        wake(search, state, op.a, choice, false);
        return true;
    case BROADCAST:
        wake(search, state, op.a, 0, true);
        return true;
    case DOWN ... VALUE:
        step_semaphore(state, t, op);
        return true;
    case READLOCK ... RELEASE:
        step_rwlock(state, t, op);
        return true;
    case MEET:
    case LEAVE:
        *next = step_barrier(state, t, op.kind == LEAVE);
        thread->stage = !*next;
        return true;
    case ONCE:
    case BODY:
    case ONCE_END:
        step_once(state, t, op.kind);
        *next = false;
        return true;
    case CREATE:
        step_create(state, t, op.a);
        return true;
    case JOIN:
    case DETACH:
        step_join(state, t, op);
        return true;
    case MARK:
        step_mark(search, state, t);
        *next = false;
        return true;
    case DESTRUCTOR:
        add_untold(state, t, 0, 2);
        thread->stage = 2;
        return true;
    case DESTROY:
        if (state->owner[op.a])
            small_found(search, MISUSE, preemptions);
        state->destroyed |= (uint8_t)(1u << op.a);
        return state->owner[op.a] == 0;
    case THREAD_EXIT:
        thread->life = ENDED;
        return true;
    case PROCESS_EXIT:
        return end_process(search, state, t, op, preemptions);
    default:
        return true; /* YIELD */
    }
}

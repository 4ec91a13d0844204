/* --search swarm: many small bitstate searches instead of a large one, on all cores (Spin's
 * swarm; paper 001, section 6).
 *
 * Each member has its own hashes and its own order: even ones try processes from the last to
 * the first, odd ones from the first to the last, and from the third member on the state
 * decides which process comes first. So each misses different states. A member is a process
 * with its own code and memory. When one finds something, it says so and is run again here,
 * where its path is kept: members are deterministic.
 *
 * Invariant: only member() writes to its row of the shared table. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "promela/search/levels.h"

#define SWARM_MEMBERS 64
#define SWARM_JOBS    64
#define LEAST_ARRAY   ((size_t)64 << 10) /* bytes of a member's bits */
#define ENOUGH                                                                                 \
    0.01 /* expected number of missed states: with fewer, another member finds nothing new */

#define NAP         2000000 /* nanoseconds between two looks at the members */
#define NAPS_TO_END 5000    /* a member that is not stuck needs some milliseconds */

struct member_row {
    bool done, found;
    const char *truncated_by; /* a constant of this program, at the same address in both */
    uint64_t states, transitions, depth;
    double missed;
};

struct swarm {
    struct verifier *verifier;
    struct member_row *row; /* shared with the members */
    atomic_uchar *reached;  /* … */
    pid_t pid[SWARM_JOBS];
    int member[SWARM_JOBS];
    int jobs, next, found;
    bool enough;
    size_t array;
};

static void *share_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void search_member(const struct swarm *s, struct verifier *w,
                          struct model_options *options, int number)
{
    *options = *s->verifier->options;
    *w = *s->verifier;
    options->member = (uint32_t)number;
    options->bit_memory = s->array;
    w->options = options;
    w->live = NULL;
    w->reached = s->reached;
    search_stack(w, NULL, NULL);
}

static void run_member(const struct swarm *s, int number)
{
    struct verifier w;
    struct model_options options;
    struct member_row *row = &s->row[number];
    search_member(s, &w, &options, number);
    row->states = w.states;
    row->transitions = w.transitions_seen;
    row->depth = w.depth;
    row->missed = w.missed;
    row->truncated_by = w.truncated ? w.truncated_by : NULL;
    row->found = w.trail.violation != VIOLATION_NONE;
    row->done = true;
    _exit(0);
}

static void start_member(struct swarm *s, int job)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_member(s, s->next);
    }
    if (pid < 0) {
        verifier_truncate(s->verifier, "processes");
        s->enough = true;
        return;
    }
    s->pid[job] = pid;
    s->member[job] = s->next++;
}

/* A member has ended; one that was killed has left no row. */
static void end_member(struct swarm *s, int job)
{
    const struct member_row *row = &s->row[s->member[job]];
    struct verifier *v = s->verifier;
    s->pid[job] = 0;
    if (!row->done) {
        verifier_truncate(v, "memory");
        s->enough = true;
        return;
    }
    v->swarm_least =
        v->swarm_searches == 0 || row->states < v->swarm_least ? row->states : v->swarm_least;
    v->swarm_searches++;
    if (row->states >= v->states) {
        v->states = row->states;
        v->missed = row->missed;
    }
    v->transitions_seen += row->transitions;
    v->depth = row->depth > v->depth ? row->depth : v->depth;
    if (row->found && (s->found < 0 || s->member[job] < s->found))
        s->found = s->member[job];
    if (row->truncated_by)
        verifier_truncate(v, row->truncated_by);
    s->enough |= row->found || row->truncated_by || row->missed < ENOUGH;
}

/* True while some member runs. */
static bool look_after(struct swarm *s)
{
    bool any = false;
    for (int job = 0; job < s->jobs; job++) {
        if (s->pid[job] > 0 && waitpid(s->pid[job], NULL, WNOHANG) == s->pid[job])
            end_member(s, job);
        if (s->pid[job] == 0 && !s->enough && s->next < SWARM_MEMBERS)
            start_member(s, job);
        any |= s->pid[job] > 0;
    }
    return any;
}

/* Those still running could only find the same failure again, or are out of time. */
static void stop_members(struct swarm *s)
{
    for (int job = 0; job < s->jobs; job++)
        if (s->pid[job] > 0) {
            kill(s->pid[job], SIGKILL);
            waitpid(s->pid[job], NULL, 0);
        }
}

/* The time is up, or the user has enough: members notice that, too, and say how far they came.
 */
static void let_members_end(struct swarm *s)
{
    s->enough = true;
    for (int naps = 0; naps < NAPS_TO_END && look_after(s); naps++)
        nanosleep(&(struct timespec){0, NAP}, NULL);
}

static void run_swarm(struct swarm *s)
{
    struct verifier *v = s->verifier;
    while (look_after(s) && s->found < 0) {
        nanosleep(&(struct timespec){0, NAP}, NULL);
        if (verifier_must_stop(v, v->states)) {
            let_members_end(s);
            break;
        }
    }
    stop_members(s);
    for (uint32_t i = 0; i < v->transition_count; i++)
        v->reached[i] |= s->reached[i];
    v->approximate = true;
    v->bytes = s->array * (size_t)s->jobs;
}

/* Runs it again for its path. This takes as long as before, whatever time is left. */
static void find_again(struct swarm *s)
{
    struct verifier w, *v = s->verifier;
    struct model_options options = *v->options;
    const struct model_options *given = v->options;
    options.time = 0;
    v->options = &options;
    struct model_options own;
    search_member(s, &w, &own, s->found);
    v->options = given;
    v->code = w.code;
    v->trail = w.trail;
    v->errors = w.errors;
}

void search_swarm(struct verifier *v)
{
    struct swarm s = {.verifier = v, .found = -1, .jobs = verifier_jobs(v)};
    size_t rows = SWARM_MEMBERS * sizeof *s.row, flags = v->transition_count + 1;
    s.jobs = s.jobs > SWARM_JOBS ? SWARM_JOBS : s.jobs;
    s.array = v->options->bit_memory / (size_t)s.jobs;
    s.array = s.array < LEAST_ARRAY ? LEAST_ARRAY : s.array;
    s.row = share_memory(rows);
    s.reached = share_memory(flags);
    v->shared = true;
    if (s.row && s.reached) {
        run_swarm(&s);
        if (s.found >= 0)
            find_again(&s);
    } else {
        verifier_truncate(v, "memory");
    }
    if (s.row)
        munmap(s.row, rows);
    if (s.reached)
        munmap(s.reached, flags);
}

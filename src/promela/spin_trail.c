/* See spin_trail.h. */
#include "promela/spin_trail.h"
#include "promela/claim_run.h"
#include "promela/optimise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"

#define CATCH_UP_MOST 200 /* local steps that merging may have left out at one place */
#define LINES_MOST    10000000

/* Statements of the proctypes and claims that stand before this one in the text. */
static int numbered_before(const struct model *model, const struct proctype *p)
{
    int count = 0;
    for (int i = 0; i < model->proctype_count; i++)
        if (model->proctypes[i]->turn < p->turn)
            count += model->proctypes[i]->automaton->numbered;
    for (int i = 0; i < model->claim_count; i++)
        if (model->claims[i]->turn < p->turn && model->claims[i]->automaton != NULL)
            count += model->claims[i]->automaton->numbered;
    if (model->trace != NULL && model->trace->turn < p->turn)
        count += model->trace->automaton->numbered;
    return count;
}

static int spin_number(const struct verifier *v, u32 transition)
{
    const struct transition_info *info = verifier_transition(v, transition);
    if (info == NULL)
        return -1;
    return numbered_before(v->model, info->proctype) + info->transition->number - 1 +
           info->transition->late;
}

/* Does a process move from step i on? */
static bool goes_on(const struct trail *trail, u32 i)
{
    while (i < trail->count && trail->steps[i].pid == NO_PARTNER)
        i++;
    return i < trail->count;
}

/* The claim if it stands in the text: the automata of formulas and of non-progress are not
 * Spin's, and their moves mean nothing to it. Spin numbers claims with the proctypes. */
static const struct proctype *written_claim(const struct model *model)
{
    const struct proctype *claim = model->claim;
    return claim != NULL && claim->body != NULL ? claim : NULL;
}

static int claim_number(const struct model *model, const struct proctype *claim)
{
    int number = 0;
    for (int i = 0; i < model->proctype_count; i++)
        number += model->proctypes[i]->turn < claim->turn;
    for (int i = 0; i < model->claim_count; i++)
        number += model->claims[i]->turn < claim->turn;
    return number + (model->trace != NULL && model->trace->turn < claim->turn);
}

struct writer {
    struct buffer *out;
    const struct verifier *plain;
    const struct proctype *claim; /* or NULL */
    int claim_state;
    u32 line;
};

static void write_line(struct writer *w, u32 pid, u32 transition)
{
    buffer_printf(w->out, "%u:%u:%d\n", ++w->line, pid, spin_number(w->plain, transition));
}

/* An atomic sequence or d_step of a claim is one move of it here, but a line for each statement
 * of an atomic sequence in Spin. `came` tells, for each state on the way from where the claim
 * is, through which transition. */
static const struct transition *find_way(const struct writer *w, u32 wanted,
                                         const struct transition **came, int *queue)
{
    const struct automaton *a = w->claim->automaton;
    int head = 0, tail = 0;
    queue[tail++] = w->claim_state;
    while (head < tail) {
        const struct control_state *state = &a->states[queue[head++]];
        for (int i = 0; i < state->count; i++) {
            const struct transition *t = &state->transitions[i];
            if ((u32)t->id == wanted)
                return t;
            bool step = t->kind == TRANSITION_DSTEP;
            int next = step ? t->dstep_start : t->target;
            bool goes_on = step || t->atomic || a->states[t->target].inside >= 0;
            if (!goes_on || next == w->claim_state || came[next] != NULL)
                continue;
            came[next] = t;
            queue[tail++] = next;
        }
    }
    return NULL;
}

static int source_of(const struct writer *w, const struct transition *t)
{
    return verifier_transition(w->plain, (u32)t->id)->state;
}

static void write_move(struct writer *w, const struct transition *t)
{
    if (w->claim->automaton->states[source_of(w, t)].inside < 0) /* a d_step has one line */
        write_line(w, 0, (u32)t->id);
}

static void write_claim(struct writer *w, u32 transition)
{
    size_t states = (size_t)w->claim->automaton->count;
    const struct transition **came = calloc(states, sizeof *came);
    int *queue = calloc(states, sizeof *queue);
    const struct transition *last =
        came != NULL && queue != NULL ? find_way(w, transition, came, queue) : NULL;
    if (last != NULL) {
        int way = 0;
        for (int at = source_of(w, last); at != w->claim_state; at = source_of(w, came[at]))
            queue[way++] = at;
        while (way > 0)
            write_move(w, came[queue[--way]]);
        write_move(w, last);
        w->claim_state = last->target;
    }
    free(came);
    free(queue);
}

static void write_step(struct writer *w, const struct trail_step *s)
{
    u32 first = w->claim != NULL; /* the claim is process 0 */
    if (w->claim != NULL && s->claim != NO_PARTNER)
        write_claim(w, s->claim);
    if (s->pid == NO_PARTNER)
        return;
    write_line(w, s->pid + first, s->transition);
    if (s->partner != NO_PARTNER)
        write_line(w, s->partner + first, s->receive);
}

void spin_trail_write(struct buffer *out, const struct verifier *plain,
                      const struct trail *trail)
{
    struct writer w = {.out = out, .plain = plain, .claim = written_claim(plain->model)};
    if (w.claim != NULL) {
        buffer_printf(out, "-2:%d:-2\n", claim_number(plain->model, w.claim));
        w.claim_state = w.claim->automaton->start;
    }
    for (u32 i = 0; i < trail->count; i++) {
        if (i == trail->cycle &&
            (w.claim != NULL || goes_on(trail, i))) /* else nothing moves */
            buffer_text(out, "-1:-1:-1\n");
        write_step(&w, &trail->steps[i]);
    }
    const struct transition_info *failed = verifier_transition(plain, trail->fault_transition);
    if (w.claim != NULL && trail->fault != 0 && failed != NULL && failed->proctype == w.claim)
        write_claim(&w, trail->fault_transition);
}

/* ---- reading ---- */

#define PIDS 257 /* 255 processes, and with a claim they count from 1 */

struct line {
    long depth;
    int pid, number;
    int next; /* statement of the same process that comes next; -1: none */
};

struct reader {
    struct verifier *verifier;
    struct follow follow;
    struct trail *trail;
    struct line *lines;
    size_t count, at;
    size_t last[PIDS]; /* line of each process, claims counted */
    bool claimed, merged;
};

static bool read_lines(struct reader *r, const char *path)
{
    FILE *file = fopen(path, "re");
    struct line line;
    size_t room = 0;
    if (file == NULL) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    while (r->count < LINES_MOST &&
           fscanf(file, "%ld:%d:%d\n", &line.depth, &line.pid, &line.number) == 3) {
        if (r->count == room) {
            room = room == 0 ? 1024 : 2 * room;
            struct line *larger = realloc(r->lines, room * sizeof *larger);
            if (larger == NULL)
                break;
            r->lines = larger;
        }
        r->claimed |= line.depth == -2;
        r->lines[r->count++] = line;
    }
    bool whole =
        feof(file) != 0 && (r->count > 0 || ftell(file) == 0); /* empty: no step fails */
    fclose(file);
    if (!whole)
        complain("%s: not a trail of Spin, or damaged (line %zu)", path, r->count + 1);
    return whole;
}

static bool is_move(const struct line *l)
{
    return l->depth >= 0 && l->pid >= 0 && l->pid < PIDS;
}

static void look_ahead(struct reader *r)
{
    int next[PIDS];
    size_t cycle = r->count; /* behind the end of the file comes what follows there */
    for (int i = 0; i < PIDS; i++)
        next[i] = -1;
    for (size_t i = 0; i < r->count; i++) {
        r->merged |= r->lines[i].depth == -4;
        if (r->lines[i].depth == -1)
            cycle = i;
        if (is_move(&r->lines[i]))
            r->last[r->lines[i].pid] = i;
    }
    for (size_t i = r->count; i-- > cycle;)
        if (is_move(&r->lines[i]))
            next[r->lines[i].pid] = r->lines[i].number;
    for (size_t i = r->count; i-- > 0;) {
        struct line *l = &r->lines[i];
        l->next = -1;
        if (is_move(l)) {
            l->next = next[l->pid];
            next[l->pid] = l->number;
        }
    }
}

/* The line of the next step of the system, claims skipped; NULL: none. */
static const struct line *next_step(struct reader *r, size_t *at, bool *cycle)
{
    for (; *at < r->count; ++*at) {
        const struct line *l = &r->lines[*at];
        if (l->depth == -1)
            *cycle = true;
        if (l->depth >= 0 && (!r->claimed || l->pid > 0))
            return l;
    }
    return NULL;
}

static u32 system_pid(const struct reader *r, const struct line *l)
{
    return (u32)(r->claimed ? l->pid - 1 : l->pid);
}

static u32 expand(struct reader *r)
{
    struct follow *f = &r->follow;
    struct expander *x = &f->expander;
    x->step.next = x->arena;
    x->step.list = x->list_base;
    if (f->holder != NO_PARTNER) {
        u32 count = expander_one(x, f->now, f->shape, f->holder);
        if (count > 0)
            return count;
    }
    return expander_all(x, f->now, f->shape);
}

static bool take(struct reader *r, const struct successor *s)
{
    struct followed done;
    struct trail_step step = {s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    if (!follow_step(&r->follow, step, &done))
        return false;
    trail_add(r->trail, step);
    if (done.fault != 0) {
        r->trail->violation = done.fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT;
        r->trail->fault = done.fault;
        r->trail->fault_transition = done.fault_transition;
    }
    return true;
}

/* Can a statement be the next one of a process where it is, enabled or not? */
static bool offers(struct reader *r, u32 pid, int number)
{
    const struct follow *f = &r->follow;
    const struct automaton *a = r->verifier->model->proctypes[f->shape->type[pid]]->automaton;
    const struct control_state *state =
        &a->states[control_of(r->verifier, f->now, f->shape, pid)];
    for (int i = 0; i < state->count; i++)
        if (spin_number(r->verifier, (u32)state->transitions[i].id) == number)
            return true;
    return false;
}

static bool catch_up(struct reader *r, u32 pid);

/* What merging ran together with a step is done before anybody else moves: others may look at
 * _last. How much that was the next line of the same process tells. Behind its last line it is
 * left to when somebody else can't move, or to run_out(); unless somebody does look at _last,
 * when all local steps are taken, but none twice. */
static void run_on(struct reader *r, const struct line *l)
{
    u32 pid = system_pid(r, l), start = NO_PARTNER;
    bool all = l->next < 0 && r->verifier->model->uses_last;
    for (int i = 0; r->merged && i < CATCH_UP_MOST && (l->next >= 0 || all); i++) {
        if (r->trail->violation != VIOLATION_NONE || pid >= r->follow.shape->processes)
            return;
        u32 here = control_of(r->verifier, r->follow.now, r->follow.shape, pid);
        if ((all && here == start) || (!all && offers(r, pid, l->next)) || !catch_up(r, pid))
            return;
        start = start == NO_PARTNER ? here : start;
    }
}

/* The step that a line names; for a send that is a rendezvous the next line is its receive. */
static bool try_line(struct reader *r, const struct line *l)
{
    size_t after = r->at + 1;
    bool cycle = false;
    u32 count = expand(r), pid = system_pid(r, l);
    const struct line *answer = next_step(r, &after, &cycle);
    for (u32 i = 0; i < count; i++) {
        const struct successor *s = &r->follow.expander.step.list[i];
        if (s->pid != pid || spin_number(r->verifier, s->transition) != l->number)
            continue;
        if (s->partner == NO_PARTNER) {
            r->at++;
            if (!take(r, s))
                return false;
            run_on(r, l);
            return true;
        }
        if (answer != NULL && s->partner == system_pid(r, answer) &&
            spin_number(r->verifier, s->receive) == answer->number) {
            r->at = after + 1;
            if (!take(r, s))
                return false;
            run_on(r, answer);
            run_on(r, l);
            return true;
        }
    }
    return false;
}

/* Statement merging leaves local steps, and those inside atomic, out of the trail: take the one
 * that `pid` has here. */
static bool catch_up(struct reader *r, u32 pid)
{
    u32 count = expand(r), found = NO_PARTNER;
    for (u32 i = 0; i < count; i++) {
        const struct successor *s = &r->follow.expander.step.list[i];
        const struct transition_info *info = verifier_transition(r->verifier, s->transition);
        bool local = r->follow.holder == pid || info->transition->statement == NULL ||
                     statement_is_local(info->transition->statement) ||
                     info->transition->kind == TRANSITION_ELSE ||
                     info->transition->kind == TRANSITION_SKIP;
        if (s->pid != pid)
            continue;
        if (found != NO_PARTNER || !local)
            return false;
        found = i;
    }
    return found != NO_PARTNER && take(r, &r->follow.expander.step.list[found]);
}

/* A process that has no line any more may still have what merging ran together with its last
 * one, and with a higher priority that keeps all others from moving. */
static bool catch_up_other(struct reader *r, u32 but)
{
    for (u32 pid = 0; r->merged && pid < r->follow.shape->processes; pid++)
        if (pid != but && r->last[pid + r->claimed] < r->at && catch_up(r, pid))
            return true;
    return false;
}

static bool follow_line(struct reader *r, const struct line *l)
{
    u32 pid = system_pid(r, l);
    for (int tries = 0; tries < CATCH_UP_MOST; tries++) {
        if (try_line(r, l))
            return true;
        u32 holder = r->follow.holder;
        bool other = holder != NO_PARTNER && holder != pid;
        if (!catch_up(r, other ? holder : pid) && !catch_up_other(r, pid))
            return false;
    }
    return false;
}

/* A condition can't be computed here. The claim has not moved along: what it would do is not
 * asked. */
static bool system_fails(struct reader *r)
{
    expand(r);
    return r->follow.expander.fault != 0;
}

static void catch_up_whole(struct reader *r, u32 pid)
{
    for (int i = 0; i < CATCH_UP_MOST && r->trail->violation == VIOLATION_NONE; i++)
        if (!catch_up(r, pid))
            return;
}

/* What merging left out at the end of the trail: what belongs to the last step, and, where that
 * is the last line of others, what belonged to theirs. */
static void run_out(struct reader *r)
{
    struct trail *trail = r->trail;
    if (trail->count == 0 || trail->cycle != UINT32_MAX)
        return;
    catch_up_whole(r, trail->steps[trail->count - 1].pid);
    if (system_fails(r))
        return;
    for (u32 pid = 0; r->merged && !r->claimed && pid < r->follow.shape->processes; pid++)
        catch_up_whole(r, pid);
}

/* What is wrong where the trail ends. */
static void judge(struct reader *r)
{
    struct trail *trail = r->trail;
    if (trail->violation == VIOLATION_NONE)
        run_out(r);
    if (trail->violation != VIOLATION_NONE)
        return;
    if (trail->cycle != UINT32_MAX) {
        const struct proctype *claim = r->verifier->model->claim;
        trail->violation =
            claim != NULL && claim->progress_claim ? VIOLATION_PROGRESS : VIOLATION_ACCEPTANCE;
        if (trail->cycle == trail->count) /* only the claim goes round */
            trail_add(trail, (struct trail_step){NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER,
                                                 NO_PARTNER});
    } else if (system_fails(r))
        trail->violation = VIOLATION_FAULT;
    else if (r->claimed) { /* with a claim Spin looks for no end states */
        trail->violation = VIOLATION_CLAIM;
    } else if (follow_stuck(&r->follow))
        trail->violation = VIOLATION_END;
}

/* The statement of the last line may fail before it is taken: judge() will see that. */
static bool fails_here(struct reader *r)
{
    size_t after = r->at + 1;
    return next_step(r, &after, &(bool){false}) == NULL && system_fails(r);
}

static bool is_assertion(const struct transition *t)
{
    return t->statement != NULL && t->statement->kind == STATEMENT_ASSERT;
}

/* Is the last line an assertion of the claim? Else a run of it that fails one is another. */
static bool ends_in_assertion(const struct reader *r)
{
    const struct proctype *claim = r->verifier->model->claim;
    const struct line *last = r->count > 0 ? &r->lines[r->count - 1] : NULL;
    if (claim == NULL || claim->body == NULL || last == NULL || last->pid != 0)
        return false;
    for (u32 id = 0; id < r->verifier->transition_count; id++) {
        const struct transition_info *info = verifier_transition(r->verifier, id);
        if (info->proctype != claim || spin_number(r->verifier, id) != last->number)
            continue;
        const struct transition *t = info->transition;
        if (t->target < 0)
            return is_assertion(t);
        const struct control_state *next = &claim->automaton->states[t->target];
        return is_assertion(t) || (t->atomic && next->count > 0 && /* merged */
                                   is_assertion(&next->transitions[0]));
    }
    return false;
}

/* The claim's moves in the file are those of Spin's automaton; ours has a run along the same
 * path if Spin is right. Where none is found (a claim with variables, a formula that needs a
 * longer path here) Spin is believed. */
static void prove(struct verifier *plain, struct trail *trail, bool asserts)
{
    const struct proctype *claim = plain->model->claim;
    struct trail found = {0};
    bool claimed = trail->violation == VIOLATION_CLAIM ||
                   trail->violation == VIOLATION_PROGRESS ||
                   trail->violation == VIOLATION_ACCEPTANCE;
    trail->believed = claimed;
    if (!claimed || claim == NULL || claim->locals != NULL)
        return;
    if (!claim_run(plain, trail, &found) || found.violation == VIOLATION_NONE ||
        (found.violation == VIOLATION_ASSERT && !asserts)) {
        trail_free(&found);
        return;
    }
    if (found.violation == VIOLATION_ACCEPTANCE)
        found.violation = trail->violation;
    found.believed = true;
    trail_free(trail);
    *trail = found;
}

/* The claim or formula of that number, as Spin counts: those in the text with the proctypes,
 * then those made of formulas, then the one for non-progress. */
static void find_claim(const struct model *model, int number, struct property *property)
{
    int own = model->proctype_count + model->claim_count + (model->trace != NULL), at;
    for (int i = 0; i < model->claim_count; i++)
        if (claim_number(model, model->claims[i]) == number)
            property->claim = model->claims[i];
    at = own;
    for (const struct formula *f = model->formulas; f != NULL; f = f->next)
        if (at++ == number)
            property->formula = f;
    property->progress = at == number;
}

bool spin_trail_property(const struct model *model, const char *path, struct property *property)
{
    struct reader r = {0};
    bool good = read_lines(&r, path);
    *property = (struct property){0};
    for (size_t i = 0; good && i < r.count; i++) {
        if (r.lines[i].depth == -2)
            find_claim(model, r.lines[i].pid, property);
        if (r.lines[i].depth == -1 && !r.claimed)
            property->acceptance = true;
    }
    free(r.lines);
    return good;
}

bool spin_trail_read(struct verifier *plain, const char *path, struct trail *trail)
{
    struct reader r = {.verifier = plain, .trail = trail};
    *trail = (struct trail){.cycle = UINT32_MAX, .preemptions = -1};
    bool good = read_lines(&r, path);
    look_ahead(&r);
    if (good && !follow_init(&r.follow, plain)) {
        free(r.lines);
        complain("no memory");
        return false;
    }
    while (good && trail->violation == VIOLATION_NONE) {
        bool cycle = false;
        const struct line *l = next_step(&r, &r.at, &cycle);
        if (cycle && trail->cycle == UINT32_MAX)
            trail->cycle = trail->count;
        if (l == NULL)
            break;
        good = follow_line(&r, l);
        if (!good && fails_here(&r)) {
            good = true;
            break;
        }
        if (!good)
            complain("%s:%zu: process %u of the model can't take statement %d here: another "
                     "version of the model, or other macros (-D)?",
                     path, r.at + 1, system_pid(&r, l), l->number);
    }
    if (good)
        judge(&r);
    if (r.follow.now != NULL)
        follow_free(&r.follow);
    bool asserts = ends_in_assertion(&r);
    free(r.lines);
    if (good)
        prove(plain, trail, asserts);
    return good;
}

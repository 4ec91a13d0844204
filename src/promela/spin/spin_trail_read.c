/* Reading trails: see spin_trail.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/say.h"
#include "promela/automata/optimise.h"
#include "promela/spin/spin_number.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/claim_run.h"

#define CATCH_UP_MOST 200 /* local steps that merging may have left out at one place */
#define LINES_MOST    10000000

#define PIDS 257 /* 255 processes, and with a claim they count from 1 */

struct line {
    long depth;
    int pid, number;
    int next; /* statement of the same process that comes next; -1: none */
};

struct trail_reader {
    struct verifier *verifier;
    struct follow follow;
    struct trail *trail;
    struct line *lines;
    size_t count, at;
    size_t last[PIDS]; /* line of each process, claims counted */
    bool claimed, merged;
};

static bool read_lines(struct trail_reader *r, const char *path)
{
    FILE *file = fopen(path, "re");
    struct line line;
    size_t room = 0;
    if (!file) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    while (r->count < LINES_MOST &&
           fscanf(file, "%ld:%d:%d\n", &line.depth, &line.pid, &line.number) == 3) {
        if (r->count == room) {
            room = room == 0 ? 1024 : 2 * room;
            struct line *larger = realloc(r->lines, room * sizeof *larger);
            if (!larger)
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

static void look_ahead(struct trail_reader *r)
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
static const struct line *next_step(struct trail_reader *r, size_t *at, bool *cycle)
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

static uint32_t system_pid(const struct trail_reader *r, const struct line *l)
{
    return (uint32_t)(r->claimed ? l->pid - 1 : l->pid);
}

static uint32_t expand_here(struct trail_reader *r)
{
    struct follow *f = &r->follow;
    struct expander *x = &f->expander;
    x->step.next = x->arena;
    x->step.list = x->list_base;
    if (f->holder != NO_PARTNER) {
        uint32_t count = expander_one(x, f->now, f->shape, f->holder);
        if (count > 0)
            return count;
    }
    return expander_all(x, f->now, f->shape);
}

static bool take_successor(struct trail_reader *r, const struct successor *s)
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
static bool offers_statement(struct trail_reader *r, uint32_t pid, int number)
{
    const struct follow *f = &r->follow;
    const struct automaton *a = r->verifier->model->proctypes[f->shape->type[pid]]->automaton;
    const struct control_state *state =
        &a->states[control_of(r->verifier, f->now, f->shape, pid)];
    for (int i = 0; i < state->count; i++)
        if (spin_number(r->verifier, (uint32_t)state->transitions[i].id) == number)
            return true;
    return false;
}

static bool catch_up(struct trail_reader *r, uint32_t pid);

/* What merging ran together with a step is done before anybody else moves: others may look at
 * _last. How much that was the next line of the same process tells. Behind its last line it is
 * left to when somebody else can't move, or to run_out(); unless somebody does look at _last,
 * when all local steps are taken, but none twice. */
static void run_on(struct trail_reader *r, const struct line *l)
{
    uint32_t pid = system_pid(r, l), start = NO_PARTNER;
    bool all = l->next < 0 && r->verifier->model->uses_last;
    for (int i = 0; r->merged && i < CATCH_UP_MOST && (l->next >= 0 || all); i++) {
        if (r->trail->violation != VIOLATION_NONE || pid >= r->follow.shape->processes)
            return;
        uint32_t here = control_of(r->verifier, r->follow.now, r->follow.shape, pid);
        if ((all && here == start) || (!all && offers_statement(r, pid, l->next)) ||
            !catch_up(r, pid))
            return;
        start = start == NO_PARTNER ? here : start;
    }
}

/* The step that a line names; for a send that is a rendezvous the next line is its receive. */
static bool try_line(struct trail_reader *r, const struct line *l)
{
    size_t after = r->at + 1;
    bool cycle = false;
    uint32_t count = expand_here(r), pid = system_pid(r, l);
    const struct line *answer = next_step(r, &after, &cycle);
    for (uint32_t i = 0; i < count; i++) {
        const struct successor *s = &r->follow.expander.step.list[i];
        if (s->pid != pid || spin_number(r->verifier, s->transition) != l->number)
            continue;
        if (s->partner == NO_PARTNER) {
            r->at++;
            if (!take_successor(r, s))
                return false;
            run_on(r, l);
            return true;
        }
        if (answer && s->partner == system_pid(r, answer) &&
            spin_number(r->verifier, s->receive) == answer->number) {
            r->at = after + 1;
            if (!take_successor(r, s))
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
static bool catch_up(struct trail_reader *r, uint32_t pid)
{
    uint32_t count = expand_here(r), found = NO_PARTNER;
    for (uint32_t i = 0; i < count; i++) {
        const struct successor *s = &r->follow.expander.step.list[i];
        const struct transition_info *info = verifier_transition(r->verifier, s->transition);
        bool local = r->follow.holder == pid || !info->transition->statement ||
                     statement_is_local(info->transition->statement) ||
                     info->transition->kind == TRANSITION_ELSE ||
                     info->transition->kind == TRANSITION_SKIP;
        if (s->pid != pid)
            continue;
        if (found != NO_PARTNER || !local)
            return false;
        found = i;
    }
    return found != NO_PARTNER && take_successor(r, &r->follow.expander.step.list[found]);
}

/* A process that has no line any more may still have what merging ran together with its last
 * one, and with a higher priority that keeps all others from moving. */
static bool catch_up_other(struct trail_reader *r, uint32_t but)
{
    for (uint32_t pid = 0; r->merged && pid < r->follow.shape->processes; pid++)
        if (pid != but && r->last[pid + r->claimed] < r->at && catch_up(r, pid))
            return true;
    return false;
}

/* A condition can't be computed here. The claim has not moved along: what it would do is not
 * asked. */
static bool system_fails(struct trail_reader *r)
{
    expand_here(r);
    return r->follow.expander.fault != 0;
}

/* Lines of steps from here on, three at most. Two may be one step: Spin's verifier polls a
 * rendezvous channel between a send and its receive. */
static int steps_left(struct trail_reader *r)
{
    size_t at = r->at;
    int count = 0;
    for (; count < 3 && next_step(r, &at, &(bool){false}); at++)
        count++;
    return count;
}

/* The statement of the last line may fail before it is taken. It may seem that it, or an else
 * beside it, can be taken, with some value for what can't be computed. */
static bool fails_here(struct trail_reader *r, const struct line *l)
{
    const struct expander *x = &r->follow.expander;
    return steps_left(r) == 1 && system_fails(r) && x->fault_pid == system_pid(r, l) &&
           spin_number(r->verifier, x->fault_transition) == l->number;
}

static bool follow_line(struct trail_reader *r, const struct line *l)
{
    uint32_t pid = system_pid(r, l);
    for (int tries = 0; tries < CATCH_UP_MOST; tries++) {
        if (fails_here(r, l))
            return false;
        if (try_line(r, l))
            return true;
        uint32_t holder = r->follow.holder;
        bool other = holder != NO_PARTNER && holder != pid;
        if (!catch_up(r, other ? holder : pid) && !catch_up_other(r, pid))
            return false;
    }
    return false;
}

static void catch_up_whole(struct trail_reader *r, uint32_t pid)
{
    for (int i = 0; i < CATCH_UP_MOST && r->trail->violation == VIOLATION_NONE; i++)
        if (system_fails(r) || !catch_up(r, pid))
            return;
}

/* What merging left out at the end of the trail: what belongs to the last step, and, where that
 * is the last line of others, what belonged to theirs. */
static void run_out(struct trail_reader *r)
{
    struct trail *trail = r->trail;
    if (trail->count == 0 || trail->cycle != UINT32_MAX)
        return;
    catch_up_whole(r, trail->steps[trail->count - 1].pid);
    if (system_fails(r))
        return;
    for (uint32_t pid = 0; r->merged && !r->claimed && pid < r->follow.shape->processes; pid++)
        catch_up_whole(r, pid);
}

/* What is wrong where the trail ends. */
static void judge_end(struct trail_reader *r)
{
    struct trail *trail = r->trail;
    if (trail->violation == VIOLATION_NONE)
        run_out(r);
    if (trail->violation != VIOLATION_NONE)
        return;
    if (trail->cycle != UINT32_MAX) {
        const struct proctype *claim = r->verifier->model->claim;
        trail->violation =
            claim && claim->progress_claim ? VIOLATION_PROGRESS : VIOLATION_ACCEPTANCE;
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

static bool is_assertion(const struct transition *t)
{
    return t->statement && t->statement->kind == STATEMENT_ASSERT;
}

/* The statement of the claim, if it stands in the text, that a line names; or NULL. */
static const struct transition *claim_statement(const struct trail_reader *r,
                                                const struct line *l)
{
    const struct proctype *claim = spin_written_claim(r->verifier->model);
    for (uint32_t id = 0; claim && l->pid == 0 && id < r->verifier->transition_count; id++) {
        const struct transition_info *info = verifier_transition(r->verifier, id);
        if (info->proctype == claim && spin_number(r->verifier, id) == l->number)
            return info->transition;
    }
    return NULL;
}

/* Is the last line an assertion of the claim? Else a run of it that fails one is another. */
static bool ends_in_assertion(const struct trail_reader *r)
{
    const struct transition *t =
        r->count > 0 ? claim_statement(r, &r->lines[r->count - 1]) : NULL;
    if (!t || is_assertion(t) || t->target < 0)
        return t && is_assertion(t);
    const struct control_state *next = &r->verifier->model->claim->automaton->states[t->target];
    return t->atomic && next->count > 0 && is_assertion(&next->transitions[0]); /* merged */
}

/* Where the claim has come to its end Spin's verifier writes one line more: whatever a search
 * before has left in that place of its stack. Is this it? */
static bool is_left_over(struct trail_reader *r)
{
    const struct line *before = r->at > 0 ? &r->lines[r->at - 1] : NULL;
    if (!r->claimed || r->trail->cycle != UINT32_MAX || !before || before->depth < 0 ||
        before->pid != 0 || steps_left(r) > 1)
        return false;
    if (!spin_written_claim(r->verifier->model))
        return true; /* prove_claim() will tell */
    const struct transition *t = claim_statement(r, before);
    return t && t->target >= 0 && r->verifier->model->claim->automaton->states[t->target].end;
}

/* The claim's moves in the file are those of Spin's automaton; ours has a run along the same
 * path if Spin is right. Where none is found (a claim with variables, a formula that needs a
 * longer path here) Spin is believed. Is it proven, or nothing of the claim's? */
static bool prove_claim(struct verifier *plain, struct trail *trail, bool asserts)
{
    const struct proctype *claim = plain->model->claim;
    struct trail found = {0};
    bool claimed = trail->violation == VIOLATION_CLAIM ||
                   trail->violation == VIOLATION_PROGRESS ||
                   trail->violation == VIOLATION_ACCEPTANCE;
    trail->believed = claimed;
    if (!claimed || !claim || claim->locals)
        return !claimed;
    if (!claim_run(plain, trail, &found) || found.violation == VIOLATION_NONE ||
        (found.violation == VIOLATION_ASSERT && !asserts)) {
        trail_free(&found);
        return false;
    }
    if (found.violation == VIOLATION_ACCEPTANCE)
        found.violation = trail->violation;
    found.believed = true;
    trail_free(trail);
    *trail = found;
    return true;
}

/* The claim or formula of that number, as Spin counts: those in the text with the proctypes,
 * then those made of formulas, then the one for non-progress. */
static void find_claim(const struct model *model, int number, struct property *property)
{
    int own = model->proctype_count + model->claim_count + (model->trace ? 1 : 0), at;
    for (int i = 0; i < model->claim_count; i++)
        if (spin_claim_number(model, model->claims[i]) == number)
            property->claim = model->claims[i];
    at = own;
    for (const struct formula *f = model->formulas; f; f = f->next)
        if (at++ == number)
            property->formula = f;
    property->progress = at == number;
}

bool spin_trail_property(const struct model *model, const char *path, struct property *property)
{
    struct trail_reader r = {0};
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

/* Line by line. Sets *rest to one that can't be taken but may be Spin's left-over, else a line
 * that can't be taken is a mistake. */
static bool follow_lines(struct trail_reader *r, const struct line **rest)
{
    while (r->trail->violation == VIOLATION_NONE) {
        bool cycle = false;
        const struct line *l = next_step(r, &r->at, &cycle);
        if (cycle && r->trail->cycle == UINT32_MAX)
            r->trail->cycle = r->trail->count;
        if (!l)
            return true;
        if (follow_line(r, l))
            continue;
        if (steps_left(r) <= 2 && system_fails(r)) /* judge_end() will see that, too */
            return true;
        *rest = l;
        return is_left_over(r);
    }
    return true;
}

bool spin_trail_read(struct verifier *plain, const char *path, struct trail *trail)
{
    struct trail_reader r = {.verifier = plain, .trail = trail};
    const struct line *rest = NULL;
    *trail = (struct trail){.cycle = UINT32_MAX, .preemptions = -1};
    if (!read_lines(&r, path)) {
        free(r.lines);
        return false;
    }
    look_ahead(&r);
    if (!follow_init(&r.follow, plain)) {
        free(r.lines);
        complain("no memory");
        return false;
    }
    bool good = follow_lines(&r, &rest);
    if (good)
        judge_end(&r);
    follow_free(&r.follow);
    bool proven = good && prove_claim(plain, trail, ends_in_assertion(&r));
    good = good && (!rest || proven || spin_written_claim(plain->model));
    if (!good)
        complain("%s:%zu: process %u of the model can't take statement %d here: another "
                 "version of the model, or other macros (-D)?",
                 path, r.at + 1, system_pid(&r, rest), rest->number);
    free(r.lines);
    return good;
}

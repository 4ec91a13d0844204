/* Verdict line, counter-example in columns, JSON. */
#include "promela/model_report.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *fault_text(u32 fault)
{
    switch (fault) {
    case FAULT_ASSERT:
        return "assertion violated";
    case FAULT_INDEX:
        return "array index out of range";
    case FAULT_DIVISION:
        return "division by zero";
    case FAULT_BLOCKED_DSTEP:
        return "a statement inside d_step blocks";
    case FAULT_LONG_DSTEP:
        return "a d_step does not end";
    case FAULT_NO_CHANNEL:
        return "use of a channel variable that holds no channel";
    case FAULT_FIELDS:
        return "wrong number of fields in a message";
    case FAULT_PROCESSES:
        return "more than 255 processes or channels";
    case FAULT_REMOTE:
        return "reference to a process that does not exist";
    case FAULT_CAPACITY:
        return "too many successors of one state";
    case FAULT_TRACE:
        return "an event that the trace assertion does not allow";
    case FAULT_NOTRACE:
        return "the events of the notrace assertion, all of them";
    case FAULT_TRACE_CHOICE:
        return "an event that the trace assertion matches in two ways";
    case FAULT_C_GUARD:
        return "the guard of this c_code is false";
    case FAULT_ENABLED:
        return "enabled() asks about a process that asks back";
    }
    return "unknown fault";
}

static const char *violation_name(enum violation violation)
{
    switch (violation) {
    case VIOLATION_NONE:
        return "passed";
    case VIOLATION_ASSERT:
        return "assertion";
    case VIOLATION_FAULT:
        return "error";
    case VIOLATION_END:
        return "invalid-end-state";
    case VIOLATION_CLAIM:
        return "claim";
    case VIOLATION_ACCEPTANCE:
        return "acceptance-cycle";
    case VIOLATION_PROGRESS:
        return "non-progress-cycle";
    }
    return "?";
}

static int exit_code(const struct verifier *v, bool complete)
{
    switch (v->trail.violation) {
    case VIOLATION_NONE:
        return v->options->require_complete && !complete ? 8 : 0;
    case VIOLATION_ASSERT:
    case VIOLATION_FAULT:
        return 1;
    case VIOLATION_END:
        return 2;
    case VIOLATION_CLAIM:
    case VIOLATION_ACCEPTANCE:
    case VIOLATION_PROGRESS:
        return 3;
    }
    return 70;
}

static const char *transition_text(const struct verifier *v, u32 id)
{
    const struct transition_info *info = verifier_transition(v, id);
    if (info == NULL)
        return "?";
    const struct transition *t = info->transition;
    if (t->kind == TRANSITION_END)
        return "(ends)";
    if (t->statement == NULL)
        return "goto";
    return statement_text(v->model, t->statement);
}

static void print_trail(const struct verifier *v)
{
    const struct trail *trail = &v->trail;
    for (u32 i = 0; i < trail->count; i++) {
        const struct trail_step *s = &trail->steps[i];
        const struct transition_info *info = verifier_transition(v, s->transition);
        if (i == trail->cycle)
            printf("  -- cycle from here --\n");
        if (info == NULL)
            continue;
        printf("%5u  %*sp%u %s:%d  %s", i + 1, (int)(s->pid % 8) * 4, "", s->pid,
               info->proctype->name, info->transition->place.line,
               transition_text(v, s->transition));
        if (s->partner != NO_PARTNER) {
            const struct transition_info *other = verifier_transition(v, s->receive);
            printf("  ==> p%u %s:%d  %s", s->partner, other->proctype->name,
                   other->transition->place.line, transition_text(v, s->receive));
        }
        for (int k = 0; k < info->transition->merged_count; k++)
            if (info->transition->merged[k]->statement != NULL)
                printf("; %s",
                       statement_text(v->model, info->transition->merged[k]->statement));
        printf("\n");
    }
}

static void print_violation(const struct verifier *v)
{
    const struct trail *trail = &v->trail;
    const struct transition_info *info = verifier_transition(
        v, trail->violation == VIOLATION_END ? NO_PARTNER : trail->fault_transition);
    printf("%s", v->model->file);
    if (v->property != NULL)
        printf(": %s", v->property);
    if (info != NULL &&
        (trail->violation == VIOLATION_ASSERT || trail->violation == VIOLATION_FAULT))
        printf(":%d", info->transition->place.line);
    printf(": %s", trail->violation == VIOLATION_ASSERT || trail->violation == VIOLATION_FAULT
                       ? fault_text(trail->fault)
                       : violation_name(trail->violation));
    if (info != NULL && trail->violation == VIOLATION_ASSERT)
        printf(": %s", transition_text(v, trail->fault_transition));
    printf(", %u steps", trail->count);
    if (trail->preemptions >= 0)
        printf(", %d preemptions", trail->preemptions);
    printf("\n");
    if (!v->options->quiet)
        print_trail(v);
}

static bool is_complete(const struct verifier *v)
{
    bool stopped = v->trail.violation != VIOLATION_NONE && !v->options->keep_going;
    return !v->truncated && !v->bound_pruned && !v->approximate && !stopped;
}

static bool write_json(const struct verifier *v, const char *verdict, bool complete)
{
    json_t *root = json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:b, s:f, s:f}", "model", v->model->file, "verdict",
        verdict, "states", (json_int_t)v->states, "transitions",
        (json_int_t)v->transitions_seen, "depth", (json_int_t)v->depth, "errors",
        (json_int_t)v->errors, "complete", complete, "bytes_per_state",
        v->states > 0 ? (double)v->bytes / (double)v->states : 0.0, "seconds", v->seconds);
    if (root == NULL)
        return false;
    if (v->options->claims_left_out)
        json_object_set_new(root, "claims_checked", json_false());
    json_object_set_new(root, "bound",
                        v->bound_reached >= 0 ? json_integer(v->bound_reached) : json_null());
    json_object_set_new(root, "preemptions",
                        v->trail.violation != VIOLATION_NONE && v->trail.preemptions >= 0
                            ? json_integer(v->trail.preemptions)
                            : json_null());
    if (v->property != NULL)
        json_object_set_new(root, "property", json_string(v->property));
    if (v->approximate)
        json_object_set_new(root, "states_missed", json_real(v->missed));
    if (v->truncated)
        json_object_set_new(root, "truncated_by", json_string(v->truncated_by));
    json_t *steps = json_array();
    for (u32 i = 0; i < v->trail.count; i++) {
        const struct trail_step *s = &v->trail.steps[i];
        const struct transition_info *info = verifier_transition(v, s->transition);
        if (info != NULL)
            json_array_append_new(steps, json_pack("{s:i, s:s, s:i, s:s}", "pid", (int)s->pid,
                                                   "proctype", info->proctype->name, "line",
                                                   info->transition->place.line, "statement",
                                                   transition_text(v, s->transition)));
    }
    json_object_set_new(root, "trail", steps);
    int failed = strcmp(v->options->json, "-") == 0
                     ? json_dumpf(root, stdout, JSON_INDENT(2))
                     : json_dump_file(root, v->options->json, JSON_INDENT(2));
    if (failed != 0)
        fprintf(stderr, "mazur: %s can't be written\n", v->options->json);
    else if (strcmp(v->options->json, "-") == 0)
        printf("\n");
    json_decref(root);
    return failed == 0;
}

int model_report(struct verifier *v)
{
    bool complete = is_complete(v);
    const char *verdict = v->trail.violation != VIOLATION_NONE
                              ? violation_name(v->trail.violation)
                          : complete       ? "passed"
                          : v->truncated   ? "incomplete"
                          : v->approximate ? "nothing-found"
                                           : "passed-within-bound";
    if (v->options->json == NULL || strcmp(v->options->json, "-") != 0) {
        if (v->trail.violation != VIOLATION_NONE)
            print_violation(v);
        else if (complete)
            printf("%s: %s%spassed: every state was visited\n", v->model->file,
                   v->property != NULL ? v->property : "", v->property != NULL ? ": " : "");
        else if (v->truncated)
            printf("%s: incomplete: nothing found so far (%s)\n", v->model->file,
                   v->truncated_by);
        else if (v->approximate)
            printf(
                "%s: nothing found; %.3g states may have been missed (hashes, not states, were "
                "compared)\n",
                v->model->file, v->missed);
        else
            printf("%s: passed within %d preemptions; more states lie beyond\n", v->model->file,
                   v->bound_reached);
        if (v->options->claims_left_out)
            printf("safety only: the model's claims were not checked (without --bound and "
                   "--search "
                   "they are)\n");
        printf("%llu states, %llu transitions, depth %llu, %llu errors, %.1f bytes per state, "
               "%.3f s%s\n",
               v->states, v->transitions_seen, v->depth, v->errors,
               v->states > 0 ? (double)v->bytes / (double)v->states : 0.0, v->seconds,
               v->truncated && v->trail.violation != VIOLATION_NONE ? " (search cut short)"
                                                                    : "");
    }
    bool worth_json = v->first_pass || v->trail.violation != VIOLATION_NONE;
    if (v->options->json != NULL && worth_json && !write_json(v, verdict, complete))
        return 70;
    return exit_code(v, complete);
}

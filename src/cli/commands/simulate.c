/* See simulate.h. The run is a trace (promela/trace/simulation.h); this file shows it to the
 * user: rows like those of a failure, numbered choices, and values and the chart on demand. */
#include "cli/commands/simulate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "cli/options/style.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/say.h"
#include "host/terminal.h"
#include "promela/report/replay_model.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/simulation.h"
#include "promela/trace/values.h"
#include "report/files/formats.h"
#include "report/text/text.h"
#include "trace/file/mzt.h"
#include "trace/verdict.h"

#define ROWS_TOGETHER 64 /* rows that are laid out at once */
#define ANSWER_MOST   200
#define SEEDS         1000000 /* a random seed should be easy to type */

struct simulate_session {
    const struct model_options *options;
    struct simulation run;
    struct trail trail; /* to be followed, or empty */
    FILE *out;
    struct text_style style;
    uint64_t seed, random;
    size_t rows;    /* events that were shown */
    size_t threads; /* … and threads that the last header had */
    bool over;      /* the user wants to quit */
};

static const struct trace *trace_of(const struct simulate_session *s)
{
    return s->run.tracer->trace;
}

/* --- what the user sees --- */

static void show_output(struct simulate_session *s)
{
    struct buffer *printed = &s->run.tracer->output;
    if (s->options->quiet && printed->length > 0)
        write_report(s->out, printed);
    printed->length = 0;
}

static void show_rows(struct simulate_session *s)
{
    const struct trace *trace = trace_of(s);
    struct buffer text = {0};
    if (!s->options->quiet && s->rows < trace->nevents) {
        text_steps(&text, trace, s->rows, s->threads < trace->nthreads, s->style);
        s->threads = trace->nthreads;
        write_report(s->out, &text);
    }
    s->rows = trace->nevents;
    fflush(s->out);
    buffer_release(&text);
}

static void add_place_of(struct buffer *line, const struct source_stack *stack)
{
    const struct source_place *place = stack_user_place(stack);
    if (!place || !place->file)
        return;
    buffer_pad(line, 0, 60);
    buffer_printf(line, "  %s:%d", place->file, place->line);
}

static void show_line(struct simulate_session *s, struct buffer *line)
{
    write_line(s->out, "%s", line->data ? line->data : "");
    buffer_release(line);
}

static void show_choice(struct simulate_session *s, uint32_t number)
{
    struct tracer *t = s->run.tracer;
    const struct successor *c = &s->run.choice[number];
    struct source_stack place = tracer_place(t, c->transition);
    struct buffer line = {0};
    buffer_printf(&line, "  %3u  %s: %s", number + 1, t->trace->thread[t->thread[c->pid]].name,
                  tracer_words(t, c->transition));
    if (c->partner != NO_PARTNER)
        buffer_printf(&line, " → %s: %s", t->trace->thread[t->thread[c->partner]].name,
                      tracer_words(t, c->receive));
    add_place_of(&line, &place);
    show_line(s, &line);
}

static bool can_move(const struct simulate_session *s, uint32_t pid)
{
    for (uint32_t i = 0; i < s->run.choices; i++)
        if (s->run.choice[i].pid == pid || s->run.choice[i].partner == pid)
            return true;
    return false;
}

/* In front of what a process does next that is not among the choices. */
static const char *why_not_now(const struct simulate_session *s)
{
    const struct follow *f = &s->run.tracer->follow;
    if (s->run.tracer->fault != 0 || f->expander.fault != 0)
        return "next: "; /* the run has failed, so nobody was asked whether it can move */
    if (f->holder != NO_PARTNER && s->run.choices > 0)
        return "after the atomic sequence: ";
    return "waits for ";
}

/* Every process: what it can do, with numbers, or what it waits for. */
static void show_choices(struct simulate_session *s)
{
    struct tracer *t = s->run.tracer;
    for (uint32_t i = 0; i < s->run.choices; i++)
        show_choice(s, i);
    for (uint32_t pid = 0; pid < t->follow.shape->processes; pid++) {
        struct source_stack place = {0};
        struct buffer line = {0};
        if (can_move(s, pid))
            continue;
        const char *words = tracer_next_words(t, pid, &place);
        buffer_printf(&line, "    –  %s: %s%s", t->trace->thread[t->thread[pid]].name,
                      words ? why_not_now(s) : "", words ? words : "at its end");
        add_place_of(&line, &place);
        show_line(s, &line);
    }
}

static void show_values(struct simulate_session *s)
{
    struct arena arena = {0};
    const struct follow *f = &s->run.tracer->follow;
    size_t count;
    const struct trace_change *value =
        values_all(s->run.verifier->model, f->now, f->shape, &arena, &count);
    for (size_t i = 0; i < count; i++) {
        struct buffer line = {0};
        buffer_printf(&line, "  %s = %s", value[i].name, value[i].after);
        show_line(s, &line);
    }
    arena_free(&arena);
}

static void show_chart(struct simulate_session *s)
{
    struct buffer text = {0};
    text.data = format_trace(FORMAT_CHART, trace_of(s));
    text.length = strlen(text.data);
    write_report(s->out, &text);
    buffer_release(&text);
}

/* --- steps --- */

static bool take_choice(struct simulate_session *s, uint32_t number)
{
    struct trail_step step = simulation_step_of(&s->run.choice[number]);
    bool good = simulation_take(&s->run, &step);
    if (good)
        show_output(s);
    return good;
}

/* The next step of the trail, as long as the run has taken only those before it. */
static const struct trail_step *next_of_trail(const struct simulate_session *s)
{
    uint32_t at = s->run.taken.count;
    if (at >= s->trail.count)
        return NULL;
    for (uint32_t i = 0; i < at; i++)
        if (memcmp(&s->run.taken.steps[i], &s->trail.steps[i], sizeof s->trail.steps[i]) != 0)
            return NULL;
    return &s->trail.steps[at];
}

/* One step of the trail or by chance; false: there is none. */
static bool go_on(struct simulate_session *s)
{
    const struct trail_step *next = next_of_trail(s);
    if (next) {
        if (s->run.taken.count == s->trail.cycle && violation_is_cyclic(s->trail.violation))
            tracer_start_cycle(s->run.tracer);
        bool good = simulation_take(&s->run, next);
        if (good)
            show_output(s);
        return good;
    }
    simulation_list(&s->run);
    return s->run.choices > 0 && take_choice(s, simulation_draw(&s->run, &s->random));
}

/* Is the run over? Then the trace says what is wrong, if anything is. */
static bool is_at_end(struct simulate_session *s)
{
    struct tracer *t = s->run.tracer;
    simulation_list(&s->run);
    if (t->fault != 0) {
        simulation_conclude(&s->run, VIOLATION_FAULT);
        return true;
    }
    if (next_of_trail(s))
        return false;
    if (t->follow.expander.fault != 0)
        simulation_conclude(&s->run, VIOLATION_FAULT);
    else if (s->run.choices == 0)
        simulation_conclude(&s->run, VIOLATION_END);
    else
        return false;
    simulation_list(&s->run);
    return true;
}

static bool is_interrupted(const struct simulate_session *s)
{
    return verifier_is_over(s->run.verifier) != NULL;
}

/* Up to `most` steps, with rows; false: the run is at its end. */
static bool run_on(struct simulate_session *s, uint64_t most)
{
    bool more = !is_at_end(s);
    for (uint64_t i = 0; more && i < most && !is_interrupted(s); i++) {
        if (!go_on(s))
            break;
        if (trace_of(s)->nevents - s->rows >= ROWS_TOGETHER)
            show_rows(s);
        more = !is_at_end(s);
    }
    show_rows(s);
    return more;
}

/* --- a session --- */

static void show_help(struct simulate_session *s)
{
    fputs("  N      take step N           Enter  one random step (on a trail: its next step)\n"
          "  r N    N steps like that     b N    go back N steps\n"
          "  v      values                c      message sequence chart\n"
          "  q      quit\n",
          s->out);
}

static void go_back(struct simulate_session *s, uint64_t count)
{
    uint32_t steps = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (!simulation_back(&s->run, steps)) {
        complain("the model can't be run again to that point");
        s->over = true;
        return;
    }
    s->run.tracer->output.length = 0;
    s->rows = trace_of(s)->nevents;
    fprintf(s->out, "  after step %zu\n", s->rows);
}

static void take_number(struct simulate_session *s, uint64_t number)
{
    if (number == 0 || number > s->run.choices) {
        fprintf(s->out, "  there is no step %llu here\n", (unsigned long long)number);
        return;
    }
    take_choice(s, (uint32_t)number - 1);
    show_rows(s);
}

static void obey_command(struct simulate_session *s, const char *answer)
{
    while (isspace((unsigned char)*answer))
        answer++;
    const char *digits = answer + strcspn(answer, "0123456789");
    uint64_t number = *digits ? strtoull(digits, NULL, 10) : 1;
    switch (*answer) {
    case '\0':
        run_on(s, 1);
        break;
    case 'r':
        run_on(s, number);
        break;
    case 'b':
        go_back(s, number);
        break;
    case 'v':
        show_values(s);
        break;
    case 'c':
        show_chart(s);
        break;
    case 'q':
        s->over = true;
        break;
    default:
        if (digits == answer)
            take_number(s, number);
        else
            show_help(s);
    }
}

static void show_end(struct simulate_session *s)
{
    const struct trace *trace = trace_of(s);
    struct buffer line = {0};
    if (trace->failure.kind == FAILURE_NONE)
        buffer_text(&line, "  every process has ended, or may stop here");
    else
        buffer_printf(&line, "  ✗ %s", trace->failure.message);
    show_line(s, &line);
}

static void hold_session(struct simulate_session *s)
{
    char answer[ANSWER_MOST];
    while (!s->over && !is_interrupted(s)) {
        bool end = is_at_end(s);
        if (end)
            show_end(s);
        show_choices(s);
        if (!end)
            fprintf(s->out, s->run.choices > 1 ? "1-%u, " : "%u, ", s->run.choices);
        fputs(end ? "b, v, c, q or h: " : "Enter, r, b, v, c, q or h: ", s->out);
        fflush(s->out);
        if (!fgets(answer, sizeof answer, stdin)) {
            fputs("\n", s->out);
            return;
        }
        if (!isatty(STDIN_FILENO)) /* which echoes it */
            write_line(s->out, "%.*s", (int)strcspn(answer, "\n"), answer);
        obey_command(s, answer);
    }
}

/* --- the whole --- */

/* Continuing at random after the end of a trail would be a different run, so the run ends with
 * its trail. */
static void run_alone(struct simulate_session *s)
{
    uint64_t most = s->trail.count > 0 ? s->trail.count : s->options->steps;
    bool more = run_on(s, most);
    const struct trace *trace = trace_of(s);
    struct buffer line = {0};
    if (s->trail.count > 0 && trace->failure.kind == FAILURE_NONE)
        simulation_conclude(&s->run, s->trail.violation);
    if (s->options->quiet && trace->failure.kind == FAILURE_NONE)
        return;
    if (!s->options->quiet) {
        simulation_list(&s->run);
        show_choices(s);
    }
    buffer_printf(&line, "mazur: %s: ", s->options->file);
    if (trace->failure.kind != FAILURE_NONE)
        buffer_text(&line, trace->failure.message);
    else if (s->trail.count > 0)
        buffer_text(&line, "the end of the trail");
    else
        buffer_text(&line,
                    more ? "not at its end" : "every process has ended, or may stop here");
    if (trace->failure.cycle)
        buffer_printf(&line, ", from step %u on for ever", trace->failure.cycle);
    buffer_printf(&line, " · %zu steps", trace->nevents);
    if (s->trail.count == 0)
        buffer_printf(&line, " · --seed %llu", (unsigned long long)s->seed);
    show_line(s, &line);
}

static bool write_files(const struct simulate_session *s)
{
    const struct options *shared = s->options->shared;
    bool good = true;
    for (int kind = 0; kind < FORMATS; kind++) {
        if (!shared->files[kind])
            continue;
        char *text = format_trace((enum format_kind)kind, trace_of(s));
        good = write_file(shared->files[kind], text) && good;
        free(text);
    }
    return good;
}

static bool is_trace_file(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".mzt") == 0;
}

/* Finds the claim that the run along the trail is checked against. */
static bool trail_property(struct model *model, const char *path, struct trace **trace,
                           struct property *property)
{
    char *reason = NULL;
    *trace = NULL;
    if (!path)
        return true;
    if (!is_trace_file(path))
        return spin_trail_property(model, path, property);
    *trace = mzt_read(path, &reason);
    bool good = *trace && (*trace)->recipe.model &&
                find_property(model, (*trace)->recipe.property, property);
    if (!good)
        complain("%s: %s", path, reason ? reason : "not a trace of this model");
    free(reason);
    return good;
}

static bool read_trail(struct simulate_session *s, struct verifier *plain,
                       const struct trace *trace)
{
    const char *path = s->options->given_trail;
    if (trace && !model_schedule(plain, trace, &s->trail)) {
        complain("%s: the model can no longer take this path, from step %u on", path,
                 s->trail.count + 1);
        return false;
    }
    return trace || !path || spin_trail_read(plain, path, &s->trail);
}

static int run_session(struct simulate_session *s, struct verifier *plain)
{
    int status = EXIT_INTERNAL;
    plain->started = verifier_clock();
    if (!simulation_open(&s->run, plain)) {
        complain("no memory");
        return status;
    }
    if (s->options->interactive)
        hold_session(s);
    else
        run_alone(s);
    if (!s->over || !s->options->interactive)
        status = failure_exit_code(trace_of(s)->failure.kind);
    else
        status = 0;
    if (!write_files(s))
        status = EXIT_INTERNAL;
    simulation_close(&s->run);
    return status;
}

int simulate_model(const struct model_options *o, struct model *model)
{
    struct simulate_session s = {.options = o, .seed = o->seed};
    struct verifier like = {.options = o, .model = model}, plain;
    struct model_options options;
    struct property property = {0};
    struct trace *trace;
    int status = EXIT_USAGE;
    s.out = files_on_stdout(o->shared) ? stderr : stdout;
    s.style = options_style(o->shared, s.out);
    if (s.seed == 0)
        s.seed = ((uint64_t)time(NULL) * 7919 + (uint64_t)getpid()) % SEEDS + 1;
    s.random = s.seed;
    if (!trail_property(model, o->given_trail, &trace, &property)) {
        if (trace)
            trace_free(trace);
        return status;
    }
    if (verifier_prepare_plain(&plain, &options, &like, &property)) {
        options.time = o->interactive ? 0 : o->time;
        if (read_trail(&s, &plain, trace))
            status = run_session(&s, &plain);
    }
    verifier_release(&plain);
    trail_free(&s.trail);
    if (trace)
        trace_free(trace);
    return status;
}

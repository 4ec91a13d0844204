/* One table row per option: name, what it takes, where it goes. */
#include "promela/model_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_form {
    FORM_FLAG,
    FORM_TEXT,
    FORM_SWITCH,
    FORM_COUNT,
    FORM_BOUND,
    FORM_SIZE,
    FORM_TIME,
    FORM_STORE,
    FORM_SEARCH
};

#define AT(field) offsetof(struct model_options, field)

static const struct row {
    const char *name;
    enum option_form form;
    size_t at;
    const char *argument, *help;
} rows[] = {
    {"bound", FORM_BOUND, AT(bound), "N|auto|none",
     "states within N preemptions; auto: 0, 1, 2, … until complete; none: plain search"},
    {"por", FORM_SWITCH, AT(por), "on|off", "partial-order reduction"},
    {"optimize", FORM_SWITCH, AT(optimize), "on|off",
     "merge local steps; off: exactly the states of Spin's plain semantics"},
    {"store", FORM_STORE, AT(store), "exact|compact|bitstate", "how visited states are kept"},
    {"search", FORM_SEARCH, AT(search), "dfs|bfs|fewest",
     "order of the search; fewest: by preemptions, then length"},
    {"ltl", FORM_TEXT, AT(ltl), "NAME", "check this formula or never claim"},
    {"no-claim", FORM_FLAG, AT(no_claim), NULL, "ignore claims and formulas"},
    {"acceptance", FORM_FLAG, AT(acceptance), NULL, "look for acceptance cycles"},
    {"progress", FORM_FLAG, AT(progress), NULL, "look for non-progress cycles"},
    {"fair", FORM_FLAG, AT(fair), NULL, "only weakly fair cycles count"},
    {"shorten", FORM_FLAG, AT(shorten), NULL,
     "the failure with the fewest preemptions, then the shortest"},
    {"keep-going", FORM_FLAG, AT(keep_going), NULL, "do not stop at the first failure"},
    {"require-complete", FORM_FLAG, AT(require_complete), NULL,
     "exit code 8 unless everything was covered"},
    {"quiet", FORM_FLAG, AT(quiet), NULL, "the verdict line only"},
    {"verbose", FORM_FLAG, AT(verbose), NULL, "say more"},
    {"jobs", FORM_COUNT, AT(jobs), "N", "threads that search (0: all cores)"},
    {"memory", FORM_SIZE, AT(memory), "SIZE", "memory for states, as 4G"},
    {"time", FORM_TIME, AT(time), "DURATION", "end after so long (0: no limit)"},
    {"json", FORM_TEXT, AT(json), "FILE", "write the result as JSON ('-': standard output)"},
    {"trail", FORM_TEXT, AT(trail), "FILE", "write the failure as a Spin trail"},
    {"emit-c", FORM_TEXT, AT(emit), "FILE", "write the C that the model becomes"},
    {"tier", FORM_COUNT, AT(tier), "0|1|2",
     "compilers: 0 quick then optimising, 1 quick only, 2 optimising only"},
};

static int usage(const char *message, const char *what)
{
    fprintf(stderr, "mazur model: %s%s%s\n", message, what != NULL ? ": " : "",
            what != NULL ? what : "");
    return 64;
}

static void help(void)
{
    printf("usage: mazur model FILE.pml [options]\n\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", rows[i].name,
                 rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        printf("  %-32s %s\n", left, rows[i].help);
    }
    printf("  %-32s %s\n", "-D NAME=VALUE", "define a macro");
}

static bool scale(const char *text, double *value, const char *units, const double *factors)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *value < 0)
        return false;
    if (*end == '\0')
        return true;
    const char *unit = strchr(units, *end);
    if (unit == NULL)
        return false;
    *value *= factors[unit - units];
    return true;
}

static bool one_of(const char *text, const char *const *names, int count, int *value)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static bool set(struct model_options *o, const struct row *row, const char *text)
{
    static const char *const stores[] = {"exact", "compact", "bitstate"};
    static const char *const searches[] = {"dfs", "bfs", "fewest"};
    static const char *const switches[] = {"off", "on"};
    void *to = (char *)o + row->at;
    int choice = 0;
    double value;
    switch (row->form) {
    case FORM_FLAG:
        *(bool *)to = true;
        return true;
    case FORM_TEXT:
        *(const char **)to = text;
        return true;
    case FORM_SWITCH:
        if (!one_of(text, switches, 2, &choice))
            return false;
        *(bool *)to = choice;
        o->por_given |= strcmp(row->name, "por") == 0;
        return true;
    case FORM_STORE:
        if (!one_of(text, stores, 3, &choice))
            return false;
        o->store = (enum model_store)choice;
        return true;
    case FORM_SEARCH:
        if (!one_of(text, searches, 3, &choice))
            return false;
        o->search = (enum model_search)choice;
        o->search_given = true;
        return true;
    case FORM_COUNT:
    case FORM_BOUND: {
        char *end;
        long number = strtol(text, &end, 10);
        if (row->form == FORM_BOUND)
            o->bound_given = true;
        if (row->form == FORM_BOUND && strcmp(text, "none") == 0)
            number = MODEL_BOUND_NONE;
        else if (row->form == FORM_BOUND && strcmp(text, "auto") == 0)
            number = MODEL_BOUND_AUTO;
        else if (end == text || *end != '\0' || number < 0 || number > 1000000)
            return false;
        *(int *)to = (int)number;
        return true;
    }
    case FORM_SIZE:
        if (!scale(text, &value, "kKmMgG",
                   (const double[]){1e3, 1024, 1048576, 1048576, 1073741824, 1073741824}))
            return false;
        o->memory = (size_t)value;
        o->bit_memory = o->memory / 2;
        return true;
    case FORM_TIME:
        return scale(text, &o->time, "smh", (const double[]){1, 60, 3600});
    }
    return false;
}

static int long_option(struct model_options *o, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (strlen(row->name) != length || strncmp(row->name, name, length) != 0)
            continue;
        const char *text = equals != NULL ? equals + 1 : NULL;
        if (row->form != FORM_FLAG && text == NULL) {
            if (*at + 1 >= argc)
                return usage("this option needs a value", argv[*at]);
            text = argv[++*at];
        }
        if (row->form == FORM_FLAG && text != NULL)
            return usage("this option takes no value", argv[*at]);
        if (!set(o, row, text))
            return usage("not a value that this option takes", argv[*at]);
        return -1;
    }
    return usage("unknown option (see mazur model --help)", argv[*at]);
}

int model_options_parse(struct model_options *o, int argc, char **argv)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    *o = (struct model_options){
        .bound = MODEL_BOUND_NONE, .optimize = true, .jobs = 1, .por = true, .time = 60};
    o->memory = pages > 0 ? (size_t)pages * (size_t)page / 4 * 3 : (size_t)4 << 30;
    o->bit_memory = (size_t)256 << 20;
    o->defines = calloc((size_t)argc + 1, sizeof *o->defines);
    if (o->defines == NULL)
        return 70;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            help();
            return 0;
        }
        if (strncmp(argv[i], "-D", 2) == 0) {
            if (argv[i][2] == '\0' && i + 1 >= argc)
                return usage("-D needs a name", NULL);
            o->defines[o->define_count++] = argv[i][2] != '\0' ? argv[i] + 2 : argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0) {
            int status = long_option(o, argc, argv, &i);
            if (status >= 0)
                return status;
        } else if (o->file != NULL) {
            return usage("one model at a time", argv[i]);
        } else {
            o->file = argv[i];
        }
    }
    if (o->jobs != 1)
        return usage("only one thread searches so far", "--jobs");
    if (o->trail != NULL)
        return usage("Spin trails are not written yet", "--trail");
    if (o->store != STORE_EXACT && (o->search != SEARCH_DFS || o->bound_given))
        return usage("only a plain depth-first search works with hashes", "--store");
    bool ordered = (o->bound_given && o->bound != MODEL_BOUND_NONE) || o->search != SEARCH_DFS;
    bool liveness = o->ltl != NULL || o->acceptance || o->progress;
    if (ordered && liveness)
        return usage("claims and cycles are searched depth-first and without a bound so far",
                     o->ltl != NULL  ? "--ltl"
                     : o->acceptance ? "--acceptance"
                                     : "--progress");
    if (o->por && o->por_given && (ordered || liveness))
        return usage("reduction works with the plain depth-first search for safety only so far",
                     "--por on");
    if (o->file == NULL)
        return usage("which model? (mazur model FILE.pml; --help for more)", NULL);
    return -1;
}

void model_options_free(struct model_options *o)
{
    free(o->defines);
}

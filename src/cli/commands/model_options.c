/* From the shared option table (src/cli) to what a verification run needs: which words are
 * the model and its macros, and which combinations make no sense. */
#include "cli/commands/model_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "explore/search/search.h"
#include "host/free_cores.h"
#include "host/say.h"
#include "promela/store/memory_limit.h"

enum model_switch { SWITCH_OFF, SWITCH_ON, SWITCH_AUTO };

static bool refuse_option(const char *option, const char *why)
{
    complain("%s: %s", option, why);
    return false;
}

static bool is_trail(const char *word)
{
    size_t length = strlen(word);
    return length > 6 && strcmp(word + length - 6, ".trail") == 0;
}

/* The model's file, a trail of Spin to follow, and -D NAME=VALUE in one word or two. */
static bool take_words(struct model_options *o, const struct text_list *words)
{
    o->defines = calloc(words->count + 1, sizeof *o->defines);
    if (!o->defines)
        return false;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->item[i];
        if (strncmp(word, "-D", 2) == 0) {
            if (word[2] == '\0' && ++i == words->count)
                return refuse_option("-D", "needs a name");
            o->defines[o->define_count++] = word[2] != '\0' ? word + 2 : words->item[i];
        } else if (word[0] == '-' && word[1] != '\0') {
            return refuse_option(word, "unknown option (see mazur model --help)");
        } else if (o->file && !o->given_trail && is_trail(word)) {
            o->given_trail = word;
        } else if (o->file) {
            return refuse_option(word, "one model at a time");
        } else {
            o->file = word;
        }
    }
    if (!o->file) {
        complain("which model? (mazur model FILE.pml; --help for more)");
        return false;
    }
    return true;
}

static bool fits_together(const struct model_options *o)
{
    bool liveness = o->ltl || o->acceptance || o->progress;
    if (o->engine && (liveness || o->simulate || o->given_trail))
        return refuse_option(o->ltl          ? "--ltl"
                             : o->acceptance ? "--acceptance"
                             : o->progress   ? "--progress"
                                             : "--simulate",
                             "mazur-mpi checks safety only; use mazur model");
    if (!o->simulate && (o->interactive || o->seed > 0))
        return refuse_option(o->interactive ? "--interactive" : "--seed",
                             "can be used only with --simulate");
    bool swarm = o->search == SEARCH_SWARM;
    if (swarm && o->bound_given)
        return refuse_option("--search swarm", "a swarm takes no bound");
    if (swarm && o->keep_going)
        return refuse_option("--search swarm", "a swarm ends at its first failure");
    if (o->search == SEARCH_BFS && o->bound_given && o->bound != MODEL_BOUND_NONE)
        return refuse_option("--search bfs",
                             "breadth first knows no bound; use --search fewest");
    if (o->store != STORE_EXACT && o->search != SEARCH_DFS && !swarm)
        return refuse_option("--store", "only the depth-first search works with hashes");
    if (o->search != SEARCH_DFS && liveness)
        return refuse_option("--search", "claims and cycles are searched depth first");
    if (o->por && o->por_given && o->search != SEARCH_DFS && !swarm)
        return refuse_option("--por on", "this search order does not allow reduction");
    return true;
}

/* Members of a swarm share nothing, so they need no request to use what is free. */
static int threads_of(const struct options *options)
{
    if (options->jobs > 0)
        return (int)options->jobs;
    return options->jobs == 0 || options->search == SEARCH_SWARM ? free_cores() : 1;
}

bool model_options_take(struct model_options *o, const struct options *options,
                        const struct text_list *words, const struct search_engine *engine)
{
    size_t machine = memory_for_states("") / (engine ? (size_t)engine->ranks_here : 1);
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur / 4 < machine)
        machine = space.rlim_cur / 4; /* address space is reserved in large pieces */
    *o = (struct model_options){
        .bound = options->model_bound == BOUND_NONE   ? MODEL_BOUND_NONE
                 : options->model_bound == BOUND_AUTO ? MODEL_BOUND_AUTO
                                                      : (int)options->model_bound,
        .bound_given = options->model_bound != BOUND_NONE,
        .por = engine ? options->por == SWITCH_ON : options->por != SWITCH_OFF,
        .por_given = options->por != SWITCH_AUTO,
        .optimize = options->optimize != 0,
        .store = (enum model_store)options->store,
        .search = (enum model_search)options->search,
        .search_given = options->search != SEARCH_DFS,
        .ltl = options->ltl,
        .no_claim = options->no_claim,
        .acceptance = options->acceptance,
        .progress = options->progress,
        .fair = options->weak_fairness,
        .shorten = options->shorten,
        .keep_going = options->keep_going,
        .require_complete = options->require_complete,
        .quiet = options->quiet,
        .verbose = options->verbose,
        .jobs = engine ? 1 : threads_of(options),
        .jobs_given = options->jobs >= 0,
        .engine = engine,
        .memory = options->memory > 0 ? (size_t)options->memory : machine,
        .bit_memory = options->memory > 0               ? (size_t)options->memory / 4 * 3
                      : machine / 2 < (size_t)256 << 20 ? machine / 2
                                                        : (size_t)256 << 20,
        .time = options->time,
        .shared = options,
        .trail = options->simulate ? NULL : options->trail,
        .given_trail = options->simulate ? options->trail : NULL,
        .simulate = options->simulate,
        .interactive = options->interactive,
        .seed = (uint64_t)options->model_seed,
        .steps = (uint64_t)options->steps,
        .emit = options->emit_c,
        .tier = (int)options->tier,
    };
    if (o->search == SEARCH_SWARM) { /* its members share one code, so use the best */
        o->store = STORE_BITSTATE;
        o->tier = 2;
    }
    return take_words(o, words) && fits_together(o);
}

void model_options_free(struct model_options *o)
{
    free(o->defines);
}

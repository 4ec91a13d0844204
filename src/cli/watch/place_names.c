/* See place_names.h. */
#define _GNU_SOURCE
#include "cli/watch/place_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "board/parent.h"
#include "debuginfo/languages.h"
#include "debuginfo/resolve.h"
#include "host/say.h"
#include "machine/sites.h"

static const char *const options_of[LISTS] = {"preempt-only", "no-preempt", "visible"};

static bool join_names(const struct text_list *names, char *out, const char *option)
{
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        size_t length = strlen(names->item[i]);
        if (used + length + 2 > BOARD_TEXT || strchr(names->item[i], '\n')) {
            complain("--%s: the names are too many or too long", option);
            return false;
        }
        memcpy(out + used, names->item[i], length);
        used += length;
        out[used++] = '\n';
    }
    return true;
}

bool places_configure(const struct options *options, struct board_config *config)
{
    const struct text_list *const lists[LISTS] = {&options->preempt_only, &options->no_preempt,
                                                  &options->visible};
    for (int i = 0; i < LISTS; i++)
        if (!join_names(lists[i], config->names[i], options_of[i]))
            return false;
    return true;
}

struct place_filling {
    struct board *board;
    int list;
    bool full;
};

static void add_place(void *context, enum board_place_kind kind, uint64_t start, uint64_t end)
{
    struct place_filling *filling = context;
    struct board *board = filling->board;
    if (board->nplaces == BOARD_PLACES) {
        filling->full = true;
        return;
    }
    board->place[board->nplaces++] = (struct board_place){
        .start = start, .end = end, .kind = (uint8_t)kind, .list = (uint8_t)filling->list};
}

static bool look_up(struct symboliser *symboliser, struct board *board, int list,
                    const char *name)
{
    struct place_filling filling = {board, list, false};
    bool visible = list == LIST_VISIBLE;
    size_t count = visible ? resolve_function(symboliser, name, add_place, &filling)
                           : resolve_name(symboliser, name, add_place, &filling);
    if (visible && count == 0)
        count = sites_whole_module(board, name, add_place, &filling);
    if (visible && count == 0)
        count = resolve_file(symboliser, name, add_place, &filling);
    if (count == 0)
        complain("--%s %s: the program has no %s of that name%s", options_of[list], name,
                 visible ? "function, library or file" : "function, variable or file",
                 strchr(name, ',') ? " (give the option once for each name)" : "");
    else if (filling.full)
        complain("--%s %s: this covers more places than Mazur can track", options_of[list],
                 name);
    return count > 0 && !filling.full;
}

/* Fill in the places and sites of a board that is the parent's own. False after a message. */
static bool find_places(struct board *board)
{
    struct arena arena = {0};
    bool good = true;
    board->nplaces = 0;
    struct symboliser *symboliser = symboliser_new(board, &arena);
    for (int list = 0; list < LISTS && good; list++) {
        char *names = copy_text(board->config.names[list]);
        char *rest = names;
        for (char *name; good && (name = strsep(&rest, "\n"));)
            good = !*name || look_up(symboliser, board, list, name);
        free(names);
    }
    char *problem = good ? sites_find(board, symboliser) : NULL;
    if (problem)
        complain("%s", problem);
    good = good && !problem;
    free(problem);
    languages_find(board, symboliser);
    symboliser_free(symboliser);
    arena_free(&arena);
    return good;
}

bool places_answer(struct shared *shared)
{
    struct board *board = shared->board, *copy = board_copy(shared);
    bool good = copy && find_places(copy);
    if (good) { /* if there is no memory for a copy, the command ends with a message, and so
                   does the child */
        memcpy(board->place, copy->place, copy->nplaces * sizeof *copy->place);
        memcpy(board->site, copy->site, copy->nsites * sizeof *copy->site);
        memcpy(board->old_rules, copy->old_rules, copy->nold_rules * sizeof *copy->old_rules);
        board->nplaces = copy->nplaces;
        board->nsites = copy->nsites;
        board->nold_rules = copy->nold_rules;
        board->claim = copy->claim; /* the child waits */
    }
    board_copy_free(copy);
    __atomic_store_n(&board->places_known, good ? 1 : 2, __ATOMIC_SEQ_CST);
    return good;
}

void places_keep(struct shared *shared, uint32_t nplaces)
{
    shared->board->nplaces = nplaces;
    __atomic_store_n(&shared->board->places_known, 1, __ATOMIC_SEQ_CST);
}

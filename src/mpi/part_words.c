/* See part_words.h. */
#include "mpi/part_words.h"

#include <string.h>

#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "host/say.h"

/* The row of the option in this word, with or without "=value"; NULL: it is not an option. */
static const struct option *find_row(const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    size_t length = strcspn(word + 2, "=");
    for (size_t i = 0; i < option_count; i++)
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, word + 2, length) == 0 &&
            (option_table[i].commands & (COMMAND_SEARCHES | COMMAND_MPI_MODEL)))
            return &option_table[i];
    return NULL;
}

static bool is_report(const struct option *row)
{
    size_t first = offsetof(struct options, files);
    return row->offset >= first && row->offset < first + sizeof((struct options *)0)->files;
}

/* Do both the searches and the merge need this option? */
static bool is_for_both(const char *name)
{
    return strcmp(name, "quiet") == 0 || strcmp(name, "color") == 0 ||
           strcmp(name, "full") == 0 || strcmp(name, "require-complete") == 0;
}

static bool refuse_word(const char *name, const char *why)
{
    complain("--%s: %s", name, why);
    return false;
}

/* One option, with its value if that is a word of its own. */
static bool sort_option(struct part_words *words, const struct option *row, char *word,
                        char *value)
{
    const char *text = strchr(word, '=') ? strchr(word, '=') + 1 : value;
    if (strcmp(row->name, "checkpoint") == 0) {
        words->folder = text;
        return true;
    }
    if (strcmp(row->name, "resume") == 0) {
        words->resume = true;
        return true;
    }
    if (strcmp(row->name, "checkpoint-every") == 0)
        return refuse_word(
            row->name, "is for models; of a program each part is kept as soon as it is done");
    if (strcmp(row->name, "shard") == 0)
        return refuse_word(row->name, "mazur-mpi makes the parts itself");
    if (strcmp(row->name, "execs") == 0)
        return refuse_word(row->name, "can't be used with a search in parts");
    struct text_list *list = is_report(row) ? &words->merge : &words->search;
    for (int i = 0; i < (is_for_both(row->name) ? 2 : 1); i++) {
        list_add(list, word);
        if (value)
            list_add(list, value);
        list = &words->merge;
    }
    return true;
}

bool part_words_take(struct part_words *words, int argc, char **argv)
{
    bool mixed = strcmp(argv[0], "check") == 0;
    *words = (struct part_words){0};
    list_add(&words->search, argv[0]);
    list_add(&words->search, "--jobs"); /* there are as many ranks as processors */
    list_add(&words->search, "1");
    for (int i = 1; i < argc; i++) {
        const struct option *row = find_row(argv[i]);
        bool ends = strcmp(argv[i], "--") == 0 || (!mixed && argv[i][0] != '-');
        if (ends) {
            for (; i < argc; i++)
                list_add(&words->rest, argv[i]);
            break;
        }
        if (!row) {
            list_add(mixed ? &words->rest : &words->search, argv[i]);
            continue;
        }
        bool takes_next = row->argument && !strchr(argv[i], '=');
        if (takes_next && i + 1 == argc)
            return refuse_word(row->name, "needs a value");
        if (!sort_option(words, row, argv[i], takes_next ? argv[i + 1] : NULL))
            return false;
        i += takes_next;
    }
    if (words->rest.count == 0) {
        complain("mazur-mpi %s: nothing to search was named", argv[0]);
        return false;
    }
    if (words->resume && !words->folder)
        return refuse_word("resume", "needs the directory of --checkpoint");
    return true;
}

void part_words_free(struct part_words *words)
{
    list_release(&words->search);
    list_release(&words->rest);
    list_release(&words->merge);
}

/* The table of strategies (strategies.h). Its rows are those of strategy/strategies.def. */
#include "explore/search/strategies.h"

#include <stddef.h>

static const struct strategy_ops *const table[] = {
#define STRATEGY(name) &strategy_##name,
#include "explore/strategy/strategies.def"
#undef STRATEGY
};

#define STRATEGIES ((int)(sizeof table / sizeof table[0]))

static bool same_name(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int strategy_index(const char *name)
{
    for (int i = 0; i < STRATEGIES; i++)
        if (same_name(name, table[i]->name))
            return i;
    return -1;
}

const struct strategy_ops *strategy_by_index(int index)
{
    return table[index];
}

bool strategy_has(const char *name, enum strategy_trait trait)
{
    int index = strategy_index(name);
    unsigned traits = index < 0 ? STRATEGY_SAMPLES | STRATEGY_REDUCES : table[index]->traits;
    return traits & trait;
}

bool strategy_is_known(const char *name)
{
    return strategy_index(name) >= 0;
}

bool search_compares_states(const struct search_options *options)
{
    return options->cache_states || strategy_has(options->strategy, STRATEGY_STATEFUL);
}

static const struct strategy_ops *listed_strategy(int i)
{
    for (int at = 0; at < STRATEGIES; at++)
        if (table[at]->help && i-- == 0)
            return table[at];
    return NULL;
}

const char *strategy_name(int i)
{
    const struct strategy_ops *ops = listed_strategy(i);
    return ops ? ops->name : NULL;
}

const char *strategy_help(int i)
{
    const struct strategy_ops *ops = listed_strategy(i);
    return ops ? ops->help : NULL;
}

static void append_text(char *text, unsigned long size, unsigned long *used, const char *word)
{
    for (; *word && *used + 1 < size; word++)
        text[(*used)++] = *word;
    text[*used] = '\0'; /* size > 0 */
}

void strategy_names(enum strategy_trait trait, char *text, unsigned long size)
{
    unsigned long used = 0;
    const char *last = NULL;
    text[0] = '\0';
    for (int i = 0; strategy_name(i); i++) {
        if (listed_strategy(i) == &strategy_auto || !(listed_strategy(i)->traits & trait))
            continue;
        if (last) {
            append_text(text, size, &used, used ? ", " : "");
            append_text(text, size, &used, last);
        }
        last = strategy_name(i);
    }
    if (last) {
        append_text(text, size, &used, used ? " or " : "");
        append_text(text, size, &used, last);
    }
}

bool strategy_is(const struct search_options *options, const struct strategy_ops *ops)
{
    return same_name(options->strategy, ops->name);
}

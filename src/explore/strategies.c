/* The table of strategies: the one place where a new one is registered.
 *
 * Order: that of the manual. `replay` and `simplify` are the last and no names that --strategy
 * takes; `auto` is an alias for whatever is the best sound choice at present. */
#include "explore/strategy.h"

#include <stddef.h>

#define AUTO "bpor"

static const struct strategy_ops *const table[] = {
    &strategy_dfs,        &strategy_icb,    &strategy_delay,    &strategy_random,
    &strategy_pct,        &strategy_dpor,   &strategy_bpor,     &strategy_dpor_plain,
    &strategy_bpor_plain, &strategy_cbpor,  &strategy_cbpor_1,  &strategy_optimal,
    &strategy_sdpor,      &strategy_replay, &strategy_simplify,
};

#define STRATEGIES ((int)(sizeof table / sizeof table[0]))

const char *const search_strategies[] = {
    "auto", "dfs",   "icb",     "delay",   "random", "pct", "dpor",
    "bpor", "cbpor", "cbpor-1", "optimal", "sdpor",  NULL,
};

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
    if (same_name(name, "auto"))
        name = AUTO;
    for (int i = 0; i < STRATEGIES; i++)
        if (same_name(name, table[i]->name))
            return i;
    return -1;
}

const struct strategy_ops *strategy_by_index(int index)
{
    return table[index];
}

void strategy_error(char *error, unsigned long error_size, const char *message)
{
    if (error_size == 0)
        return;
    unsigned long i = 0;
    for (; i + 1 < error_size && message[i]; i++)
        error[i] = message[i];
    error[i] = '\0';
}

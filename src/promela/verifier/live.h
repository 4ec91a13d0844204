/* The live line of a model's search on a terminal: what is being checked, how many states so
 * far, how fast, and how much of the memory and the time are used up. The number of states that
 * are left is unknown. */
#ifndef MAZUR_PROMELA_LIVE_H
#define MAZUR_PROMELA_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct live_line {
    FILE *out;        /* NULL: no terminal, or nothing is to be said */
    bool open;        /* it is on the screen */
    const char *what; /* the property of this pass, or NULL: safety */
    size_t most_bytes;
    double most_seconds; /* 0: no limit */
    double next, last;
    unsigned long long last_states;
    double rate;
};

/* Show it if it is time; `seconds` since the search began. */
void live_show(struct live_line *line, unsigned long long states, size_t bytes, double seconds);
/* Take it away before something else is printed. */
void live_wipe(struct live_line *line);

#endif

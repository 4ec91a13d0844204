/* See free_cores.h. */
#define _GNU_SOURCE
#include "host/free_cores.h"

#include <sched.h>
#include <stdlib.h>

int free_cores(void)
{
    cpu_set_t set;
    double load = 0;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (getloadavg(&load, 1) != 1 || load < 0)
        load = 0;
    int free = cores - (int)(load < cores ? load + 0.5 : cores);
    return free > 1 ? free : 1;
}

/* The environment, and the time zone that libc takes from it.
 *
 * Both are state of the process (shared_state.h). The environment is also memory of the
 * program: the variable `environ`, the list that it points to, and texts that were given to
 * putenv(). libc orders what its own functions do there, but not what the program does. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/libc/libc_table.h"
#include "runtime/hooks/libc/process_state.h"

/* --- The environment --- */

/* Every function looks for a name: getenv(3p), setenv(3p). The values are not read. */
static void read_names(uint64_t pc)
{
    if (rt.used == 1)
        return;
    caller_reads_guarded(&environ, sizeof environ, pc);
    for (char **entry = environ; entry; entry++) {
        caller_reads_guarded(entry, sizeof *entry, pc);
        if (!*entry)
            return;
        size_t length = 0;
        access_check((uint64_t)(uintptr_t)*entry, 1, false, pc);
        while ((*entry)[length] && (*entry)[length] != '=')
            length++;
        caller_reads_guarded(*entry, length + 1, pc);
    }
}

void environment_look(uint64_t pc)
{
    shared_look_state(SHARED_ENVIRONMENT, pc);
    read_names(pc);
}

void environment_change(uint64_t pc)
{
    shared_change_state(SHARED_ENVIRONMENT, pc);
    read_names(pc);
    caller_writes_guarded(&environ, sizeof environ, pc);
}

/* --- The time zone --- */

/* tzset(3p): "shall use the value of the environment variable TZ". glibc sets the zone again
 * only if the value has changed since the last time. */
static struct {
    bool is_set;
    uint64_t value; /* hash of TZ when the zone was set last */
} zone;

void zone_begin(void)
{
    zone.is_set = false;
}

static uint64_t zone_value(void)
{
    for (char **at = environ; at && *at; at++)
        if ((*at)[0] == 'T' && (*at)[1] == 'Z' && (*at)[2] == '=')
            return hash_of_text(*at + 3);
    return 0;
}

void zone_set(uint64_t pc)
{
    environment_look(pc);
    if (zone.is_set && zone.value != zone_value())
        shared_change_state(SHARED_ZONE, pc);
    else
        shared_look_state(SHARED_ZONE, pc);
    if (!zone.is_set) {
        caller_writes_guarded(tzname, 2 * sizeof *tzname, pc);
        caller_writes_guarded(&timezone, sizeof timezone, pc);
        caller_writes_guarded(&daylight, sizeof daylight, pc);
    }
    zone.is_set = true;
    zone.value = zone_value();
}

void zone_look(uint64_t pc)
{
    if (!zone.is_set)
        zone_set(pc);
    else
        shared_look_state(SHARED_ZONE, pc);
}

void libc_sets_zone(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    zone_set(pc);
}

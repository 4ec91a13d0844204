/* See open_shared.h. */
#include "cli/watch/open_shared.h"

#include <errno.h>
#include <string.h>

#include "host/process_limits.h"
#include "host/say.h"

bool open_shared(struct shared *shared)
{
    limits_lift_file_size();
    bool good = shared_open(shared);
    int error = errno;
    limits_restore_file_size();
    if (!good)
        complain("cannot get shared memory for the search (64 GB of addresses, most of them "
                 "unused): %s%s",
                 strerror(error), limits_hint(error));
    errno = error;
    return good;
}

/* See early_channels.h.
 *
 * Invariant: at the start of an execution every channel in the list is empty, as it was at the
 * start of the search. */
#include "runtime/hooks/files/early_channels.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/files/descriptors.h"

#define EARLY_CHANNEL(number) OBJECT_CHANNEL(0xf000000 + (uint64_t)(number))

static struct {
    uint32_t count;
    struct early {
        int fd;
        enum descriptor_kind kind;
        uint64_t channel;
    } end[LIMIT_EARLY_CHANNELS];
    uint32_t channels;
    bool is_full;
} early;

static void add_end(int fd, enum descriptor_kind kind)
{
    if (early.count == LIMIT_EARLY_CHANNELS)
        early.is_full = true;
    else
        early.end[early.count++] = (struct early){fd, kind, EARLY_CHANNEL(early.channels)};
}

void early_channel_made(int first, int second, enum descriptor_kind kind)
{
    if (!rt.controlled)
        return;
    add_end(first, kind);
    if (second >= 0)
        add_end(second, kind);
    early.channels++;
}

static bool has_something(int fd)
{
    struct pollfd set = {.fd = fd, .events = POLLIN};
    return raw_syscall3(SYS_poll, (long)&set, 1, 0) == 1 && (set.revents & POLLIN);
}

static bool is_open(int fd)
{
    return raw_syscall2(SYS_fcntl, fd, F_GETFD) >= 0;
}

/* Data that is in a channel when the search begins could not be restored. */
static bool can_be_put_back(uint64_t channel)
{
    for (uint32_t i = 0; i < early.count; i++)
        if (early.end[i].channel == channel &&
            (!is_open(early.end[i].fd) || has_something(early.end[i].fd)))
            return false;
    return true;
}

void early_channels_start(void)
{
    uint32_t kept = 0;
    if (early.is_full)
        limit_reached(LIMIT_AT_EARLY_CHANNELS);
    bool good[LIMIT_EARLY_CHANNELS];
    for (uint32_t i = 0; i < early.count; i++)
        good[i] = can_be_put_back(early.end[i].channel);
    for (uint32_t i = 0; i < early.count; i++)
        if (good[i])
            early.end[kept++] = early.end[i];
    early.count = kept;
    early_channels_begin();
}

void early_channels_begin(void)
{
    for (uint32_t i = 0; i < early.count; i++)
        descriptor_know(early.end[i].fd, early.end[i].kind, early.end[i].channel);
}

void early_channels_empty(void)
{
    char bytes[4096];
    for (uint32_t i = 0; i < early.count; i++)
        while (has_something(early.end[i].fd) &&
               raw_syscall3(SYS_read, early.end[i].fd, (long)bytes, sizeof bytes) > 0) {
        }
}

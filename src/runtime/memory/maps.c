/* The mappings of the process: /proc/self/maps, read without libc. */
#include "runtime/memory/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/memory/memory.h"

static uint64_t parse_hex(const char **text)
{
    uint64_t value = 0;
    for (;; (*text)++) {
        char c = **text;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

static void parse_line(char *line, struct maps_line *out)
{
    const char *at = line;
    out->start = parse_hex(&at);
    at++;
    out->end = parse_hex(&at);
    at++;
    for (int i = 0; i < 4; i++)
        out->permissions[i] = at[i];
    out->permissions[4] = 0;
    out->path = "";
    int fields = 0;
    while (*at) {
        if (*at == ' ' && at[1] != ' ' && at[1] != 0 && ++fields >= 4 &&
            (at[1] == '/' || at[1] == '[')) {
            out->path = at + 1;
            return;
        }
        at++;
    }
}

void maps_each(void (*visit)(const struct maps_line *, void *), void *context)
{
    static char buffer[1 << 16]; /* one pass reads line by line through this window */
    long fd =
        raw_syscall4(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) /* without the list some memory would not be restored */
        rt_starved(fd == -EMFILE || fd == -ENFILE
                       ? "the program has used up all descriptors (ulimit -n), and its memory "
                         "can't be listed (/proc/self/maps)"
                       : "/proc/self/maps can't be read: is /proc mounted?");
    size_t filled = 0;
    for (;;) {
        must(filled < sizeof buffer - 1);
        long got = raw_syscall3(SYS_read, fd, (long)(buffer + filled),
                                (long)(sizeof buffer - 1 - filled));
        if (got <= 0)
            break;
        filled += (size_t)got;
        size_t line = 0;
        for (size_t i = 0; i < filled; i++) {
            if (buffer[i] != '\n')
                continue;
            buffer[i] = 0;
            struct maps_line parsed;
            parse_line(buffer + line, &parsed);
            visit(&parsed, context);
            line = i + 1;
        }
        for (size_t i = line; i < filled; i++)
            buffer[i - line] = buffer[i];
        filled -= line;
    }
    raw_syscall1(SYS_close, fd);
}

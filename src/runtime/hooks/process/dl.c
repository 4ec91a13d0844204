/* Loading libraries while the program runs (POSIX dlopen(3p)). Memory restored to its initial
 * state does not know the library any more, but its mappings are still there: the next
 * execution would load it elsewhere. So unless each execution has a process of its own, a
 * library must be there before main.
 *
 * Allocators of their own: see is_allocator(). */
#include <string.h>

#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/policy/forward.h"

/* The addresses that it gives away would depend on the interleaving, and they are the names of
 * objects (DESIGN 2.7): threads that have nothing to do with each other would seem to. oneTBB
 * looks for its allocator this way, and does with malloc() where there is none. */
static bool is_allocator(const char *path)
{
    const char *name = strrchr(path, '/');
    return strncmp(name ? name + 1 : path, "libtbbmalloc.so", 15) == 0;
}

EXPORT void *dlopen(const char *path, int flags)
{
    NEXT(void *, dlopen, (const char *, int));
    if (rt.controlled && path != NULL && is_allocator(path))
        return NULL;
    if (!rt.on || path == NULL)
        return next(path, flags);
    if (rt.board->config.isolate == ISOLATE_FORK) {
        void *library = next(path, flags);
        if (library != NULL)
            modules_note();
        return library;
    }
    rt.on = false;
    void *loaded = next(path, flags | RTLD_NOLOAD);
    if (loaded == NULL) {
        void *library = next(path, flags);
        if (library != NULL && !rt.recording)
            failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = CALLER},
                          "%s is loaded while the program runs (dlopen), which can't be undone "
                          "between executions: link it (-l), preload it, or use --isolate=fork",
                          path);
        loaded = library;
    }
    rt.on = true;
    return loaded;
}

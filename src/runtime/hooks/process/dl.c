/* Loading libraries while the program runs (POSIX dlopen(3p)). After memory is restored to its
 * initial state the loader no longer knows the library, but its mappings still exist: the next
 * execution would load it at another address. So unless each execution has its own process, a
 * library must be loaded before main.
 *
 * For libraries that are allocators see is_allocator(). */
#include <string.h>

#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/policy/forward.h"

/* The addresses that such an allocator returns would depend on the interleaving. Addresses name
 * objects, so unrelated threads would appear to share objects. oneTBB looks for its allocator
 * this way, and uses malloc() if it finds none. */
static bool is_allocator(const char *path)
{
    const char *name = strrchr(path, '/');
    return strncmp(name ? name + 1 : path, "libtbbmalloc.so", 15) == 0;
}

EXPORT void *dlopen(const char *path, int flags)
{
    NEXT(void *, dlopen, (const char *, int));
    if (rt.controlled && path && is_allocator(path))
        return NULL;
    if (!under_control() || !path)
        return next(path, flags);
    if (rt.board->config.isolate == ISOLATE_FORK) {
        void *library = next(path, flags);
        if (library)
            modules_note();
        return library;
    }
    rt.on = false;
    void *loaded = next(path, flags | RTLD_NOLOAD);
    if (!loaded) {
        void *library = next(path, flags);
        if (library && !rt.recording)
            failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = CALLER},
                          "%s is loaded while the program runs (dlopen), which can't be undone "
                          "between executions: link it (-l), preload it, or use --isolate=fork",
                          path);
        loaded = library;
    }
    rt.on = true;
    return loaded;
}

/* Places in the source, and call stacks of them: the source form of code addresses. */
#ifndef MAZUR_DEBUGINFO_SOURCE_PLACE_H
#define MAZUR_DEBUGINFO_SOURCE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Without debug information `file` is NULL and `function` is a symbol or "module+0x12". */
struct source_place {
    const char *function; /* NULL: unknown */
    const char *file;     /* NULL: unknown */
    int line;             /* 0: unknown */
    int declared;         /* the line where the function begins, 0: unknown */
    bool library;         /* outside the user's own code (libc, libstdc++, system headers) */
    bool inlined;         /* a model's inline: the next place of its stack is the call */
};

struct source_stack {
    size_t count;
    struct source_place *place; /* innermost first */
};

/* The innermost place in the user's own code, else the innermost one; NULL: the stack is empty.
 */
const struct source_place *stack_user_place(const struct source_stack *stack);
/* "queue.c:88", "push", "libfoo.so+0x12"; "?" when nothing is known. malloc'd. */
char *place_text(const struct source_place *place);

#endif

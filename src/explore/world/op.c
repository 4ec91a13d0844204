/* The table of operations: names, in both directions, and traits. */
#include "explore/world/op.h"

static const char *const names[OP_KINDS] = {
#define OP(kind, name, traits) [OP_##kind] = name,
#include "explore/world/op.def"
#undef OP
};

enum {
    SAME_FORM = OP_SAME_FORM,
    FORM_IF_BLOCKING = OP_FORM_IF_BLOCKING,
    SAME_OBJECTS = OP_SAME_OBJECTS,
    CHILDLESS = OP_CHILDLESS,
    PRIVATE = OP_PRIVATE,
    DRAINS = OP_DRAINS,
    TAKES_LOCK = OP_TAKES_LOCK,
    AS_PENDING = OP_AS_PENDING,
    GIVES_BACK = SAME_FORM | SAME_OBJECTS | CHILDLESS | PRIVATE,
    USUAL = GIVES_BACK | AS_PENDING,
};

const uint8_t op_traits[OP_KINDS] = {
#define OP(kind, name, traits) [OP_##kind] = (uint8_t)(traits),
#include "explore/world/op.def"
#undef OP
};

const char *op_kind_name(int kind)
{
    return kind >= 0 && kind < OP_KINDS && names[kind] ? names[kind] : "?";
}

/* strcmp by hand: this file also runs inside the program under test, without libc. */
static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int op_kind_from_name(const char *name)
{
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (names[kind] && same_text(name, names[kind]))
            return kind;
    return OP_NONE;
}

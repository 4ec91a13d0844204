/* The code of a module that has instrumented functions: which functions its calls reach, and
 * where its variables are. Addresses are those of the child. */
#ifndef MAZUR_MACHINE_MODULE_CODE_H
#define MAZUR_MACHINE_MODULE_CODE_H

#include "machine/image.h"
#include "machine/instruction.h"

enum callee {
    CALLEE_OTHER,
    CALLEE_HOOK,      /* __tsan_… */
    CALLEE_ANNOUNCE,  /* … that announces an access */
    CALLEE_ATOMIC,    /* … that makes the access */
    CALLEE_HARMLESS,  /* what compilers call after they have instrumented the code */
    CALLEE_FORGETFUL, /* a function of libc that keeps no address that it is given */
    CALLEE_TEMPLATE,  /* a member of std::string or of a stream inside the C++ library */
};

#define ANNOUNCED_RANGE 0xff /* the second argument says how many bytes */

struct call {
    enum callee callee;
    uint8_t announced; /* bytes, or ANNOUNCED_RANGE */
    bool leaves;       /* it does not return */
};

static inline bool is_hook(enum callee callee)
{
    return callee == CALLEE_HOOK || callee == CALLEE_ANNOUNCE || callee == CALLEE_ATOMIC;
}

struct module_code {
    struct image image;
    uint64_t start;
    uint64_t end;
    uint64_t text_start;
    uint64_t text_end;
    struct address_span *variables; /* sections that the program can write */
    size_t nvariables;
    struct slot *slot; /* slots of known functions, in order of address */
    size_t nslots;
};

/* False if there is no such file, it is not an ELF file, or it has no code; then nothing needs
 * closing. */
bool module_code_open(struct module_code *module, const struct board_module *from);
void module_code_close(struct module_code *module);
/* Does the address belong to the module, according to its file? */
bool module_holds(const struct module_code *module, uint64_t address);
/* Can the program write there? Slots that the linker fills in are not variables. */
bool module_has_variable(const struct module_code *module, uint64_t address);
/* Does the instruction leave the function [start, end) for another one, by a call or by a tail
 * call? */
bool module_call(const struct module_code *module, uint64_t start, uint64_t end,
                 const struct instruction *instruction, uint64_t address, struct call *call);

#endif

/* What libstdc++.so does to objects of the program.
 *
 * Its templates are instrumented as part of the program (include/mazur/cxx). What remains are
 * functions that are not templates, and templates that the library instantiates for char: the
 * links of list and map nodes, input of strings, paths, locales, pool resources. Each hook
 * announces the accesses that the function behind it makes: to the bytes that it touches or, if
 * finding these would take a second implementation of the function, to some bytes that every
 * other use of the same object touches as well. The C++ standard does not distinguish between
 * the bytes of an object ([res.on.data.races]).
 *
 * Names are mangled as in the Itanium ABI, and layouts are those that libstdc++ has had since
 * GCC 5. With another library these hooks are never called.
 *
 * Standard streams: [iostream.objects.overview] allows any thread to read and write them at any
 * time, although the instrumented code stores to them (it resets the width to 0). So an access
 * to a standard stream is not a race, except to what manipulators set; an access to its state,
 * which other threads see, becomes a scheduling point. Accesses to the library's own variables
 * are not races either: std::ctype<char>::narrow(), which is const, caches its results in the
 * facets of the classic locale (std::regex calls it). For other locales see facets.c. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/access/caller.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/raw.h"
#include "runtime/core/modules.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/forward.h"

#define READS(object, size)  caller_reads(object, size, CALLER)
#define WRITES(object, size) caller_writes(object, size, CALLER)

/* --- Standard streams --- */

enum { VTABLE_HEAD = 2 }; /* words before the first function pointer */

#define WORD(offset) (1u << (offset) / 4) /* four bytes of std::ios_base */

enum {
    LIBSTDCXX_FORMAT = WORD(8) | WORD(12) | WORD(24),         /* precision, flags */
    LIBCXX_FORMAT = WORD(8) | WORD(12) | WORD(16) | WORD(20), /* flags, precision */
};

static struct standard_stream {
    const char *name;
    uint8_t base;    /* where ios_base begins */
    uint32_t format; /* words that only manipulators store to */
    uint64_t start;
    uint64_t end;
} stream[] = {
    {"_ZSt3cin", 16, LIBSTDCXX_FORMAT, 0, 0},     {"_ZSt4cout", 8, LIBSTDCXX_FORMAT, 0, 0},
    {"_ZSt4cerr", 8, LIBSTDCXX_FORMAT, 0, 0},     {"_ZSt4clog", 8, LIBSTDCXX_FORMAT, 0, 0},
    {"_ZSt4wcin", 16, LIBSTDCXX_FORMAT, 0, 0},    {"_ZSt5wcout", 8, LIBSTDCXX_FORMAT, 0, 0},
    {"_ZSt5wcerr", 8, LIBSTDCXX_FORMAT, 0, 0},    {"_ZSt5wclog", 8, LIBSTDCXX_FORMAT, 0, 0},
    {"_ZNSt3__13cinE", 16, LIBCXX_FORMAT, 0, 0},  {"_ZNSt3__14coutE", 8, LIBCXX_FORMAT, 0, 0},
    {"_ZNSt3__14cerrE", 8, LIBCXX_FORMAT, 0, 0},  {"_ZNSt3__14clogE", 8, LIBCXX_FORMAT, 0, 0},
    {"_ZNSt3__14wcinE", 16, LIBCXX_FORMAT, 0, 0}, {"_ZNSt3__15wcoutE", 8, LIBCXX_FORMAT, 0, 0},
    {"_ZNSt3__15wcerrE", 8, LIBCXX_FORMAT, 0, 0}, {"_ZNSt3__15wclogE", 8, LIBCXX_FORMAT, 0, 0},
};

/* Virtual functions of the buffers that standard streams use until sync_with_stdio(false). */
static uint64_t synchronised[2];

static void find_streams(void)
{
    static const char *const names[] = {
        "_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE",
        "_ZTVN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEEE",
    };
    for (size_t i = 0; i < 2; i++) {
        const uint64_t *vtable = dlsym(RTLD_DEFAULT, names[i]);
        synchronised[i] = vtable ? (uint64_t)(uintptr_t)(vtable + VTABLE_HEAD) : 0;
    }
    for (size_t i = 0; i < sizeof stream / sizeof *stream; i++) {
        const ElfW(Sym) *symbol = NULL;
        Dl_info info;
        void *address = dlsym(RTLD_DEFAULT, stream[i].name);
        if (!address || !dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
            continue;
        stream[i].start = (uint64_t)(uintptr_t)address;
        stream[i].end = stream[i].start + symbol->st_size;
    }
}

/* The library's own buffer behind a stream, or 0. */
static uint64_t buffer_of(const struct standard_stream *of)
{
    enum { BUFFER_POINTER = 232 };
    bool known = of->format == LIBSTDCXX_FORMAT && of->start != 0;
    uint64_t buffer = known ? *(const uint64_t *)(of->start + of->base + BUFFER_POINTER) : 0;
    return is_language_support(buffer) ? buffer : 0;
}

static bool is_synchronised(uint64_t buffer)
{
    uint64_t vtable = buffer ? *(const uint64_t *)buffer : 0;
    return vtable == 0 || vtable == synchronised[0] || vtable == synchronised[1];
}

/* Threads decide by the state whether to continue reading, and may ask how much was read. */
static bool is_state(const struct standard_stream *of, uint64_t address)
{
    uint64_t offset = address - of->start;
    return (offset >= of->base + 32u && offset < of->base + 36u) ||
           (offset >= 8 && offset < of->base);
}

static bool is_format(const struct standard_stream *of, uint64_t address)
{
    uint64_t offset = address - of->start - of->base;
    return offset < 32 && (of->format & WORD(offset));
}

enum race_standing libstdcxx_race(uint64_t address)
{
    enum { BUFFER_SIZE = 240 };
    for (size_t i = 0; i < sizeof stream / sizeof *stream; i++) {
        const struct standard_stream *of = &stream[i];
        uint64_t buffer = buffer_of(of);
        bool is_buffer = address - buffer < BUFFER_SIZE;
        if (!is_buffer && (address < of->start || address >= of->end))
            continue;
        if (!is_synchronised(buffer) || (!is_buffer && is_format(of, address)))
            return RACE_IS_FAILURE;
        return !is_buffer && is_state(of, address) ? RACE_IS_OPERATION : RACE_IS_ALLOWED;
    }
    bool own = is_language_support(address) || facets_keep(address);
    return own ? RACE_IS_ALLOWED : RACE_IS_FAILURE;
}

/* --- std::list: nodes begin with these links, in a ring with the list itself --- */

struct list_node {
    struct list_node *next;
    struct list_node *previous;
};

static void list_write_around(struct list_node *node, uint64_t pc)
{
    caller_writes(node, sizeof *node, pc);
    caller_writes(&node->previous->next, sizeof node->next, pc);
    caller_writes(&node->next->previous, sizeof node->previous, pc);
}

static void list_write_all(struct list_node *list, uint64_t pc)
{
    struct list_node *node = list;
    do {
        caller_writes(node, sizeof *node, pc);
        node = node->next;
    } while (node != list);
}

FORWARD(void, _ZNSt8__detail15_List_node_base7_M_hookEPS0_,
        (struct list_node * node, struct list_node *before), (node, before),
        WRITES(node, sizeof *node);
        WRITES(&before->previous, sizeof node); WRITES(&before->previous->next, sizeof node))
FORWARD(void, _ZNSt8__detail15_List_node_base9_M_unhookEv, (struct list_node * node), (node),
        READS(node, sizeof *node);
        WRITES(&node->previous->next, sizeof node); WRITES(&node->next->previous, sizeof node))
FORWARD(void, _ZNSt8__detail15_List_node_base10_M_reverseEv, (struct list_node * list), (list),
        list_write_all(list, CALLER))
FORWARD(void, _ZNSt8__detail15_List_node_base4swapERS0_S1_,
        (struct list_node * one, struct list_node *other), (one, other),
        list_write_around(one, CALLER);
        list_write_around(other, CALLER))
FORWARD(
    void, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_,
    (struct list_node * before, struct list_node *first, struct list_node *end),
    (before, first, end), if (before != end) {
        list_write_around(first, CALLER);
        WRITES(&end->previous->next, sizeof end);
        WRITES(&end->previous, sizeof end);
        WRITES(&before->previous->next, sizeof end);
        WRITES(&before->previous, sizeof end);
    })

/* --- std::map and set: a tree; its header and its root have each other as parent --- */

struct tree_node {
    int color;
    struct tree_node *parent;
    struct tree_node *left;
    struct tree_node *right;
};

/* From a node to its neighbour in order: down its subtree on that side, or up if it has
 * none. */
static void tree_read_path(struct tree_node *node, bool right, uint64_t pc)
{
    struct tree_node *child = right ? node->right : node->left;
    caller_reads(node, sizeof *node, pc);
    if (child) {
        for (; child; child = right ? child->left : child->right)
            caller_reads(child, sizeof *child, pc);
        return;
    }
    struct tree_node *parent = node->parent;
    while (node == (right ? parent->right : parent->left)) {
        caller_reads(parent, sizeof *parent, pc);
        node = parent;
        parent = parent->parent;
        if (parent->parent == node && node->parent == parent)
            break; /* root and header */
    }
    caller_reads(parent, sizeof *parent, pc);
}

/* Rebalancing changes colours and rotates subtrees anywhere on the way up. */
static void tree_write_path(struct tree_node *node, struct tree_node *header, uint64_t pc)
{
    for (; node != header; node = node->parent)
        caller_writes(node, sizeof *node, pc);
    caller_writes(header, sizeof *header, pc);
}

#define TREE_STEP(name, right)                                                                 \
    FORWARD(struct tree_node *, name, (struct tree_node * node), (node),                       \
            tree_read_path(node, right, CALLER))

TREE_STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, true)
TREE_STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, true)
TREE_STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, false)
TREE_STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, false)
FORWARD(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_,
        (bool left, struct tree_node *node, struct tree_node *parent, struct tree_node *header),
        (left, node, parent, header), WRITES(node, sizeof *node);
        tree_write_path(parent, header, CALLER))
FORWARD(struct tree_node *, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_,
        (struct tree_node * node, struct tree_node *header), (node, header),
        if (node->left && node->right) tree_read_path(node, true, CALLER);
        tree_write_path(node, header, CALLER))

/* --- Input that is written out for char and wchar_t ---
 *
 * Every other use of a stream reads its state, and these functions write it when they reach the
 * end of the input. The vtable says where ios_base is. */

static void stream_written(void *stream_object, uint64_t pc)
{
    enum { IOS_OFFSET = -3, STATE = 32, STATE_SIZE = 4, BUFFER_POINTER = 232, GET_NEXT = 16 };
    const intptr_t *vtable = *(const intptr_t *const *)stream_object;
    char *base = (char *)stream_object + vtable[IOS_OFFSET];
    char *buffer = *(char **)(base + BUFFER_POINTER);
    caller_writes(base + STATE, STATE_SIZE, pc);
    if (buffer)
        caller_writes(buffer + GET_NEXT, sizeof(void *), pc);
}

struct string {
    char *text;
    size_t length;
    char here[16]; /* text of at most this many characters */
};

static void string_written(struct string *string, size_t character_size, uint64_t pc)
{
    caller_writes(string, sizeof *string, pc);
    if (string->text != string->here)
        caller_writes(string->text, (string->length + 1) * character_size, pc);
}

void cxx_reads_string(const uint64_t *argument, uint64_t pc)
{
    const struct string *string = (const struct string *)argument[1];
    caller_reads(string, offsetof(struct string, here), pc);
    caller_reads(string->text, string->length, pc);
}

void cxx_reads_range(const uint64_t *argument, uint64_t pc)
{
    if (argument[1] < argument[2])
        caller_reads((const char *)argument[1], argument[2] - argument[1], pc);
}

#define INPUT(type, name, parameters, arguments)                                               \
    FORWARD(type, name, parameters, arguments, stream_written(in, CALLER))
#define INPUT_STRING(name, parameters, arguments, character)                                   \
    FORWARD_RESULT(void *, name, parameters, arguments, stream_written(in, CALLER);            \
                   WRITES(string, sizeof *string),                                             \
                   string_written(string, sizeof(character), CALLER))
/* The text ends with a zero. */
#define INPUT_TEXT(name, parameters, arguments, length)                                        \
    FORWARD_RESULT(void *, name, parameters, arguments, stream_written(in, CALLER),            \
                   if (size > 0) WRITES(text, (length + 1) * sizeof *text))

INPUT(void *, _ZNSi6ignoreEl, (void *in, long count), (in, count))
INPUT(void *, _ZNSi6ignoreEli, (void *in, long count, int end), (in, count, end))
INPUT_TEXT(_ZNSi7getlineEPclc, (void *in, char *text, long size, char end),
           (in, text, size, end), rawmem_length(text))
/* This one returns nothing. */
INPUT_TEXT(_ZSt17__istream_extractRSiPcl, (void *in, char *text, long size), (in, text, size),
           rawmem_length(text))
INPUT_STRING(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
    (void *in, struct string *string, char end), (in, string, end), char)
INPUT_STRING(
    _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    (void *in, struct string *string), (in, string), char)
INPUT(void *, _ZNSt13basic_istreamIwSt11char_traitsIwEE6ignoreEl, (void *in, long count),
      (in, count))
INPUT(void *, _ZNSt13basic_istreamIwSt11char_traitsIwEE6ignoreElj,
      (void *in, long count, unsigned end), (in, count, end))
INPUT_TEXT(_ZNSt13basic_istreamIwSt11char_traitsIwEE7getlineEPwlw,
           (void *in, wchar_t *text, long size, wchar_t end), (in, text, size, end),
           rawmem_wide_length(text, SIZE_MAX))
INPUT_STRING(
    _ZSt7getlineIwSt11char_traitsIwESaIwEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
    (void *in, struct string *string, wchar_t end), (in, string, end), wchar_t)

/* Copies from buffer to buffer; every other use accesses the positions. */
#define COPY_BUFFER(name)                                                                      \
    FORWARD(long, name, (char *from, char *to, bool *end), (from, to, end),                    \
            WRITES(from + 2 * sizeof(void *), sizeof(void *));                                 \
            WRITES(to + 5 * sizeof(void *), sizeof(void *)))

COPY_BUFFER(_ZSt21__copy_streambufs_eofIcSt11char_traitsIcEElPSt15basic_streambufIT_T0_ES6_Rb)
COPY_BUFFER(_ZSt21__copy_streambufs_eofIwSt11char_traitsIwEElPSt15basic_streambufIT_T0_ES6_Rb)

/* --- std::ios_base: what a stream holds besides its format --- */

enum { KEPT = 8, CALLBACKS = 40, WORDS = 192, WORDS_SIZE = 16, KEPT_SIZE = 200 };

FORWARD(void, _ZNSt8ios_base17register_callbackEPFvNS_5eventERS_iEi,
        (char *stream_base, void *function, int index), (stream_base, function, index),
        WRITES(stream_base + CALLBACKS, sizeof(void *)))
FORWARD(void, _ZNSt8ios_base17_M_call_callbacksENS_5eventE, (char *stream_base, int event),
        (stream_base, event), READS(stream_base + CALLBACKS, sizeof(void *)))
FORWARD(void *, _ZNSt8ios_base13_M_grow_wordsEib, (char *stream_base, int index, bool number),
        (stream_base, index, number), WRITES(stream_base + WORDS, WORDS_SIZE))
FORWARD(void, _ZNSt8ios_base7_M_moveERS_, (char *stream_base, char *other),
        (stream_base, other), WRITES(stream_base + KEPT, KEPT_SIZE);
        WRITES(other + KEPT, KEPT_SIZE))
FORWARD(void, _ZNSt8ios_base7_M_swapERS_, (char *stream_base, char *other),
        (stream_base, other), WRITES(stream_base + KEPT, KEPT_SIZE);
        WRITES(other + KEPT, KEPT_SIZE))

/* --- std::filesystem --- */

/* A path is a string and the parts into which it was split; copies of a directory iterator
 * share the state of the iteration. */

enum { PATH_SIZE = sizeof(struct string) + 8 };

#define PATH_CHANGES(name, parameters, arguments)                                              \
    FORWARD(void *, name, parameters, arguments, WRITES(path, PATH_SIZE))

PATH_CHANGES(_ZNSt10filesystem7__cxx114pathdVERKS1_, (void *path, const void *other),
             (path, other))
PATH_CHANGES(_ZNSt10filesystem7__cxx114pathpLERKS1_, (void *path, const void *other),
             (path, other))
PATH_CHANGES(_ZNSt10filesystem7__cxx114pathaSERKS1_, (void *path, const void *other),
             (path, other))
PATH_CHANGES(_ZNSt10filesystem7__cxx114path15remove_filenameEv, (void *path), (path))
PATH_CHANGES(_ZNSt10filesystem7__cxx114path16replace_filenameERKS1_,
             (void *path, const void *other), (path, other))
PATH_CHANGES(_ZNSt10filesystem7__cxx114path17replace_extensionERKS1_,
             (void *path, const void *other), (path, other))
PATH_CHANGES(
    _ZNSt10filesystem7__cxx114path9_M_appendESt17basic_string_viewIcSt11char_traitsIcEE,
    (void *path, size_t size, const char *text), (path, size, text))
PATH_CHANGES(
    _ZNSt10filesystem7__cxx114path9_M_concatESt17basic_string_viewIcSt11char_traitsIcEE,
    (void *path, size_t size, const char *text), (path, size, text))

#define ITERATOR(name, access)                                                                 \
    FORWARD(void *, name, (void **iterator), (iterator),                                       \
            if (*iterator) access(*iterator, sizeof(void *)))

ITERATOR(_ZNKSt10filesystem7__cxx1118directory_iteratordeEv, READS)
ITERATOR(_ZNSt10filesystem7__cxx1118directory_iteratorppEv, WRITES)
ITERATOR(_ZNKSt10filesystem7__cxx1128recursive_directory_iteratordeEv, READS)
ITERATOR(_ZNSt10filesystem7__cxx1128recursive_directory_iteratorppEv, WRITES)

#define ITERATOR_TELLS(name, access)                                                           \
    FORWARD(int, name, (void **iterator), (iterator),                                          \
            if (*iterator) access(*iterator, sizeof(void *)))
#define ITERATOR_ERROR(name)                                                                   \
    FORWARD(void *, name, (void **iterator, void *error), (iterator, error),                   \
            if (*iterator) WRITES(*iterator, sizeof(void *)))

ITERATOR_TELLS(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator17recursion_pendingEv,
               READS)
ITERATOR_TELLS(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator5depthEv, READS)
ITERATOR_TELLS(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator7optionsEv, READS)
ITERATOR(_ZNSt10filesystem7__cxx1128recursive_directory_iterator25disable_recursion_pendingEv,
         WRITES)
ITERATOR(_ZNSt10filesystem7__cxx1128recursive_directory_iterator3popEv, WRITES)
ITERATOR_ERROR(_ZNSt10filesystem7__cxx1128recursive_directory_iterator3popERSt10error_code)
ITERATOR_ERROR(
    _ZNSt10filesystem7__cxx1128recursive_directory_iterator9incrementERSt10error_code)
ITERATOR_ERROR(_ZNSt10filesystem7__cxx1118directory_iterator9incrementERSt10error_code)

/* --- Memory resources --- */

/* The first word stands for all uses: virtual calls read it. The next one belongs to the
 * pool. */
#define POOL_CHANGES(type, name, parameters, arguments)                                        \
    FORWARD(type, name, parameters, arguments, WRITES(pool + 1, sizeof *pool))

POOL_CHANGES(void *, _ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm,
             (uint64_t * pool, size_t size, size_t alignment), (pool, size, alignment))
POOL_CHANGES(void, _ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm,
             (uint64_t * pool, void *block, size_t size, size_t alignment),
             (pool, block, size, alignment))
POOL_CHANGES(void, _ZNSt3pmr28unsynchronized_pool_resource7releaseEv, (uint64_t * pool), (pool))
POOL_CHANGES(void, _ZNSt3pmr25monotonic_buffer_resource18_M_release_buffersEv,
             (uint64_t * pool), (pool))

/* The function is inside the library and can only be found through the vtable, where two
 * destructors come first. */
enum { VTABLE_ALLOCATE = VTABLE_HEAD + 2 };

typedef void *allocate_function(uint64_t *resource, size_t size, size_t alignment);
static allocate_function *monotonic_allocate;

static void *monotonic_allocate_hook(uint64_t *resource, size_t size, size_t alignment)
{
    WRITES(resource + 1, 2 * sizeof *resource); /* what is left of the buffer */
    return monotonic_allocate(resource, size, alignment);
}

static void take_over_monotonic(void)
{
    allocate_function **vtable = dlsym(RTLD_DEFAULT, "_ZTVNSt3pmr25monotonic_buffer_resourceE");
    if (!vtable)
        return;
    /* The page stays writable: the linker may have copied the table to a page of variables. */
    long page = (long)((uintptr_t)&vtable[VTABLE_ALLOCATE] & ~(uintptr_t)4095);
    if (raw_syscall3(SYS_mprotect, page, 4096, PROT_READ | PROT_WRITE) != 0)
        return;
    monotonic_allocate = vtable[VTABLE_ALLOCATE];
    vtable[VTABLE_ALLOCATE] = monotonic_allocate_hook;
}

/* --- Others --- */

FORWARD(void, _ZNSt6localeC1ERKS_, (void *self, const void *other), (self, other),
        READS(other, sizeof(void *)))
FORWARD(void *, _ZNSt6localeaSERKS_, (void *self, const void *other), (self, other),
        READS(other, sizeof(void *));
        WRITES(self, sizeof(void *)))

/* --- State that threads share without an object, with or without a lock in the library --- */

FORWARD(bool, _ZNSt8ios_base15sync_with_stdioEb, (bool synchronised_now), (synchronised_now),
        shared_change(CALLER))

/* --- Threads --- */

/* Reads the handle, and clears it once the thread has ended. */
FORWARD(void, _ZNSt6thread6detachEv, (uint64_t * thread), (thread),
        WRITES(thread, sizeof *thread))
EXPORT void _ZNSt6thread4joinEv(uint64_t *thread);
void _ZNSt6thread4joinEv(uint64_t *thread)
{
    NEXT(void, _ZNSt6thread4joinEv, (uint64_t *));
    READS(thread, sizeof *thread);
    next(thread);
    WRITES(thread, sizeof *thread);
}

void libstdcxx_take_over(void)
{
    find_streams();
    take_over_monotonic();
}

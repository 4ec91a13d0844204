/* A Promela model as a tree: symbols, expressions, statements, proctypes.
 *
 * The parser builds it, automata.c turns statements into control-flow automata, layout.c gives
 * every variable a place in the state vector, codegen_*.c writes C for it. Invariant: after
 * model_load() every name is resolved and every expression is well typed. */
#ifndef MAZUR_PROMELA_MODEL_H
#define MAZUR_PROMELA_MODEL_H

#include "promela/language/source.h"

enum type {
    TYPE_BIT,
    TYPE_BOOL,
    TYPE_BYTE,
    TYPE_PID,
    TYPE_MTYPE,
    TYPE_CHAN,
    TYPE_SHORT,
    TYPE_INT,
    TYPE_UNSIGNED,
    TYPE_STRUCT,
    TYPE_C /* c_state and c_track: `bits` bytes that only C looks at */
};

/* One `[capacity] of { fields }`; channels made by the same initialiser share it. */
struct channel_type {
    int index;
    int capacity;    /* 0: rendezvous */
    int field_count; /* structures are flattened */
    enum type *fields;
    int *field_bits;
    const char **field_set; /* mtype:NAME, or NULL */
    bool *field_read;       /* unread.c: something depends on it */
    bool *field_dropped;    /* … nothing does, and messages hold 0 there */
    int *field_offset;      /* layout.c: within one message */
    int slot_size;          /* bytes of one message */
    int size;               /* bytes of the channel in the state vector */
    struct place place;
};

struct structure {
    const char *name;
    struct symbol **fields;
    int field_count;
    int size, align; /* layout.c */
};

enum symbol_kind {
    SYMBOL_VARIABLE,
    SYMBOL_MTYPE,
    SYMBOL_PROCTYPE,
    SYMBOL_INLINE,
    SYMBOL_STRUCTURE
};

struct symbol {
    const char *name;
    enum symbol_kind kind;
    struct place place;
    struct symbol *next; /* same scope */
    enum type type;
    int bits;                    /* unsigned : bits */
    struct structure *structure; /* the type of a structure variable, or the one defined */
    int length;                  /* elements; 1 and !array for a scalar */
    bool array, hidden, parameter;
    bool shared;         /* others look at it: remote references, claims */
    int tracked;         /* number + 1 among the proctype's locals that can be dead; 0: never */
    bool assigned;       /* written or passed on after initialisation */
    bool is_read;        /* unread.c: something depends on it */
    bool dropped;        /* … nothing does, and states go without it */
    bool drops_elements; /* … and without those elements that are not read */
    bool *element_read;  /* … of an array whose every index is a number, or NULL */
    const char *mtype_set;   /* mtype:NAME, or NULL */
    struct expression *init; /* value, or list of values */
    bool init_list;
    struct channel_type *channel; /* `= [N] of {...}` */
    int channel_first;            /* global channels: id of the first, static */
    struct proctype *owner;       /* NULL: global */
    int offset;                   /* layout.c: in globals, process or structure */
    int value;                    /* mtype constant */
    const char *c_text;           /* TYPE_C: its declaration, or the address tracked */
    const char *c_size;           /* c_track: how many bytes, as C text */
    struct proctype *proctype;
    struct inline_text *inlined;
};

enum expression_kind {
    EXPRESSION_CONSTANT,
    EXPRESSION_STRING,
    EXPRESSION_NAME,      /* symbol, left = index or NULL, right = member (EXPRESSION_NAME) */
    EXPRESSION_UNARY,     /* op, left */
    EXPRESSION_BINARY,    /* op, left, right */
    EXPRESSION_CONDITION, /* left -> right : third */
    EXPRESSION_RUN,       /* symbol, list; priority in third */
    EXPRESSION_CALL, /* op = one of the words len full empty nfull nempty enabled pc_value */
    EXPRESSION_POLL, /* left = channel, list, random */
    EXPRESSION_TIMEOUT,
    EXPRESSION_PID,
    EXPRESSION_LAST,
    EXPRESSION_COUNT,
    EXPRESSION_PROGRESS,
    EXPRESSION_REMOTE_LABEL,    /* symbol, left = pid or NULL, text = label */
    EXPRESSION_REMOTE_VARIABLE, /* symbol, left = pid or NULL, right = name */
    EXPRESSION_PRIORITY,        /* get_priority(left) or _priority */
    EXPRESSION_EVAL,
    EXPRESSION_WILDCARD,
    EXPRESSION_C,
};

struct expression {
    enum expression_kind kind;
    int op; /* token */
    int value;
    bool random; /* ?? */
    struct place place;
    struct symbol *symbol;
    const char *text;
    struct expression *left, *right, *third;
    struct expression *list; /* first of arguments */
    struct expression *next; /* next argument */
};

enum statement_kind {
    STATEMENT_EXPRESSION,
    STATEMENT_ASSIGN,
    STATEMENT_SEND,
    STATEMENT_RECEIVE,
    STATEMENT_ASSERT,
    STATEMENT_PRINT,
    STATEMENT_ELSE,
    STATEMENT_GOTO,
    STATEMENT_BREAK,
    STATEMENT_IF,
    STATEMENT_DO,
    STATEMENT_ATOMIC,
    STATEMENT_DSTEP,
    STATEMENT_BLOCK,
    STATEMENT_UNLESS,
    STATEMENT_C,
    STATEMENT_SET_PRIORITY,
};

struct label {
    const char *name;
    struct place place;
    struct label *next;
    struct statement *statement;
    int inline_call;
    bool remote;             /* P@label asks whether a process is there */
    struct element *element; /* automata.c: what it names */
};

struct sequence {
    struct statement *first, *last;
    struct sequence *next; /* next option */
    struct place end;
};

struct statement {
    enum statement_kind kind;
    struct place place;
    struct statement *next;
    int inline_call;           /* goto: which inline expansion it stands in */
    struct expression *target; /* assignment, channel */
    struct expression *value;  /* condition, right side, assertion */
    struct expression *list;   /* arguments */
    bool sorted, random, peek; /* !!  ??  <> */
    const char *text;          /* goto label, C text, format, "++" of an assignment */
    const char *words;         /* as it is written, or statement_text() once it was asked for */
    int c_number;              /* c_code: its function in the generated C */
    int late;                  /* elements that Spin has put in elsewhere by then: parser.h */
    bool looked_at;            /* goto, break: by a remote reference, which puts one in */
    bool reached;              /* unreached.c: by the search that was reported last */
    bool synthetic; /* stands for `for`, `select`, or the declaration of a structure */
    struct sequence *options; /* if, do, atomic, d_step, block; unless: main, escape */
};

struct proctype {
    const char *name;
    int index;
    struct place place;
    struct symbol *symbol;
    struct symbol *locals; /* in order of declaration, parameters first */
    struct symbol **locals_tail;
    int parameter_count;
    int active; /* instances at the start */
    struct expression *provided;
    int priority;
    struct sequence *body;
    struct label *labels;
    bool claim, init, trace, notrace;
    bool deterministic; /* D_proctype: two statements that are enabled at once are a failure */
    bool uses_c;        /* C may look at any of its locals */
    int turn;           /* its place in the text, among proctypes and claims */
    bool progress_claim;
    const struct expression **parts; /* of a formula's claim: what it says of a state */
    int part_count;
    struct automaton *automaton;
    int late; /* at its end */
    int tracked_count;
    int size; /* bytes of one process in the state vector */
    int control_offset, control_width, priority_offset;
};

/* A piece of C in a model. */
enum c_kind { C_DECLARATION, C_FUNCTIONS, C_STATEMENT, C_EXPRESSION };

struct c_fragment {
    enum c_kind kind;
    const char *text;
    const char *guard; /* c_code [guard] { … }, or NULL */
    struct place place;
    struct proctype *proctype; /* whose locals it may name, or NULL */
};

enum c_scope { C_GLOBAL, C_LOCAL, C_HIDDEN, C_MATCHED, C_UNMATCHED };

/* c_state: `text` declares it. c_track: `text` points to `size_text` bytes. */
struct c_memory {
    enum c_scope scope;
    const char *text, *size_text, *initial;
    struct place place;
    struct proctype *proctype; /* C_LOCAL */
    struct symbol *symbol;     /* its place in the vector; NULL: not there */
    int size;                  /* bytes, asked of the compiler */
    int tail;                  /* C_UNMATCHED: offset behind the vector */
};

/* `xr c` or `xs c`: only this process receives from c, or sends to it, says the modeller. */
struct channel_word {
    const struct expression *channel;
    bool receives; /* xr */
    const struct proctype *proctype;
    struct channel_word *next;
};

struct formula {
    const char *name;
    const char *text; /* as it is written */
    struct place place;
    struct ltl *tree;
    struct formula *next;
};

struct model {
    struct source source;
    const char *file;
    struct symbol *globals;
    struct symbol **globals_tail;
    struct proctype **proctypes;
    int proctype_count;
    struct channel_type **channel_types;
    int channel_type_count;
    struct formula *formulas;
    struct channel_word *words;
    int turns;
    int late;                 /* so far */
    struct proctype *claim;   /* chosen never claim or formula, or NULL */
    struct proctype **claims; /* all of them */
    int claim_count;
    struct proctype *trace;
    bool uses_deterministic, uses_timeout, uses_last, uses_priority, uses_provided, uses_c,
        uses_enabled, uses_unless, uses_pc_value;
    bool uses_progress;
    bool has_unread;   /* unread.c: there is something that nothing reads */
    bool drops_unread; /* … and states go without it */
    bool fair;         /* only weakly fair cycles count */
    bool counted; /* the vector holds who moved last, and how many preemptions there were */
    int counted_offset;
    int global_size, claim_offset, last_offset; /* -1: not in the vector */
    int global_channels;
    int trace_offset;               /* state of the trace assertion; -1: none */
    int c_tail;                     /* bytes behind a vector: restored, never compared */
    struct c_fragment *c_fragments; /* embed.c: in the order of the text */
    int c_fragment_count;
    struct c_memory *c_memories; /* c_state and c_track */
    int c_memory_count;
};

struct model_load_options {
    const char *const *defines;
    int define_count;
    bool quiet;
    double seconds;   /* of the processor for the preprocessor, at most; 0: as many as ever */
    const char *text; /* preprocessed already: read instead of the file; or NULL */
};

/* Parse and check; NULL after a message. */
struct model *model_load(const char *file, const struct model_load_options *options);
void model_free(struct model *model);

/* Text of an expression as Spin prints it in trails; of a statement as it is written, where it
 * is. */
const char *expression_text(struct model *model, const struct expression *expression);
const char *statement_text(struct model *model, struct statement *statement);
/* Does evaluating it start a process? */
bool expression_has_run(const struct expression *expression);
/* A constant expression's value; fails with a message otherwise. */
int expression_constant(struct model *model, const struct expression *expression);
/* An end, accept or progress label (automata.c). */
bool label_is_special(const struct label *label);
/* The symbol at the end of a reference: `c` of a.b[i].c. */
struct symbol *symbol_named(const struct expression *name);
/* How many scalars a variable, one element of an array, a list, or a proctype's parameters
 * have. */
int symbol_leaves(const struct symbol *symbol);
int list_leaves(const struct expression *list);
int parameter_leaves(const struct proctype *proctype);
#define MOST_PROCESSES 255 /* at a time, and as many channels: their numbers are bytes */
/* How many channels these declarations make; if too many, MOST_PROCESSES + 1. */
int channels_made(const struct symbol *list);
/* The one type that a channel reference can have, or NULL. */
const struct channel_type *channel_static_type(const struct expression *channel);
/* The index of this part of a reference is a constant inside of its array. */
bool index_is_inside(const struct expression *part);

#endif

/* The messages between ranks of a spread search. Numbers are sent as they are in memory: all
 * ranks run on the same kind of machine. The first word of a message is its kind; in a batch of
 * states, the bits above it hold the level. */
#ifndef MAZUR_PROMELA_SPREAD_MESSAGES_H
#define MAZUR_PROMELA_SPREAD_MESSAGES_H

#include <stdint.h>

enum message_kind {
    MESSAGE_STATES = 1, /* records of wire.h */
    MESSAGE_PROBE,      /* 0 to all: count */
    MESSAGE_COUNT,      /* the answer */
    MESSAGE_ORDER,      /* 0 to all */
    MESSAGE_FAILED,     /* to 0: a failure in the state `number` */
    MESSAGE_HALT,       /* to 0: a limit was reached, or the clock; with its name */
    MESSAGE_SAVED,      /* to 0: the checkpoint is written */
    MESSAGE_ASK,      /* 0 to the owner: which state is this, and from where was it reached? */
    MESSAGE_TOLD,     /* the answer: `parent` of rank `partner`, and a record of wire.h */
    MESSAGE_REACHED,  /* to 0, at the end: a byte per transition */
    MESSAGE_FAREWELL, /* to 0, at the end, the last one: counts */
};

#define MESSAGE_LEVEL_SHIFT 8u
#define MESSAGE_KIND_MASK   0xffu

enum order {
    ORDER_LEVEL = 1, /* the next bound begins */
    ORDER_PAUSE,     /* expand nothing, until … */
    ORDER_SAVE,      /* write a checkpoint */
    ORDER_GO_ON,
    ORDER_STOP, /* the search ends here: forget what is left */
    ORDER_END,  /* say farewell; `number` 1: report whether there is something beyond the bound
                 */
};

/* All messages except batches of states. Fields that a kind does not need are zero. */
struct spread_message {
    uint32_t kind;
    uint32_t order;
    uint64_t round, number;
    uint64_t sent, received;
    uint64_t states, transitions, reached, bytes, errors, depth;
    uint32_t idle, violation, fault, fault_transition;
    uint32_t parent, partner;
    char text[64];
};

#endif

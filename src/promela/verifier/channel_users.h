/* Which processes may still use a channel, from a given state on.
 *
 * A process reaches a channel by the name of a global one, by a channel of its own, or by a
 * parameter that it was started with, which may be members of structures; none of these changes
 * while it lives. So its later
 * accesses are known from its control state and its parameters, and if no other process may
 * start one, those of all later processes are known, too. A model that keeps channels anywhere
 * else (assigned variables, messages, global structures, arrays inside structures, C) is not
 * analysed: `known` is false. */
#ifndef MAZUR_PROMELA_CHANNEL_USERS_H
#define MAZUR_PROMELA_CHANNEL_USERS_H

#include "promela/verifier/verifier.h"

enum access_kind {
    ACCESS_SENDS = 1,
    ACCESS_RECEIVES = 2,
    ACCESS_LOOKS = 4,  /* depends on what is in the channel: len, polls, else; sorted sends */
    ACCESS_NEMPTY = 8, /* is enabled by a message, and by nothing else in the channel */
    ACCESS_NFULL = 16, /* … by room */
    ACCESS_WAITS_RECEIVE = 32, /* receives where an atomic sequence may be interrupted */
    ACCESS_WAITS_SEND = 64,    /* sends there */
};

/* Accesses of other processes that a send or receive depends on: it must neither change what
 * they do nor prevent them. Enabling them is harmless, unless they are inside an atomic
 * sequence (held_states.h). */
#define ACCESS_AGAINST_SEND (ACCESS_SENDS | ACCESS_LOOKS | ACCESS_NFULL | ACCESS_WAITS_RECEIVE)
#define ACCESS_AGAINST_RECEIVE                                                                 \
    (ACCESS_RECEIVES | ACCESS_LOOKS | ACCESS_NEMPTY | ACCESS_WAITS_SEND)

/* Which channel a process refers to. */
struct channel_name {
    bool local;           /* its number is in the process, at `offset` */
    uint32_t offset;      /* … */
    uint32_t first, last; /* else: numbers of global channels, from 1 */
};

struct channel_users {
    bool known;
    struct proctype_users *proctypes; /* by index */
    struct proctype_users *watcher;   /* the claim and the trace assertion */
};

/* Is it a channel of its own, or does it have members that are channels? */
bool symbol_has_channel(const struct symbol *symbol);
/* Needs the automata. */
struct channel_users *channel_users_find(struct model *model);
/* The channel of a send or receive. False: the process's variables alone do not determine it.
 */
bool channel_users_name(const struct expression *channel, struct channel_name *name);
/* May anything but process `pid` do one of `kinds` with channel `number`, now or later? */
bool channel_users_others(const struct verifier *verifier, const uint8_t *now,
                          const struct shape *shape, uint32_t pid, uint32_t number,
                          uint32_t kinds);
/* May anything but process `pid` start a process, now or later? */
bool channel_users_run(const struct verifier *verifier, const uint8_t *now,
                       const struct shape *shape, uint32_t pid);

#endif
